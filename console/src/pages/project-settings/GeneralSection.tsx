import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { platforms } from '../../features/projects/platforms.ts';
import type { Project } from '../../features/projects/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { useSaveProject } from './use-save-project.ts';

export function GeneralSection({ project }: { readonly project: Project }) {
  const navigate = useNavigate();
  const [name, setName] = useState(project.name);
  const [slug, setSlug] = useState(project.slug);
  const [platform, setPlatform] = useState(project.platform ?? '');
  const save = useSaveProject(project, (updated) => {
    if (updated.slug !== project.slug)
      void navigate({ to: '/projects/$slug/settings', params: { slug: updated.slug }, replace: true });
  });
  const changed = name !== project.name || slug !== project.slug || platform !== (project.platform ?? '');
  const nameProblem = name.trim() === '' ? 'Name the project.' : undefined;
  const slugProblem = /^[a-z0-9][a-z0-9-]*$/.test(slug) ? undefined : 'Use lower-case letters, digits and hyphens.';
  const taken = save.error instanceof ApiError && save.error.code === 'SLUG_TAKEN' ? save.error.message : undefined;
  const known = platforms.some((each) => each.id === platform);
  return (
    <Section title="General">
      <form
        noValidate
        className={styles.group}
        onSubmit={(event) => {
          event.preventDefault();
          if (!nameProblem && !slugProblem) save.mutate({ name: name.trim(), slug, platform: platform || null });
        }}
      >
        <TextField
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={nameProblem}
          autoComplete="off"
        />
        <TextField
          label="Slug"
          mono
          value={slug}
          onChange={(event) => setSlug(event.target.value)}
          error={slugProblem ?? taken}
          hint="Used in URLs and in the API. Update tools that use the old one."
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          label="Framework"
          value={platform}
          onChange={(event) => setPlatform(event.target.value)}
          hint="Chooses the set-up steps."
        >
          <option value="">Not said</option>
          {!known && platform && <option value={platform}>{platform}</option>}
          {platforms.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </SelectField>
        {!taken && <FormError error={save.error} />}
        <div className={styles.row}>
          <Button
            type="submit"
            variant="primary"
            busy={save.isPending}
            disabled={!changed || Boolean(nameProblem ?? slugProblem)}
          >
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}
