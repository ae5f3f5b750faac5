import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { byLanguage, isPlatform, languages } from '../../features/projects/platforms.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as words from '../../messages/platforms.ts';
import * as m from '../../messages/project-settings.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Section } from '../../ui/Page.tsx';
import { useForm } from '../../ui/use-form.ts';
import { saveProject } from './save-project.ts';

export function GeneralSection({ project }: { readonly project: Project }) {
  const org = useOrg();
  const may = useMay('project:write');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    start: { name: project.name, slug: project.slug, platform: project.platform ?? '' },
    save: async ({ name, slug, platform }) => {
      const updated = await saveProject(queries, org, project, {
        name: name.trim(),
        slug,
        platform: platform || null,
      });
      if (updated.slug !== project.slug)
        await navigate({ to: '/projects/$slug/settings', params: { slug: updated.slug }, replace: true });
    },
  });
  const isKnown = !project.platform || isPlatform(project.platform);
  return (
    <Section title={m.general}>
      <Form form={form} submit={m.save} bare ready={form.isChanged} fixed={!may}>
        <TextField
          label={m.name}
          autoComplete="off"
          {...form.field('name', { validate: (name) => name.trim() !== '' || m.nameMissing })}
        />
        <TextField
          label={m.slug}
          mono
          hint={m.slugHint}
          autoComplete="off"
          spellCheck={false}
          {...form.field('slug', { pattern: { value: /^[a-z0-9][a-z0-9-]*$/, message: m.slugInvalid } })}
        />
        <SelectField label={words.label} hint={m.frameworkHint} {...form.field('platform')}>
          <option value="">{m.noFramework}</option>
          {!isKnown && (
            <option value={project.platform ?? ''} translate="no">
              {project.platform}
            </option>
          )}
          {languages.map((language) => (
            <optgroup key={language} label={words.languages[language]}>
              {byLanguage[language].map((id) => (
                <option key={id} value={id}>
                  {words.names[id]}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
      </Form>
    </Section>
  );
}
