import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { RuleEditor } from '../../features/grouping/RuleEditor.tsx';
import { type Codeowners, deleteCodeowners, ownershipQuery, saveCodeowners } from '../../features/ownership/queries.ts';
import { membersQuery, teamsQuery } from '../../features/people/queries.ts';
import { repositoriesQuery } from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { plural, pluralForm } from '../../ui/numbers.ts';
import { Card, Section } from '../../ui/Page.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './OwnershipPage.module.css';

/** CODEOWNERS files, and who their names are here. */
export function CodeownersSection({
  slug,
  files,
  mayChange,
}: {
  readonly slug: string;
  readonly files: readonly Codeowners[];
  readonly mayChange: boolean;
}) {
  const [editing, setEditing] = useState<string>();
  return (
    <Section
      title="CODEOWNERS"
      note="Paste the file of a repository, as GitHub and GitLab read it. It decides where no rule above matches; the file that threw goes first."
      actions={
        mayChange &&
        editing === undefined && (
          <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
            Add a file
          </Button>
        )
      }
    >
      {editing === 'new' && <FileForm slug={slug} onDone={() => setEditing(undefined)} />}
      {files.length === 0
        ? editing === undefined && <p className={styles.hint}>No file yet.</p>
        : files.map((file) =>
            editing === file.id ? (
              <FileForm key={file.id} slug={slug} file={file} onDone={() => setEditing(undefined)} />
            ) : (
              <FileCard
                key={file.id}
                slug={slug}
                file={file}
                mayChange={mayChange}
                onEdit={() => setEditing(file.id)}
              />
            ),
          )}
    </Section>
  );
}

function useFiles(slug: string) {
  const org = useOrg();
  const queries = useQueryClient();
  return { org, refresh: () => queries.invalidateQueries({ queryKey: ownershipQuery(org, slug).queryKey }) };
}

function FileCard({
  slug,
  file,
  mayChange,
  onEdit,
}: {
  readonly slug: string;
  readonly file: Codeowners;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}) {
  const { org, refresh } = useFiles(slug);
  const remove = useMutation({
    mutationFn: () => deleteCodeowners(org, slug, file.id),
    onSuccess: async () => {
      const { raw, repositoryId, names } = file;
      toast('CODEOWNERS deleted', {
        action: {
          label: 'Undo',
          run: () =>
            void saveCodeowners(org, slug, { raw, repositoryId, names }).then(refresh, (error: Error) =>
              toast(`The file could not be restored: ${error.message}`, { kind: 'failed' }),
            ),
        },
      });
      await refresh();
    },
  });
  return (
    <Card>
      <div className={styles.file}>
        <div className={styles.what}>
          <strong>{file.repositoryName ?? 'Any repository'}</strong>
          <span className={styles.hint}>
            {plural(file.rules, 'line')}, changed <Time at={file.dateUpdated} />
            {file.problems.length > 0 && `, ${plural(file.problems.length, 'line')} that cannot be read in full`}
          </span>
        </div>
        {mayChange && (
          <>
            <Button size="small" variant="ghost" onClick={onEdit}>
              Edit
            </Button>
            <Button size="small" variant="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </>
        )}
      </div>
      <FormError error={remove.error} />
      <Names slug={slug} file={file} mayChange={mayChange} />
    </Card>
  );
}

const maxNames = 50;

/** Who the names are that nobody here has, and those that somebody was said to be. */
function Names({
  slug,
  file,
  mayChange,
}: {
  readonly slug: string;
  readonly file: Codeowners;
  readonly mayChange: boolean;
}) {
  const { org, refresh } = useFiles(slug);
  const { data: members } = useQuery(membersQuery(org));
  const { data: teams } = useQuery(teamsQuery(org));
  const names = [...new Set([...file.unknown, ...Object.keys(file.names)])].toSorted().slice(0, maxNames);
  const save = useMutation({
    mutationFn: ({ name, owner }: { name: string; owner: string }) => {
      const { [name]: _, ...others } = file.names;
      return saveCodeowners(
        org,
        slug,
        { raw: file.raw, names: owner === '' ? others : { ...others, [name]: owner } },
        file.id,
      );
    },
    onSuccess: refresh,
  });
  if (names.length === 0) return null;
  return (
    <div className={styles.names}>
      <p className={styles.hint}>
        {file.unknown.length > 0
          ? `${plural(file.unknown.length, 'name')} of the file ${pluralForm(file.unknown.length, 'is', 'are')} no one here. Map them to members or teams, or invite them.`
          : 'Who the names of the file are:'}
      </p>
      <div className={styles.nameList}>
        {names.map((name) => (
          <SelectField
            key={name}
            label={name}
            value={file.names[name] ?? ''}
            disabled={!mayChange || save.isPending}
            onChange={(event) => save.mutate({ name, owner: event.target.value })}
          >
            <option value="">Nobody</option>
            {(teams ?? []).map((team) => (
              <option key={team.id} value={`team:${team.id}`}>
                #{team.slug}
              </option>
            ))}
            {(members ?? []).flatMap(({ user }) =>
              user
                ? [
                    <option key={user.id} value={`user:${user.id}`}>
                      {user.name}
                    </option>,
                  ]
                : [],
            )}
          </SelectField>
        ))}
      </div>
      <FormError error={save.error} />
    </div>
  );
}

function FileForm({
  slug,
  file,
  onDone,
}: {
  readonly slug: string;
  readonly file?: Codeowners;
  readonly onDone: () => void;
}) {
  const { org, refresh } = useFiles(slug);
  const { data: repositories } = useQuery(repositoriesQuery(org));
  const [raw, setRaw] = useState(file?.raw ?? '');
  const [repositoryId, setRepositoryId] = useState(file?.repositoryId ?? '');
  const save = useMutation({
    mutationFn: () => saveCodeowners(org, slug, { raw, repositoryId: repositoryId || null }, file?.id),
    onSuccess: async (saved) => {
      await refresh();
      toast(
        saved.problems.length > 0
          ? `Saved; ${plural(saved.problems.length, 'line')} cannot be read in full`
          : `CODEOWNERS saved: ${plural(saved.rules, 'line')}`,
      );
      onDone();
    },
  });
  return (
    <form
      className={styles.fileForm}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      {(repositories ?? []).length > 0 && (
        <SelectField
          label="Repository"
          hint="Whose paths the file has. Code mappings say where frames lie in it."
          value={repositoryId}
          onChange={(event) => setRepositoryId(event.target.value)}
        >
          <option value="">Any repository</option>
          {repositories?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <RuleEditor
        label="The file"
        hint="A pattern and its owners in each line: @name, @organisation/team, an address."
        placeholder={'/src/payments/ @acme/payments\n*.css jane@example.com'}
        value={raw}
        problems={file && raw === file.raw ? file.problems : []}
        onChange={setRaw}
      />
      <FormError error={save.error} />
      <div className={formStyles.row}>
        <Button type="submit" variant="primary" busy={save.isPending} disabled={raw.trim() === ''}>
          Save the file
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
