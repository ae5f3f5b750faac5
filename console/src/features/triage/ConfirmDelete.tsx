import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../ui/Confirm.tsx';
import { toast } from '../../ui/toasts.ts';
import { offerUndo } from '../commands/undo.ts';
import type { IssueListPage } from '../issues/queries.ts';
import { useOrg } from '../session/organization.ts';
import { targetName } from './actions.ts';
import { changeIssues, deleteIssues, undoChange, type BulkChange } from './queries.ts';

/** Asks before issues are deleted, says what that means, and still offers a way back for the half minute that there is one. */
export function ConfirmDelete({
  targets,
  everything,
  discard,
  onDone,
  onClose,
}: {
  readonly targets: readonly { readonly id: string; readonly shortId: string }[];
  /** Instead of them, all that a search finds: what it is called, and how it is begun. */
  readonly everything?:
    | { readonly name: string; readonly run: (change: BulkChange, what: string) => Promise<void> }
    | undefined;
  /** Drop further events of them, too. */
  readonly discard: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const name = everything?.name ?? targetName(targets);
  const word = discard ? 'discarded' : 'deleted';
  const list = ['issues', org, 'list'];
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: list });
  const remove = useMutation({
    mutationFn: async () => {
      if (everything) {
        await everything.run(discard ? { discard: true } : { delete: true }, word);
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
      const done = `${name} ${word}`;
      if (!undo) toast(done);
      else
        offerUndo(
          done,
          () =>
            void undoChange(org, undo.id)
              .then(
                () => toast('Undone'),
                (error: Error) => toast(`This could not be undone: ${error.message}`, { kind: 'failed' }),
              )
              .then(again),
        );
      onDone();
    },
    onError: (error) => toast(`${name} could not be deleted: ${error.message}`, { kind: 'failed' }),
    onSettled: again,
  });
  return (
    <Confirm
      title={discard ? `Delete ${name} and discard what comes?` : `Delete ${name}?`}
      action={discard ? 'Delete and discard' : 'Delete'}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        All stored events go with it, in half a minute; until then it can be undone.{' '}
        {discard
          ? 'Further events of the same failure are dropped when they arrive, and counted as filtered. The project’s settings list what is discarded and take it back.'
          : 'The next event of the same failure makes a new issue.'}
      </p>
    </Confirm>
  );
}
