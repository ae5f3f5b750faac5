import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import * as m from '../../messages/comments.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { offerUndo } from '../commands/undo.ts';
import { useOrg } from '../session/organization.ts';
import styles from './Comment.module.css';
import { Composer } from './Composer.tsx';
import { Markdown } from './Markdown.tsx';
import { addComment, commentsQuery, deleteComment, editComment, type IssueComment, restoreComment } from './queries.ts';
import { useNames } from './use-names.ts';

/** What others know of an issue changes with its comments: their number, who takes part, what happened. */
function useComments(issue: string) {
  const org = useOrg();
  const queries = useQueryClient();
  const { queryKey } = commentsQuery(org, issue);
  return {
    change: (to: (before: readonly IssueComment[]) => IssueComment[]) =>
      queries.setQueryData<IssueComment[]>(queryKey, (before) => before && to(before)),
    refresh: () => queries.invalidateQueries({ queryKey: ['issues', org] }),
  };
}

const failed = (text: typeof m.deleteFailed) => (error: Error) =>
  toast(text({ message: error.message }), { kind: 'failed' });

/** One comment with who wrote it and when; its writer may edit and delete it, and undo that. `issue` is the id. */
export function Comment({ issue, comment }: { readonly issue: string; readonly comment: IssueComment }) {
  const { names } = useNames();
  const { change, refresh } = useComments(issue);
  const [editing, setEditing] = useState(false);
  const { id, user, text, dateCreated, dateEdited, canChange, canDelete } = comment;
  const edit = useMutation({
    mutationFn: (next: string) => editComment(issue, id, next),
    onSuccess: (saved) => {
      change((before) => before.map((one) => (one.id === id ? saved : one)));
      setEditing(false);
      void refresh();
    },
  });
  const restore = useMutation({
    mutationFn: () => restoreComment(issue, id),
    onSuccess: () => void refresh(),
    onError: failed(m.restoreFailed),
  });
  const remove = useMutation({
    mutationFn: () => deleteComment(issue, id),
    onSuccess: () => {
      change((before) => before.filter((one) => one.id !== id));
      offerUndo(m.deleted, () => restore.mutate());
      void refresh();
    },
    onError: failed(m.deleteFailed),
  });
  const who = user?.name || user?.email || m.formerUser;
  return (
    <article className={styles.comment} id={`comment-${id}`} aria-label={m.by({ name: who })}>
      <header className={styles.head}>
        <strong translate="no">{who}</strong>
        <Text tone="faint" small>
          {dateEdited ? (
            m.edited({ when: <Time at={dateCreated} />, edited: <Time at={dateEdited} /> })
          ) : (
            <Time at={dateCreated} />
          )}
        </Text>
        {!editing && (
          <span className={styles.acts}>
            {canChange && (
              <Button size="small" variant="ghost" onClick={() => setEditing(true)}>
                {m.edit}
              </Button>
            )}
            {canDelete && (
              <Button size="small" variant="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
                {m.remove}
              </Button>
            )}
          </span>
        )}
      </header>
      {editing ? (
        <Composer
          label={m.editLabel}
          hint={m.editPlaceholder}
          initial={text}
          action={m.save}
          focused
          busy={edit.isPending}
          error={edit.error}
          onSend={(next) => (next === text ? setEditing(false) : edit.mutate(next))}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <Markdown text={text} names={names} />
      )}
    </article>
  );
}

/** Writes a new one. `issue` is the id. */
export function NewComment({ issue, focused = false }: { readonly issue: string; readonly focused?: boolean }) {
  const { change, refresh } = useComments(issue);
  const [round, setRound] = useState(0);
  const add = useMutation({
    mutationFn: (text: string) => addComment(issue, text),
    onSuccess: (made) => {
      change((before) => [made, ...before]);
      setRound(round + 1);
      void refresh();
    },
  });
  return (
    <Composer
      key={round}
      label={m.label}
      hint={m.placeholder}
      action={m.send}
      busy={add.isPending}
      error={add.error}
      focused={focused || round > 0}
      onSend={(text) => add.mutate(text)}
    />
  );
}
