import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as m from '../../messages/bulk.ts';
import { undoFailed } from '../../messages/triage.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { toast } from '../../ui/toasts.ts';
import { offerUndo } from '../commands/undo.ts';
import type { IssueListPage } from '../issues/queries.ts';
import { useOrg } from '../session/organization.ts';
import { targetName } from './actions.ts';
import { changeIssues, deleteIssues, undoChange, type BulkChange } from './queries.ts';

/** Asks before issues are deleted, tells what is lost, and offers to undo it for the 30 seconds in which that is possible. */
export function ConfirmDelete({
  targets,
  everything,
  discard,
  onDone,
  onClose,
}: {
  readonly targets: readonly { readonly id: string; readonly shortId: string }[];
  /** Instead of them, all that a search finds: how it is called and started. */
  readonly everything?:
    | { readonly name: string; readonly run: (change: BulkChange, done: (name: string) => string) => Promise<void> }
    | undefined;
  /** Drop further events of them, too. */
  readonly discard: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const name = everything?.name ?? targetName(targets);
  const doneOf = (of: string): string => (discard ? m.done.discarded : m.done.deleted)({ name: of });
  const list = ['issues', org, 'list'];
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: list });
  const remove = useMutation({
    mutationFn: async () => {
      if (everything) {
        await everything.run(discard ? { discard: true } : { delete: true }, doneOf);
        return null;
      }
      const ids = targets.map(({ id }) => id);
      const { undo } = await (discard ? changeIssues(org, ids, { discard: true }) : deleteIssues(org, ids));
      return undo;
    },
    onSuccess: (undo) => {
      onClose();
      if (everything) return;
      const gone = new Set(targets.map(({ id }) => id));
      queries.setQueriesData<IssueListPage>(
        { queryKey: list },
        (page) => page && { ...page, issues: page.issues.filter(({ id }) => !gone.has(id)) },
      );
      const done = doneOf(name);
      if (!undo) toast(done);
      else
        offerUndo(
          done,
          () =>
            void undoChange(org, undo.id)
              .then(
                () => toast(m.undoneShort),
                (error: Error) => toast(undoFailed({ reason: error.message }), { kind: 'failed' }),
              )
              .then(again),
        );
      onDone();
    },
    onError: (error) => toast(m.deleteFailed({ name, reason: error.message }), { kind: 'failed' }),
    onSettled: again,
  });
  return (
    <Confirm
      title={discard ? m.discardTitle({ name }) : m.deleteTitle({ name })}
      action={discard ? m.deleteAndDiscard : m.deleteAction}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{discard ? m.discardHint : m.deleteHint}</p>
    </Confirm>
  );
}
