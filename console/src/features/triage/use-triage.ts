import { useMutation, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query';
import * as m from '../../messages/triage.ts';
import { toast } from '../../ui/toasts.ts';
import { addUndo } from '../commands/undo.ts';
import type { Issue, IssueDetail, IssueListPage } from '../issues/queries.ts';
import { useOrg } from '../session/organization.ts';
import { targetName, type Action, type TriageState } from './actions.ts';
import { changeIssues, undoChange } from './queries.ts';

/** What an action needs to know of an issue. */
export type Target = Pick<Issue, 'id' | 'shortId'> & TriageState;

interface Deed {
  readonly targets: readonly Target[];
  readonly action: Action;
}

export interface Triage {
  /** `onUndone` is called when it is undone. */
  readonly act: (targets: readonly Target[], action: Action, onUndone?: () => void) => void;
}

/** One after the other, so that the server does things in the order in which they were done. */
const mutationKey = ['triage'];

/** Whether the server has not yet answered a change: lists that were requested before it are old. */
export const isActing = (queries: QueryClient): boolean => queries.isMutating({ mutationKey }) > 0;

/**
 * Shows a change immediately, then sends it, and offers to undo it instead of asking first. What the server refuses is
 * undone on the screen, with the reason.
 */
export function useTriage(): Triage {
  const org = useOrg();
  const queries = useQueryClient();

  const settle = (): void => {
    // This one still counts; while others are running, the last of them does it.
    if (queries.isMutating({ mutationKey }) <= 1) void queries.invalidateQueries({ predicate: isShownState(org) });
  };
  const change = useMutation({
    mutationKey,
    scope: { id: 'triage' },
    mutationFn: ({ targets, action }: Deed) =>
      changeIssues(
        org,
        targets.map(({ id }) => id),
        action.change,
      ),
    onError: (error, { targets, action }) => {
      restore(queries, org, targets, action);
      toast(m.changeFailed({ name: targetName(targets), reason: error.message }), { kind: 'failed' });
    },
    onSettled: settle,
  });
  const back = useMutation({
    mutationKey,
    scope: { id: 'triage' },
    mutationFn: (id: string) => undoChange(org, id),
    onSettled: settle,
  });

  const act: Triage['act'] = (targets, action, onUndone) => {
    if (targets.length === 0) return;
    const deed = { targets, action };
    show(queries, org, new Map(targets.map(({ id }) => [id, action.patch])));
    const answer = change.mutateAsync(deed);
    // Shown where it failed; here it only means that there is nothing to undo.
    answer.catch(() => undefined);
    const undo = async (): Promise<void> => {
      restore(queries, org, targets, action);
      onUndone?.();
      const done = await answer.catch(() => undefined);
      if (!done?.undo) return;
      try {
        await back.mutateAsync(done.undo.id);
      } catch (error) {
        show(queries, org, new Map(targets.map(({ id }) => [id, action.patch])));
        toast(m.undoFailed({ reason: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });
      }
    };
    const done = action.done(targetName(targets));
    const run = addUndo(() => {
      toast(m.undone({ done }), { group: 'triage' });
      void undo();
    });
    toast(done, { group: 'triage', action: { label: m.undo, run } });
  };
  return { act };
}

/** Gives the issues back what the action changed of them. */
function restore(queries: QueryClient, org: string, targets: readonly Target[], { patch }: Action): void {
  const keys = Object.keys(patch) as (keyof TriageState)[];
  show(
    queries,
    org,
    new Map(targets.map((target) => [target.id, Object.fromEntries(keys.map((key) => [key, target[key]]))])),
  );
}

/** Lays patches over whatever shows these issues. What is on its way for the same would bring back what was before. */
function show(queries: QueryClient, org: string, patches: ReadonlyMap<string, Partial<TriageState>>): void {
  const shown = isShownState(org);
  void queries.cancelQueries({ predicate: (query) => query.state.data !== undefined && shown(query) });
  const patched = <T extends Target>(issue: T): T => {
    const patch = patches.get(issue.id);
    return patch ? { ...issue, ...patch } : issue;
  };
  queries.setQueriesData<IssueListPage>({ queryKey: ['issues', org, 'list'] }, (page) =>
    page?.issues.some(({ id }) => patches.has(id)) ? { ...page, issues: page.issues.map(patched) } : page,
  );
  queries.setQueriesData<IssueDetail>(
    { predicate: ({ queryKey }) => isDetail(org, queryKey) },
    (detail) => detail && patched(detail),
  );
}

const isDetail = (org: string, [kind, of, one, , part]: QueryKey): boolean =>
  kind === 'issues' && of === org && one === 'one' && part === 'detail';

/** What shows states of issues: lists and heads of pages, not their events. */
const isShownState =
  (org: string) =>
  ({ queryKey }: { readonly queryKey: QueryKey }): boolean =>
    (queryKey[0] === 'issues' && queryKey[1] === org && queryKey[2] === 'list') || isDetail(org, queryKey);
