import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../ui/toasts.ts';
import type { IssueListPage } from '../issues/queries.ts';
import { plural } from '../../ui/numbers.ts';
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
  const failed = (what: string) => (error: unknown) =>
    toast(`${what}: ${error instanceof Error ? error.message : String(error)}`, { kind: 'failed' });
  const withUndo = (done: string, undo: () => Promise<unknown>): void => {
    const run = (): void =>
      void undo()
        .then(() => toast('Undone'), failed('This could not be undone'))
        .then(refresh);
    toast(done, { action: { label: 'Undo', run } });
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
    onError: failed('The issues could not be merged'),
    onSettled: refresh,
  });

  const takeBack = useMutation({
    mutationFn: ({ child, from }: { readonly child: NamedIssue; readonly from: NamedIssue }) =>
      takeBackMerges(org, from.id, [child.id]),
    onSuccess: (_taken, { child, from }) =>
      withUndo(`${child.shortId} stands for itself again`, () => mergeIssues(org, [from.id, child.id], from.id)),
    onError: failed('The merge could not be taken back'),
    onSettled: refresh,
  });

  const moveOut = useMutation({
    mutationFn: ({ hashes, from }: { readonly hashes: readonly string[]; readonly from: NamedIssue }) =>
      moveOutHashes(org, from.id, hashes),
    onSuccess: (made, { hashes, from }) =>
      withUndo(`${plural(hashes.length, 'hash', 'hashes')} moved out into ${made.shortId}`, () =>
        mergeIssues(org, [from.id, made.id], from.id),
      ),
    onError: failed('The hashes could not be moved out'),
    onSettled: refresh,
  });

  const dismiss = useMutation({
    mutationFn: ({ issue, other }: { readonly issue: NamedIssue; readonly other: NamedIssue }) =>
      setNotTheSame(org, issue.id, other.id, true),
    onSuccess: (_done, { issue, other }) =>
      withUndo(`${other.shortId} is not suggested any more`, () => setNotTheSame(org, issue.id, other.id, false)),
    onError: failed('This could not be noted'),
    onSettled: refresh,
  });

  return { merge, takeBack, moveOut, dismiss };
}
