import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createTeam, type Team, updateTeam } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import styles from './TeamsPage.module.css';

interface Project {
  readonly slug: string;
  readonly name: string;
}

/** Makes a team, or changes the one given: its name, what stands behind the #, and its projects. */
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
  const [name, setName] = useState(team?.name ?? '');
  const [slug, setSlug] = useState(team?.slug ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(team?.projects.map((each) => each.slug)));
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), ...(slug.trim() && { slug: slug.trim() }), projects: [...chosen] };
      return team ? updateTeam(org, team.slug, body) : createTeam(org, body);
    },
    onSuccess: async () => {
      await Promise.all(['teams', 'members'].map((key) => queries.invalidateQueries({ queryKey: [key, org] })));
      onDone();
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className={styles.pair}>
        <TextField
          label="Name"
          focused
          autoComplete="off"
          placeholder="Payments"
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Written as #"
          mono
          autoComplete="off"
          placeholder="made of the name"
          maxLength={50}
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
        />
      </div>
      {projects.length > 0 && (
        <fieldset>
          <legend className={styles.legend}>Works on</legend>
          <div className={styles.checks}>
            {projects.map((project) => (
              <label key={project.slug} className={styles.check}>
                <input
                  type="checkbox"
                  checked={chosen.has(project.slug)}
                  onChange={(event) =>
                    setChosen(
                      event.target.checked
                        ? new Set([...chosen, project.slug])
                        : new Set([...chosen].filter((each) => each !== project.slug)),
                    )
                  }
                />
                {project.name}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <FormError error={save.error} />
      <div className={formStyles.row}>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={name.trim() === ''}>
          {team ? 'Save' : 'Make team'}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
