import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../features/projects/queries.ts';
import {
  mappingSuggestionsQuery,
  saveCodeMapping,
  type CodeMapping,
  type CodeMappingSuggestion,
  type Repository,
} from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { plural } from '../../ui/numbers.ts';
import styles from './RepositoriesPage.module.css';

export function MappingForm({
  mapping,
  repositories,
  onDone,
}: {
  readonly mapping?: CodeMapping;
  readonly repositories: readonly Repository[];
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const [chosenProject, setProject] = useState(mapping?.projectSlug);
  const [repoId, setRepoId] = useState(mapping?.repoId ?? repositories[0]?.id ?? '');
  const [stackRoot, setStackRoot] = useState(mapping?.stackRoot ?? '');
  const [sourceRoot, setSourceRoot] = useState(mapping?.sourceRoot ?? '');
  const [branch, setBranch] = useState(mapping?.defaultBranch ?? '');
  const project = chosenProject ?? projects[0]?.slug ?? '';
  const save = useMutation({
    mutationFn: () =>
      saveCodeMapping(
        org,
        { project, repoId, stackRoot, sourceRoot, defaultBranch: branch.trim() || null },
        mapping?.id,
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
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
      <SelectField
        label="Project"
        value={project}
        disabled={mapping !== undefined}
        onChange={(event) => setProject(event.target.value)}
      >
        {projects.map((each) => (
          <option key={each.id} value={each.slug}>
            {each.name}
          </option>
        ))}
      </SelectField>
      <SelectField label="Repository" value={repoId} onChange={(event) => setRepoId(event.target.value)}>
        {repositories.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </SelectField>
      {project && !mapping && (
        <Suggestions
          key={project}
          project={project}
          onChoose={(suggestion) => {
            setRepoId(suggestion.repoId);
            setStackRoot(suggestion.stackRoot);
            setSourceRoot(suggestion.sourceRoot);
          }}
        />
      )}
      <TextField
        label="Paths of frames begin with"
        hint="Empty: any path."
        mono
        value={stackRoot}
        onChange={(event) => setStackRoot(event.target.value)}
        placeholder="../../src/"
        autoComplete="off"
        maxLength={1000}
      />
      <TextField
        label="In the repository that is"
        hint="Empty: its root."
        mono
        value={sourceRoot}
        onChange={(event) => setSourceRoot(event.target.value)}
        placeholder="apps/shop/src/"
        autoComplete="off"
        maxLength={1000}
      />
      <TextField
        label="Branch"
        hint="Empty: the repository's."
        value={branch}
        onChange={(event) => setBranch(event.target.value)}
        autoComplete="off"
        maxLength={200}
      />
      <div className={`${formStyles.row} ${styles.full}`}>
        <Button
          type="submit"
          variant="primary"
          size="small"
          busy={save.isPending}
          disabled={project === '' || repoId === ''}
        >
          Save
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {save.error && (
        <div className={styles.full}>
          <FormError error={save.error} />
        </div>
      )}
    </form>
  );
}

/** What would fit the latest events of the project, to be taken with one click. */
function Suggestions({
  project,
  onChoose,
}: {
  readonly project: string;
  readonly onChoose: (suggestion: CodeMappingSuggestion) => void;
}) {
  const { data = [] } = useQuery(mappingSuggestionsQuery(useOrg(), project));
  if (data.length === 0) return null;
  return (
    <fieldset className={`${styles.full} ${styles.suggestions}`} aria-label="Suggestions">
      <p className={styles.faint}>From the latest events and the files of known commits:</p>
      {data.map((each) => (
        <Button
          key={`${each.repoId} ${each.stackRoot} ${each.sourceRoot}`}
          size="small"
          tip={`${each.frame} → ${each.file}`}
          onClick={() => onChoose(each)}
        >
          <code>
            {each.stackRoot || '(any path)'} → {each.sourceRoot || '(the root)'}
          </code>
          <span className={styles.faint}>
            {each.repoName}, {plural(each.frames, 'path')}
          </span>
        </Button>
      ))}
    </fieldset>
  );
}
