import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import * as m from '../../messages/issues.ts';
import { listQuery, type IssueListSearch } from '../../features/issues/list-question.ts';
import type { SavedSearch } from '../../features/search-box/queries.ts';
import { useMay } from '../../features/session/organization.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { DeleteIcon, EditIcon, PinIcon, SharedIcon, UnpinIcon } from '../../ui/icons.ts';
import { Section } from '../../ui/Page.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useSavedChanges } from './use-saved-changes.ts';
import { isShown, searchOf } from './views.ts';

interface Props {
  readonly search: IssueListSearch;
  readonly saved: readonly SavedSearch[];
  readonly onDone: () => void;
}

export function SavedSearchesPanel({ search, saved, onDone }: Props) {
  const may = useMay('event:write');
  return (
    <>
      {may && <SaveForm search={search} key={listQuery(search)} onDone={onDone} />}
      {saved.length > 0 && (
        <Section title={m.savedSearches}>
          <DataList compact label={m.savedSearches}>
            {saved.map((each) => (
              <Saved key={each.id} may={may} saved={each} current={isShown(each, search)} onOpen={onDone} />
            ))}
          </DataList>
        </Section>
      )}
    </>
  );
}

function SaveForm({ search, onDone }: Pick<Props, 'search' | 'onDone'>) {
  const { create } = useSavedChanges();
  const query = listQuery(search);
  const form = useForm({
    start: { name: '', isPinned: true, isShared: false },
    save: async ({ name, isPinned, isShared }) => {
      await create.mutateAsync({
        name: name.trim(),
        query,
        sort: search.sort ?? '',
        type: 'issues',
        visibility: isShared ? 'organization' : 'owner',
        state: null,
        isPinned,
      });
      onDone();
    },
  });
  return (
    <Form form={form} submit={m.save} bare>
      <TextField
        label={m.saveAs}
        maxLength={128}
        autoComplete="off"
        hint={<Query query={query} />}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      <div>
        <Choice label={m.pin} {...form.field('isPinned')} />
        <Choice label={m.share} {...form.field('isShared')} />
      </div>
    </Form>
  );
}

const Query = ({ query }: { readonly query: string }) => (query ? <code>{query}</code> : m.everyIssue);

function Saved({
  may,
  saved,
  current,
  onOpen,
}: {
  /** Whether the reader may change any. */
  readonly may: boolean;
  readonly saved: SavedSearch;
  readonly current: boolean;
  readonly onOpen: () => void;
}) {
  const { change, remove, failed } = useSavedChanges();
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, isPinned, visibility, canChange } = saved;
  const isShared = visibility === 'organization';
  const put = (fields: { readonly isPinned: boolean } | { readonly visibility: SavedSearch['visibility'] }): void =>
    change.mutate({ id, ...fields }, { onError: failed });
  return (
    <DataRow
      current={current}
      title={
        <Link
          from="/issues"
          to="."
          search={(before) => ({ ...before, cursor: undefined, ...searchOf(saved) })}
          className={rowLinkClass}
          aria-current={current || undefined}
          translate="no"
          onClick={onOpen}
        >
          {name}
        </Link>
      }
      facts={
        <Facts cut>
          {isShared && (canChange ? m.shared : m.sharedBy({ name: saved.owner.name }))}
          <Query query={saved.query} />
        </Facts>
      }
      actions={
        may && (
          <>
            <IconButton
              size="small"
              label={isPinned ? m.unpinSearch({ name }) : m.pinSearch({ name })}
              icon={isPinned ? <UnpinIcon size={14} /> : <PinIcon size={14} />}
              onClick={() => put({ isPinned: !isPinned })}
            />
            {canChange && (
              <>
                <IconButton
                  size="small"
                  label={isShared ? m.unshareSearch({ name }) : m.shareSearch({ name })}
                  aria-pressed={isShared}
                  icon={<SharedIcon size={14} />}
                  onClick={() => put({ visibility: isShared ? 'owner' : 'organization' })}
                />
                <IconButton
                  size="small"
                  label={m.renameSearch({ name })}
                  aria-expanded={isRenaming}
                  icon={<EditIcon size={14} />}
                  onClick={() => setRenaming(!isRenaming)}
                />
                <IconButton
                  size="small"
                  label={m.deleteSearch({ name })}
                  icon={<DeleteIcon size={14} />}
                  onClick={() => remove.mutate(saved)}
                />
              </>
            )}
          </>
        )
      }
    >
      {isRenaming && <Rename saved={saved} onDone={() => setRenaming(false)} />}
    </DataRow>
  );
}

function Rename({ saved: { id, name: old }, onDone }: { readonly saved: SavedSearch; readonly onDone: () => void }) {
  const { change } = useSavedChanges();
  const form = useForm({
    start: { name: old },
    save: async ({ name }) => {
      if (name.trim() !== old) await change.mutateAsync({ id, name: name.trim() });
      onDone();
    },
  });
  return (
    <Form form={form} submit={m.rename} onCancel={onDone} bare>
      <TextField
        label={m.newName}
        focused
        maxLength={128}
        autoComplete="off"
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
    </Form>
  );
}
