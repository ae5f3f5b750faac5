import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DeleteIcon, SavedIcon, SharedIcon } from '../../ui/icons.ts';
import {
  deleteSaved,
  saveAgain,
  savedQuery,
  saveQuestion,
  updateSaved,
  type SavedQuestion,
} from '../../features/explore/saved-queries.ts';
import { differsFrom, savedBody, searchOfSaved } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/explore-saved.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { menuStyles } from '../../ui/MenuList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { describeError } from '../../ui/State.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './Saved.module.css';

/** Saved queries: own ones, and those that are shared with the organisation. */
export function Saved({ search }: { readonly search: ExploreSearch }) {
  const org = useOrg();
  const may = useMay('event:write');
  const queries = useQueryClient();
  const navigate = useNavigate({ from: '/explore' });
  const saved = useQuery(savedQuery(org));
  const opened = saved.data?.find(({ id }) => id === search.saved);
  const isChanged = opened !== undefined && differsFrom(search, opened.question);

  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: savedQuery(org).queryKey });
  const failed = (sentence: (parts: { reason: string }) => string) => (error: unknown) =>
    toast(sentence({ reason: describeError(error).message }), { kind: 'failed' });
  const undo = (back: () => Promise<unknown>): void =>
    void (async () => {
      try {
        await back();
        await refresh();
      } catch (error) {
        failed(m.undoFailed)(error);
      }
    })();
  const update = useMutation({
    mutationFn: ({ id }: SavedQuestion) => updateSaved(org, id, { question: savedBody(search) }),
    onSuccess: async (_updated, before) => {
      await refresh();
      toast(m.updated({ name: before.name }), {
        action: {
          label: m.undo,
          run: () => undo(() => updateSaved(org, before.id, { question: before.question })),
        },
      });
    },
    onError: failed(m.updateFailed),
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedQuestion) => deleteSaved(org, id),
    onSuccess: async (_none, before) => {
      await refresh();
      toast(m.deleted({ name: before.name }), {
        action: {
          label: m.undo,
          run: () => undo(() => saveAgain(org, before)),
        },
      });
    },
    onError: failed(m.deleteFailed),
  });

  const name = opened && (isChanged ? m.changedName({ name: opened.name }) : opened.name);
  return (
    <>
      {may && opened && isChanged && opened.mine && (
        <Button
          busy={update.isPending}
          onClick={() => update.mutate(opened)}
          aria-label={m.updateQuery({ name: opened.name })}
        >
          {m.update}
        </Button>
      )}
      <Popover
        label={m.savedQueries}
        align="end"
        className={styles.panel}
        renderTrigger={(props) => (
          <Button {...props} icon={<SavedIcon size={14} />} className={styles.trigger}>
            {name ? <span translate="no">{name}</span> : m.saved}
          </Button>
        )}
      >
        {(close) => (
          <>
            <QueryView
              query={saved}
              loading={m.loadingSaved}
              failed={m.savedFailed}
              height={36}
              empty={<Nothing>{m.noSaved}</Nothing>}
            >
              {(all) => (
                <DataList open compact label={m.savedQueries}>
                  {all.map((each) => (
                    <SavedRow
                      key={each.id}
                      saved={each}
                      isOpen={each.id === search.saved}
                      onOpen={close}
                      onDelete={may ? () => remove.mutate(each) : undefined}
                    />
                  ))}
                </DataList>
              )}
            </QueryView>
            {may && (
              <SaveForm
                onSave={async ({ name: wanted, isShared }) => {
                  const { id } = await saveQuestion(org, wanted.trim(), isShared ? 'organization' : 'owner', search);
                  await refresh();
                  toast(m.savedAs({ name: wanted.trim() }));
                  close();
                  await navigate({ search: (before) => ({ ...before, saved: id }) });
                }}
              />
            )}
          </>
        )}
      </Popover>
    </>
  );
}

export function SavedRow({
  saved,
  isOpen,
  onOpen,
  onDelete,
}: {
  readonly saved: SavedQuestion;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onDelete: (() => void) | undefined;
}) {
  return (
    <DataRow
      title={
        <Link
          from="/explore"
          to="."
          search={searchOfSaved(saved.question, saved.id)}
          className={menuStyles.item}
          activeOptions={exactly}
          aria-current={isOpen ? 'true' : undefined}
          onClick={onOpen}
        >
          <Text cut>
            <span translate="no">{saved.name}</span>
          </Text>
          {saved.visibility === 'organization' && (
            <span
              className={styles.shared}
              data-tip={saved.mine ? m.sharedByMe : m.sharedBy({ name: saved.createdBy?.name ?? m.formerMember })}
            >
              <SharedIcon size={14} aria-label={m.shared} />
            </span>
          )}
        </Link>
      }
      actions={
        saved.mine &&
        onDelete && (
          <IconButton
            size="small"
            label={m.deleteQuery({ name: saved.name })}
            icon={<DeleteIcon size={14} />}
            onClick={onDelete}
          />
        )
      }
    />
  );
}

interface NewSaved {
  readonly name: string;
  readonly isShared: boolean;
}

function SaveForm({ onSave }: { readonly onSave: (saved: NewSaved) => Promise<void> }) {
  const form = useForm<NewSaved>({ start: { name: '', isShared: false }, save: onSave });
  return (
    <div className={styles.save}>
      <Form form={form} submit={m.save} bare>
        <TextField
          label={m.name}
          maxLength={100}
          autoComplete="off"
          {...form.field('name', { validate: (name) => name.trim() !== '' })}
        />
        <Choice label={m.share} {...form.field('isShared')} />
      </Form>
    </div>
  );
}
