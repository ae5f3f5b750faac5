import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DeleteIcon, EditIcon, PinIcon, SavedIcon, SharedIcon, UnpinIcon } from '../../ui/icons.ts';
import { type FormEvent, useId, useState } from 'react';
import { listQuery, type IssueListSearch } from '../../features/issues/list-question.ts';
import {
  createSearch,
  deleteSearch,
  type NewSearch,
  type SavedSearch,
  savedSearchesQuery,
  updateSearch,
} from '../../features/search-box/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './SavedSearches.module.css';
import { isShown, searchOf } from './views.ts';

/** Saves what is shown, and lists what was saved: own ones and those that are shared. */
export function SavedSearches({ search }: { readonly search: IssueListSearch }) {
  const org = useOrg();
  const saved = useQuery(savedSearchesQuery(org, 'issues'));
  return (
    <Popover
      label="Saved searches"
      align="end"
      className={styles.panel}
      renderTrigger={(props) => (
        <Button
          {...props}
          variant="ghost"
          aria-label="Saved searches"
          icon={<SavedIcon size={14} />}
          className={styles.trigger}
        >
          <span className={styles.word}>Saved</span>
        </Button>
      )}
    >
      {(close) => (
        <>
          <SaveForm search={search} key={listQuery(search)} onSaved={close} />
          {saved.data && saved.data.length > 0 && (
            <>
              <h2 className={styles.title}>Saved searches</h2>
              <ul className={styles.list}>
                {saved.data.map((each) => (
                  <Row key={each.id} saved={each} current={isShown(each, search)} onOpen={close} />
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Popover>
  );
}

function SaveForm({ search, onSaved }: { readonly search: IssueListSearch; readonly onSaved: () => void }) {
  const { create } = useSavedChanges();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [isPinned, setPinned] = useState(true);
  const query = listQuery(search);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(
      {
        name: name.trim(),
        query,
        sort: search.sort ?? '',
        type: 'issues',
        visibility: isShared ? 'organization' : 'owner',
        state: null,
        isPinned,
      },
      {
        onSuccess: () => {
          setName('');
          onSaved();
        },
      },
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Save this search as"
        value={name}
        maxLength={128}
        required
        hint={<code className={styles.query}>{query || 'every issue'}</code>}
        onChange={(event) => setName(event.target.value)}
      />
      <Choice label="Keep it as a tab" checked={isPinned} onChange={setPinned} />
      <Choice label="Share it with everyone here" checked={isShared} onChange={setShared} />
      <Button type="submit" variant="primary" busy={create.isPending} disabled={name.trim() === ''}>
        Save
      </Button>
    </form>
  );
}

function Choice({
  label,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <span className={styles.choice}>
      <input id={id} type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

function Row({
  saved,
  current,
  onOpen,
}: {
  readonly saved: SavedSearch;
  readonly current: boolean;
  readonly onOpen: () => void;
}) {
  const { change, remove } = useSavedChanges();
  const [name, setName] = useState<string>();
  const { id, isPinned, visibility, canChange } = saved;
  if (name !== undefined) {
    return (
      <li>
        <form
          className={styles.rename}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) change.mutate({ id, name: name.trim() });
            setName(undefined);
          }}
        >
          <TextField
            label="New name"
            focused
            value={name}
            maxLength={128}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit">Rename</Button>
        </form>
      </li>
    );
  }
  const isShared = visibility === 'organization';
  return (
    <li className={styles.row}>
      <Link
        from="/issues"
        to="."
        search={(before) => ({ ...before, cursor: undefined, ...searchOf(saved) })}
        className={styles.open}
        aria-current={current || undefined}
        onClick={onOpen}
      >
        <span className={styles.name}>{saved.name}</span>
        <code className={styles.query}>{saved.query || 'every issue'}</code>
      </Link>
      {isShared && <span className={styles.shared}>{canChange ? 'shared' : `by ${saved.owner.name}`}</span>}
      <IconButton
        size="small"
        label={isPinned ? `Take ${saved.name} from the tabs` : `Keep ${saved.name} as a tab`}
        icon={isPinned ? <UnpinIcon size={14} /> : <PinIcon size={14} />}
        onClick={() => change.mutate({ id, isPinned: !isPinned })}
      />
      {canChange && (
        <>
          <IconButton
            size="small"
            label={isShared ? `Stop sharing ${saved.name}` : `Share ${saved.name}`}
            aria-pressed={isShared}
            icon={<SharedIcon size={14} />}
            onClick={() => change.mutate({ id, visibility: isShared ? 'owner' : 'organization' })}
          />
          <IconButton
            size="small"
            label={`Rename ${saved.name}`}
            icon={<EditIcon size={14} />}
            onClick={() => setName(saved.name)}
          />
          <IconButton
            size="small"
            label={`Delete ${saved.name}`}
            icon={<DeleteIcon size={14} />}
            onClick={() => remove.mutate(saved)}
          />
        </>
      )}
    </li>
  );
}

/** Changes on the server, shown when they are done; what is deleted can be had back. */
function useSavedChanges() {
  const org = useOrg();
  const queries = useQueryClient();
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['search', org, 'saved'] });
  const failed = (error: Error): void => toast(`This could not be saved: ${error.message}`, { kind: 'failed' });
  const create = useMutation({
    mutationFn: (search: NewSearch) => createSearch(org, search),
    onSuccess: ({ name }) => toast(`${name} saved`),
    onError: failed,
    onSettled: again,
  });
  const change = useMutation({
    mutationFn: ({ id, ...fields }: { readonly id: string } & Parameters<typeof updateSearch>[2]) =>
      updateSearch(org, id, fields),
    onError: failed,
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedSearch) => deleteSearch(org, id),
    onSuccess: (_nothing, { name, query, sort, type, visibility, state, isPinned }) =>
      toast(`${name} deleted`, {
        action: {
          label: 'Undo',
          run: () => create.mutate({ name, query, sort, type, visibility, state, isPinned }),
        },
      }),
    onError: failed,
    onSettled: again,
  });
  return { create, change, remove };
}
