import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as m from '../../messages/merging.ts';
import { toast } from '../../ui/toasts.ts';
import type { IssueListPage } from '../issues/queries.ts';
import { useOrg } from '../session/organization.ts';
import { mergedWords } from './merging.ts';
import { mergeIssues, moveOutHashes, setNotTheSame, takeBackMerges } from './queries.ts';

export interface NamedIssue {
  readonly id: string;
  readonly shortId: string;
}

/** What can be done about grouping by hand. Each is done at once and offers a way back instead of asking first. */
export function useGroupingActions(onMerged: (into: NamedIssue) => void = () => undefined) {
  const org = useOrg();
  const queries = useQueryClient();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['issues', org] });
  const failed = (words: (p: { readonly reason: string }) => string) => (error: unknown) =>
    toast(words({ reason: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });
  const withUndo = (done: string, undo: () => Promise<unknown>): void => {
    const run = (): void =>
      void undo()
        .then(() => toast(m.undone), failed(m.notUndone))
        .then(refresh);
    toast(done, { action: { label: m.undo, run } });
  };

  const merge = useMutation({
    mutationFn: ({ children, into }: { readonly children: readonly NamedIssue[]; readonly into: NamedIssue }) =>
      mergeIssues(org, [into.id, ...children.map(({ id }) => id)], into.id),
    onMutate: async ({ children }) => {
      // A list that is on its way would bring back what leaves it here.
      await queries.cancelQueries({ queryKey: ['issues', org, 'list'] });
      const gone = new Set(children.map(({ id }) => id));
      queries.setQueriesData<IssueListPage>(
        { queryKey: ['issues', org, 'list'] },
        (page) => page && { ...page, issues: page.issues.filter(({ id }) => !gone.has(id)) },
      );
    },
    onSuccess: (merged, { children, into }) => {
      if (merged.length > 0) withUndo(mergedWords(children, into.shortId), () => takeBackMerges(org, into.id, merged));
      onMerged(into);
    },
    onError: failed(m.notMerged),
    onSettled: refresh,
  });

  const takeBack = useMutation({
    mutationFn: ({ child, from }: { readonly child: NamedIssue; readonly from: NamedIssue }) =>
      takeBackMerges(org, from.id, [child.id]),
    onSuccess: (_taken, { child, from }) =>
      withUndo(m.unmerged({ issue: child.shortId }), () => mergeIssues(org, [from.id, child.id], from.id)),
    onError: failed(m.notUnmerged),
    onSettled: refresh,
  });

  const moveOut = useMutation({
    mutationFn: ({ hashes, from }: { readonly hashes: readonly string[]; readonly from: NamedIssue }) =>
      moveOutHashes(org, from.id, hashes),
    onSuccess: (made, { hashes, from }) =>
      withUndo(m.movedOut({ count: hashes.length, issue: made.shortId }), () =>
        mergeIssues(org, [from.id, made.id], from.id),
      ),
    onError: failed(m.notMovedOut),
    onSettled: refresh,
  });

  const dismiss = useMutation({
    mutationFn: ({ issue, other }: { readonly issue: NamedIssue; readonly other: NamedIssue }) =>
      setNotTheSame(org, issue.id, other.id, true),
    onSuccess: (_done, { issue, other }) =>
      withUndo(m.dismissed({ issue: other.shortId }), () => setNotTheSame(org, issue.id, other.id, false)),
    onError: failed(m.notDismissed),
    onSettled: refresh,
  });

  return { merge, takeBack, moveOut, dismiss };
}
