import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useReducer, useRef } from 'react';
import * as t from '../../messages/triage.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { listQuery, listQuestion } from '../../features/issues/list-question.ts';
import { withTerm } from '../../features/issues/query-terms.ts';
import { issuesQuery, type Issue } from '../../features/issues/queries.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { isListed } from '../../features/projects/listed.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import type { Action } from '../../features/triage/actions.ts';
import { rememberBulk, unnamed } from '../../features/triage/bulk-store.ts';
import { onlyStatus } from '../../features/triage/leaving.ts';
import { startBulk, type BulkChange } from '../../features/triage/queries.ts';
import { layTrail } from '../../features/triage/trail.ts';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { isActing, useTriage } from '../../features/triage/use-triage.ts';
import { useTriageCommands } from '../../features/triage/use-triage-commands.ts';
import { toast } from '../../ui/toasts.ts';
import { asksAgain, listAt, listReducer, rowAfter, rowsOf } from './list-state.ts';
import { usePeek } from './use-peek.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRows } from './use-rows.ts';

/** The issue list behind its view: its answer, its state, and what keys, rows and menus do. */
export function useIssueList() {
  const org = useOrg();
  const mayChange = useMay('event:write');
  const mayDelete = useMay('event:admin');
  const search = useSearch({ from: '/shell/issues' });
  const navigate = useNavigate({ from: '/issues' });
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...issuesQuery(listQuestion(org, search)), refetchOnMount: false });
  const { data: projects } = useQuery(projectsQuery(org));
  const { act: triage } = useTriage();

  const address = JSON.stringify(search);
  const [state, dispatch] = useReducer(listReducer, address, listAt);
  if (state.address !== address) dispatch({ type: 'moved', address });

  const wanted = onlyStatus(listQuery(search));
  const listed = list.data?.issues ?? [];
  const { issues, leaving, chosen } = rowsOf(listed, state, wanted);
  const ids = issues.map(({ id }) => id);
  const rowList = useRef<HTMLUListElement>(null);
  const rows = useRows(rowList, address, issues);
  const peek = usePeek();
  useEffect(() => layTrail(issues.map(({ shortId }) => shortId)));

  const refresh = (): void => {
    dispatch({ type: 'asked' });
    void queries.invalidateQueries({ queryKey: ['issues', org, 'list'] });
  };
  const refreshSoon = useThrottled(refresh, 1000);
  useLive((message) => {
    if (message.type === 'bulk') return;
    if (message.type !== 'reconnected' && !isListed(message.projectSlug, search.project, projects)) return;
    if (message.type === 'events') dispatch({ type: 'arrived', message });
    if (asksAgain(message, { issues, chosen }, isActing(queries))) refreshSoon();
  });

  /** Those that are selected, else the one with the focus. */
  const targets = (): readonly Issue[] => {
    const focused = issues[rows.focused()];
    return chosen.length > 0 ? chosen : focused ? [focused] : [];
  };
  const act = (action: Action, done = targets()): void => {
    if (state.whole) return void actOnAll(action.change, action.done);
    if (done.length === 0) return;
    const changed = done.map(({ id }) => id);
    const at = rows.focused();
    // Its row leaves; the one that takes the focus lets the keys go on working.
    if (at >= 0 && wanted && action.patch.status && action.patch.status !== wanted)
      rows.focus(rowAfter(issues, at, new Set(changed)));
    dispatch({ type: 'acted', ids: changed, isStatus: action.patch.status !== undefined });
    triage(done, action);
  };
  /** All that the search finds, in the background. */
  const actOnAll = async (change: BulkChange, done: (name: string) => string): Promise<void> => {
    try {
      const { query, filters } = listQuestion(org, search);
      const { id } = await startBulk(org, query, filters, change);
      rememberBulk({ id, what: unnamed(done) });
      dispatch({ type: 'cleared' });
    } catch (error) {
      toast(t.startFailed({ reason: error instanceof Error ? error.message : String(error) }), { kind: 'failed' });
    }
  };
  const openMenu = (kind: MenuKind, anchor = anchorOf(kind, chosen.length > 0)): void => {
    if (anchor)
      dispatch({ type: 'opened', open: { what: 'menu', kind, anchor, targets: state.whole ? [] : targets() } });
  };
  const openRowMenu = (issue: Issue, kind: MenuKind, anchor: Element): void => {
    // The focus comes back to it.
    rows.focus(issues.indexOf(issue));
    dispatch({ type: 'opened', open: { what: 'menu', kind, anchor, targets: [issue] } });
  };
  const askToDelete = (discard: boolean): void => {
    const found = targets();
    if (found.length > 0) dispatch({ type: 'opened', open: { what: 'delete', discard, targets: found } });
  };
  const select = {
    toggle: (at: number) => dispatch({ type: 'toggled', ids, at }),
    extend: (at: number) => dispatch({ type: 'extended', ids, at }),
    page: (on: boolean) => dispatch({ type: 'page-selected', ids, on }),
    all: () => dispatch({ type: 'all-selected', ids }),
    clear: () => dispatch({ type: 'cleared' }),
  };
  const walk = (step: 1 | -1, extend: boolean): void => {
    const from = Math.max(0, rows.focused());
    if (extend && chosen.length === 0) select.toggle(from);
    const to = rows.move(step);
    if (extend) select.extend(to);
  };
  const focused = (): number => Math.max(0, rows.focused());

  useTriageCommands(targets, act, openMenu);
  useCommand('issue.delete', () => askToDelete(false), mayDelete);
  useCommand('issue.discard', () => askToDelete(true), mayDelete);
  useCommand('list.next', () => walk(1, false));
  useCommand('list.previous', () => walk(-1, false));
  useCommand('list.select-down', () => walk(1, true), mayChange);
  useCommand('list.select-up', () => walk(-1, true), mayChange);
  useCommand('list.open', () => rows.open());
  useCommand('list.select', () => select.toggle(focused()), mayChange);
  useCommand('list.select-range', () => select.extend(focused()), mayChange);
  useCommand('list.select-page', () => select.page(true), mayChange);
  useCommand('list.select-all', select.all, mayChange && issues.length > 0);
  useCommand('list.refresh', refresh);
  useCommand('list.peek', () => {
    if (rows.focused() < 0) rows.focus(0);
    peek.toggle(issues[focused()]?.id);
  });
  const isSelecting = chosen.length > 0;
  useCommand('list.clear', isSelecting ? select.clear : peek.close, isSelecting || peek.open);

  const ask = (q: string): void =>
    void navigate({ search: (before) => ({ ...before, q: q || undefined, cursor: undefined }) });
  const rowActions = useRowActions({
    toggle: (issue, range) => (range ? select.extend : select.toggle)(issues.indexOf(issue)),
    focused: (issue) => {
      rows.note(issues.indexOf(issue));
      peek.follow(issue.id);
    },
    filter: (term) => ask(withTerm(search.q ?? '', term)),
    openMenu: openRowMenu,
  });

  return {
    mayChange,
    mayDelete,
    org,
    search,
    list,
    projects,
    state,
    listed,
    issues,
    leaving,
    chosen,
    rowList,
    rows,
    peek,
    peeked: peek.open ? (issues.find(({ id }) => id === peek.id) ?? issues[0]) : undefined,
    rowActions,
    select,
    ask,
    refresh,
    cancel: () => void queries.cancelQueries({ queryKey: ['issues', org, 'list'] }),
    act,
    actOnAll,
    openMenu,
    openRowMenu,
    askToDelete,
    close: () => dispatch({ type: 'opened', open: undefined }),
    onMerge: (into: Issue): void => {
      // The others leave the list; the one that they are merged into takes the focus.
      rows.focus(issues.indexOf(into));
      select.clear();
    },
    setMerged: (into: typeof state.merged) => dispatch({ type: 'merged', into }),
  };
}

export type IssueList = ReturnType<typeof useIssueList>;

/** Where a menu opens by key: at its button in the selection bar or in the row, else at the name of the row. */
function anchorOf(kind: MenuKind, isSelecting: boolean): Element | null {
  const place = isSelecting ? '[role="toolbar"]' : 'li:focus-within';
  const button = document.querySelector(`${place} [data-menu="${kind}"]`);
  return button?.checkVisibility() ? button : (document.querySelector('li:focus-within a[data-row]') ?? button);
}
