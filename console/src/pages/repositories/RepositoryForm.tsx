import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { providerOf, repositoryName, type ProviderId } from '../../features/repositories/address.ts';
import { saveRepository, type Repository } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import styles from './RepositoriesPage.module.css';

const providers: readonly { readonly id: ProviderId; readonly name: string }[] = [
  { id: 'github', name: 'GitHub' },
  { id: 'gitlab', name: 'GitLab' },
  { id: 'bitbucket', name: 'Bitbucket' },
  { id: 'other', name: 'Another, by a template' },
];

/** An address is enough: name and provider are read from it until somebody says otherwise. */
export function RepositoryForm({
  repository,
  onDone,
}: {
  readonly repository?: Repository;
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [url, setUrl] = useState(repository?.url ?? '');
  const [name, setName] = useState(repository?.name);
  const [chosen, setChosen] = useState<ProviderId | undefined>(
    repository?.configured ? storedProvider(repository.provider.id) : undefined,
  );
  const [branch, setBranch] = useState(repository?.defaultBranch ?? '');
  const [template, setTemplate] = useState(repository?.linkTemplate ?? '');
  const provider = chosen ?? providerOf(url);
  const shownName = name ?? repositoryName(url);
  const save = useMutation({
    mutationFn: () =>
      saveRepository(
        org,
        {
          name: shownName.trim(),
          provider,
          url: url.trim(),
          defaultBranch: branch.trim() || null,
          linkTemplate: provider === 'other' ? template.trim() || null : null,
        },
        repository?.id,
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
      <TextField
        label="Address"
        focused
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        placeholder="https://github.com/acme/shop"
        autoComplete="off"
      />
      <TextField
        label="Name"
        hint="As commits name it."
        value={shownName}
        onChange={(event) => setName(event.target.value)}
        placeholder="acme/shop"
        autoComplete="off"
        maxLength={200}
      />
      <SelectField label="Kind" value={provider} onChange={(event) => setChosen(event.target.value as ProviderId)}>
        {providers.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Default branch"
        hint="For source links of releases without a commit."
        value={branch}
        onChange={(event) => setBranch(event.target.value)}
        placeholder="main"
        autoComplete="off"
        maxLength={200}
      />
      {provider === 'other' && (
        <div className={styles.full}>
          <TextField
            label="Link to a line"
            hint="With {path}, and {line} and {commit} where the page takes them."
            mono
            value={template}
            onChange={(event) => setTemplate(event.target.value)}
            placeholder="https://git.example.com/shop/tree/{path}?id={commit}#n{line}"
            autoComplete="off"
          />
        </div>
      )}
      <div className={`${formStyles.row} ${styles.full}`}>
        <Button
          type="submit"
          variant="primary"
          size="small"
          busy={save.isPending}
          disabled={url.trim() === '' || shownName.trim() === ''}
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

function storedProvider(id: string): ProviderId {
  return providers.find((each) => id === `integrations:${each.id}`)?.id ?? 'other';
}
