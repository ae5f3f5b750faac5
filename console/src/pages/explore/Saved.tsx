import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { DeleteIcon, SavedIcon, SharedIcon } from '../../ui/icons.ts';
import { useRef } from 'react';
import {
  deleteSaved,
  saveAgain,
  savedQuery,
  saveQuestion,
  updateSaved,
  type SavedQuestion,
} from '../../features/explore/queries.ts';
import { differsFrom, savedBody, searchOfSaved } from '../../features/explore/request.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { menuStyles } from '../../ui/MenuList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { describeError, ErrorState } from '../../ui/State.tsx';
import { toast } from '../../ui/toasts.ts';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './Saved.module.css';

/** Questions that are kept: own ones, and those that are shared with the organisation. */
export function Saved({ search }: { readonly search: ExploreSearch }) {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate({ from: '/explore' });
  const saved = useQuery(savedQuery(org));
  const form = useRef<HTMLFormElement>(null);
  const opened = saved.data?.find(({ id }) => id === search.saved);
  const isChanged = opened !== undefined && differsFrom(search, opened.question);

  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: savedQuery(org).queryKey });
  const failed = (what: string) => (error: Error) =>
    toast(`${what}: ${describeError(error).message}`, { kind: 'failed' });
  const undo = (back: () => Promise<unknown>): void =>
    void (async () => {
      try {
        await back();
        await refresh();
      } catch (error) {
        toast(`This could not be undone: ${describeError(error).message}`, { kind: 'failed' });
      }
    })();
  const save = useMutation({
    mutationFn: ({ name, isShared }: { name: string; isShared: boolean }) =>
      saveQuestion(org, name, isShared ? 'organization' : 'owner', search),
    onSuccess: async ({ id, name }) => {
      await refresh();
      toast(`Saved as ${name}`);
      await navigate({ search: (before) => ({ ...before, saved: id }) });
    },
    onError: failed('The question could not be saved'),
  });
  const update = useMutation({
    mutationFn: ({ id }: SavedQuestion) => updateSaved(org, id, { question: savedBody(search) }),
    onSuccess: async (_updated, before) => {
      await refresh();
      toast(`${before.name} updated`, {
        action: {
          label: 'Undo',
          run: () => undo(() => updateSaved(org, before.id, { question: before.question })),
        },
      });
    },
    onError: failed('The question could not be updated'),
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedQuestion) => deleteSaved(org, id),
    onSuccess: async (_none, before) => {
      await refresh();
      toast(`${before.name} deleted`, {
        action: {
          label: 'Undo',
          run: () => undo(() => saveAgain(org, before)),
        },
      });
    },
    onError: failed('The question could not be deleted'),
  });

  return (
    <>
      {opened && isChanged && opened.mine && (
        <Button busy={update.isPending} onClick={() => update.mutate(opened)} aria-label={`Update ${opened.name}`}>
          Update
        </Button>
      )}
      <Popover
        label="Saved questions"
        align="end"
        className={styles.panel}
        renderTrigger={(props) => (
          <Button {...props} icon={<SavedIcon size={14} />} className={styles.trigger}>
            <span>{opened ? `${opened.name}${isChanged ? ' (changed)' : ''}` : 'Saved'}</span>
          </Button>
        )}
      >
        {(close) => (
          <>
            {saved.isError && !saved.data ? (
              <ErrorState error={saved.error} retry={() => void saved.refetch()} />
            ) : saved.data?.length === 0 ? (
              <p className={styles.none}>Nothing is saved yet. A saved question opens with its range and columns.</p>
            ) : (
              <ul className={styles.list} aria-label="Saved questions">
                {saved.data?.map((each) => (
                  <li key={each.id}>
                    <Link
                      from="/explore"
                      to="."
                      search={searchOfSaved(each.question, each.id)}
                      className={menuStyles.item}
                      activeOptions={exactly}
                      aria-current={each.id === search.saved ? 'true' : undefined}
                      onClick={close}
                    >
                      <span className={styles.name}>{each.name}</span>
                      {each.visibility === 'organization' && (
                        <span
                          className={styles.shared}
                          data-tip={
                            each.mine ? 'Shared with everybody' : `Shared by ${each.createdBy?.name ?? 'somebody'}`
                          }
                        >
                          <SharedIcon size={14} aria-label="Shared" />
                        </span>
                      )}
                    </Link>
                    {each.mine && (
                      <IconButton
                        size="small"
                        label={`Delete ${each.name}`}
                        icon={<DeleteIcon size={14} />}
                        onClick={() => remove.mutate(each)}
                      />
                    )}
                  </li>
                ))}
              </ul>
            )}
            <form
              ref={form}
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault();
                const data = new FormData(event.currentTarget);
                const name = String(data.get('name') ?? '').trim();
                if (!name) return;
                save.mutate({ name, isShared: data.get('shared') === 'on' });
                form.current?.reset();
                close();
              }}
            >
              <input
                name="name"
                className={fieldStyles.input}
                aria-label="Name"
                placeholder="Name of this question"
                maxLength={100}
                autoComplete="off"
                required
              />
              <label className={styles.share}>
                <input type="checkbox" name="shared" /> Share with everybody
              </label>
              <Button type="submit" variant="primary" busy={save.isPending}>
                Save
              </Button>
            </form>
          </>
        )}
      </Popover>
    </>
  );
}
