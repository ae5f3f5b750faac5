import { useQueryClient } from '@tanstack/react-query';
import { createTeam, type Team, updateTeam } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/teams.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

interface Project {
  readonly slug: string;
  readonly name: string;
}

/** Creates a team, or changes one: its name, its slug behind the #, and its projects. */
export function TeamForm({
  team,
  projects,
  onDone,
}: {
  readonly team?: Team;
  readonly projects: readonly Project[];
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm({
    start: {
      name: team?.name ?? '',
      slug: team?.slug ?? '',
      projects: team?.projects.map((each) => each.slug) ?? [],
    },
    save: async ({ name, slug, projects: chosen }) => {
      const body = { name: name.trim(), ...(slug.trim() && { slug: slug.trim() }), projects: chosen };
      await (team ? updateTeam(org, team.slug, body) : createTeam(org, body));
      await Promise.all(['teams', 'members'].map((key) => queries.invalidateQueries({ queryKey: [key, org] })));
      onDone();
    },
  });
  return (
    <Form form={form} submit={team ? m.save : m.create} onCancel={onDone}>
      <FieldRow>
        <TextField
          label={m.name}
          focused
          autoComplete="off"
          placeholder={m.namePlaceholder}
          maxLength={64}
          {...form.field('name', { validate: (name) => name.trim() !== '' })}
        />
        <TextField
          label={m.slug}
          mono
          autoComplete="off"
          placeholder={m.slugPlaceholder}
          maxLength={50}
          {...form.field('slug')}
        />
      </FieldRow>
      {projects.length > 0 && (
        <ChoiceGroup label={m.projects}>
          {projects.map((project) => (
            <Choice
              key={project.slug}
              label={<span translate="no">{project.name}</span>}
              value={project.slug}
              {...form.field('projects')}
            />
          ))}
        </ChoiceGroup>
      )}
    </Form>
  );
}
