import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { rangeLabel } from '../../features/filters/filters.ts';
import { categoryOfQuery, issueCategories, withCategory } from '../../features/issues/category.ts';
import { listQuery, listQuestion, queryBefore } from '../../features/issues/list-question.ts';
import { withTerm } from '../../features/issues/query-terms.ts';
import { issuesQuery, type Issue, type IssueListPage, type IssueSort } from '../../features/issues/queries.ts';
import { askable, namesFailure } from '../../features/find/pasted.ts';
import { freshSearch } from '../../features/find/places.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import type { Action } from '../../features/triage/actions.ts';
import { rememberBulk } from '../../features/triage/bulk-store.ts';
import { onlyStatus } from '../../features/triage/leaving.ts';
import { startBulk, type BulkChange } from '../../features/triage/queries.ts';
import { layTrail } from '../../features/triage/trail.ts';
import type { MenuKind } from '../../features/triage/TriageMenu.tsx';
import { isActing, useTriage } from '../../features/triage/use-triage.ts';
import { useTriageCommands } from '../../features/triage/use-triage-commands.ts';
import { isListed } from '../../features/projects/listed.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { EmptyList } from './EmptyList.tsx';
import { IssueRow } from './IssueRow.tsx';
import { useRowActions } from './use-row-actions.ts';
import styles from './IssuesPage.module.css';
import { newsSentence, noNews, withMessage, type News } from './news.ts';
import { SavedSearches } from './SavedSearches.tsx';
import { usePeek } from './use-peek.ts';
import { useRows } from './use-rows.ts';
import { useSelection } from './use-selection.ts';
import { sorts } from './views.ts';
import { ViewTabs } from './ViewTabs.tsx';

const RuleOffer = lazy(() =>
  import('../../features/grouping/RuleOffer.tsx').then((module) => ({ default: module.RuleOffer })),
);

// Open within one frame of the key: on their way once the list is there.
const loadMenu = () => import('../../features/triage/TriageMenu.tsx');
const loadPeek = () => import('./PeekPanel.tsx');
const loadBar = () => import('./SelectionBar.tsx');
const SelectionBar = lazy(() => loadBar().then((module) => ({ default: module.SelectionBar })));
const TriageMenu = lazy(() => loadMenu().then((module) => ({ default: module.TriageMenu })));
const PeekPanel = lazy(() => loadPeek().then((module) => ({ default: module.PeekPanel })));
const BulkProgress = lazy(() =>
  import('../../features/triage/BulkProgress.tsx').then((module) => ({ default: module.BulkProgress })),
);
const ConfirmDelete = lazy(() =>
  import('../../features/triage/ConfirmDelete.tsx').then((module) => ({ default: module.ConfirmDelete })),
);

/** What is broken, worst or newest first. */
export function IssuesPage() {
  const org = useOrg();
  const search = useSearch({ from: '/shell/issues' });
  const navigate = useNavigate({ from: '/issues' });
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...issuesQuery(listQuestion(org, search)), refetchOnMount: false });
  const { data: projects } = useQuery(projectsQuery(org));
  const [news, setNews] = useState<News>(noNews);
  /** What others were merged into last. */
  const [merged, setMerged] = useState<{ readonly shortId: string; readonly project: string } | undefined>();
  const [menu, setMenu] = useState<
    { readonly kind: MenuKind; readonly anchor: Element; readonly targets: readonly Issue[] } | undefined
  >();
  const [deleting, setDeleting] = useState<
    { readonly discard: boolean; readonly targets: readonly Issue[] } | undefined
  >();
  /** What was done with them here; those that the list does not ask for now are on their way out of it. */
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const { act: triage } = useTriage();

  const address = JSON.stringify(search);
  const wanted = onlyStatus(listQuery(search));
  const listed = list.data?.issues ?? [];
  const isLeaving = (issue: Issue): boolean => wanted !== undefined && issue.status !== wanted && touched.has(issue.id);
  const issues = listed.filter((issue) => !isLeaving(issue));
  const selection = useSelection(issues);
  const rowList = useRef<HTMLUListElement>(null);
  const rows = useRows(rowList, address, issues);
  const peek = usePeek();

  // Another list, another selection; what was new for the old one is not for this.
  const [shownAddress, setShownAddress] = useState(address);
  if (shownAddress !== address) {
    setShownAddress(address);
    selection.clear();
    setNews(noNews);
    setMerged(undefined);
    setTouched(new Set());
  }
  const isThere = list.isFetched;
  useEffect(() => {
    if (isThere) void Promise.all([loadBar(), loadMenu(), loadPeek()]).catch(() => undefined);
  }, [isThere]);
  useEffect(() => layTrail(issues.map(({ shortId }) => shortId)));

  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    if (message.type === 'bulk') return;
    const shown = message.type === 'reconnected' || isListed(message.projectSlug, search.project, projects);
    if (!shown) return;
    if (message.type === 'events') setNews((before) => withMessage(before, message));
    // Resolved, merged, taken back by somebody: rows that are no more are not acted on. While some are selected, none moves.
    const changed =
      message.type === 'issues' &&
      selection.chosen.length === 0 &&
      // What was done here is asked for when the last of it is done.
      !isActing(queries) &&
      issues.some(({ id }) => message.issueIds.includes(id));
    // Nothing is on the screen that could jump: an empty list fills itself.
    if (message.type === 'reconnected' || issues.length === 0 || changed) fill();
  });

  function refresh(): void {
    setNews(noNews);
    void queries.invalidateQueries({ queryKey: ['issues', org, 'list'] });
  }

  const { chosen, whole } = selection;
  /** Those that are selected, else the one with the focus. */
  const targets = (): readonly Issue[] => {
    const focused = issues[rows.focused()];
    return chosen.length > 0 ? chosen : focused ? [focused] : [];
  };
  const act = (action: Action, done = targets()): void => {
    if (whole) return void actOnAll(action.change, action.done);
    if (done.length === 0) return;
    const ids = new Set(done.map(({ id }) => id));
    const at = rows.focused();
    if (at >= 0 && wanted && action.patch.status && action.patch.status !== wanted) {
      // Its row leaves; the next one that stays takes the focus, so that the keys go on working.
      const next = issues.findIndex(({ id }, index) => index > at && !ids.has(id));
      const before = issues.findLastIndex(({ id }, index) => index < at && !ids.has(id));
      rows.focus(next >= 0 ? next : Math.max(0, before));
    }
    setTouched((earlier) => new Set([...earlier, ...ids]));
    if (action.patch.status) selection.clear();
    triage(done, action);
  };
  /** Everything that the search finds, in the background. */
  const actOnAll = async (change: BulkChange, what: string): Promise<void> => {
    try {
      const { query, filters } = listQuestion(org, search);
      const { id } = await startBulk(org, query, filters, change);
      rememberBulk({ id, what });
      selection.clear();
    } catch (error) {
      toast(`Could not start: ${error instanceof Error ? error.message : String(error)}`, { kind: 'failed' });
    }
  };
  const openMenu = (kind: MenuKind, anchor = anchorOf(kind, chosen.length > 0)): void => {
    if (anchor) setMenu({ kind, anchor, targets: whole ? [] : targets() });
  };
  const openRowMenu = (issue: Issue, kind: MenuKind, anchor: Element): void => {
    // The focus comes back to it.
    rows.focus(issues.indexOf(issue));
    setMenu({ kind, anchor, targets: [issue] });
  };
  useTriageCommands(targets, act, openMenu);
  const remove = (discard: boolean): void => {
    const found = targets();
    if (found.length > 0) setDeleting({ discard, targets: found });
  };
  useCommand('issue.delete', () => remove(false));
  useCommand('issue.discard', () => remove(true));

  const walk = (step: 1 | -1, extend: boolean): void => {
    const from = Math.max(0, rows.focused());
    if (extend && chosen.length === 0) selection.toggle(from);
    const to = rows.move(step);
    if (extend) selection.extendTo(to);
  };
  useCommand('list.next', () => walk(1, false));
  useCommand('list.previous', () => walk(-1, false));
  useCommand('list.select-down', () => walk(1, true));
  useCommand('list.select-up', () => walk(-1, true));
  useCommand('list.open', () => rows.open());
  useCommand('list.select', () => selection.toggle(Math.max(0, rows.focused())));
  useCommand('list.select-range', () => selection.extendTo(Math.max(0, rows.focused())));
  useCommand('list.select-page', () => selection.all(true));
  useCommand('list.select-all', selection.everything, issues.length > 0);
  useCommand('list.refresh', refresh);
  useCommand('list.peek', () => {
    if (rows.focused() < 0) rows.focus(0);
    peek.toggle(issues[Math.max(0, rows.focused())]?.id);
  });
  useCommand(
    'list.clear',
    () => {
      if (chosen.length > 0) selection.clear();
      else peek.close();
    },
    chosen.length > 0 || peek.open,
  );
  const peeked = peek.open ? (issues.find(({ id }) => id === peek.id) ?? issues[0]) : undefined;

  const ask = (q: string): void =>
    void navigate({ search: (before) => ({ ...before, q: q || undefined, cursor: undefined }) });

  const rowActions = useRowActions({
    toggle: (issue, range) => {
      const index = issues.indexOf(issue);
      if (range) selection.extendTo(index);
      else selection.toggle(index);
    },
    focused: (issue) => {
      rows.note(issues.indexOf(issue));
      peek.follow(issue.id);
    },
    filter: (term) => ask(withTerm(search.q ?? '', term)),
    openMenu: openRowMenu,
  });

  const refused = list.error instanceof ApiError && list.error.code === 'QUERY_INVALID';
  const word = newsSentence(news);
  const project = projects?.find((each) => each.slug === search.project);
  useTitle(news.fresh.size > 0 && `${news.fresh.size} new`, 'Issues', project?.name);

  return (
    <>
      <PageBar title="Issues">
        <FilterBar />
      </PageBar>
      <div className={styles.tools}>
        <SearchBox
          value={search.q ?? ''}
          dataSet="issues"
          label="Search issues"
          placeholder="Search: words, level:error, release:4f2c1, user.email:ada@…"
          error={list.error}
          sentBefore={queryBefore(search)}
          onSearch={ask}
          onPastedWhole={(text) => {
            // The text of an error page is no search, and goes to Find.
            if (!namesFailure(text)) return false;
            void navigate({ to: '/find', search: freshSearch(askable(text)) });
            return true;
          }}
        />
        <InlineSelect
          label="Kind of issue"
          className={styles.sort}
          value={categoryOfQuery(search.q ?? '')}
          onChange={(event) => {
            ask(withCategory(search.q ?? '', event.target.value));
          }}
        >
          {issueCategories.map((category) => (
            <option key={category.value} value={category.value}>
              {category.label}
            </option>
          ))}
        </InlineSelect>
        <InlineSelect
          label="Sort by"
          className={styles.sort}
          value={search.sort ?? 'date'}
          onChange={(event) =>
            void navigate({
              search: (before) => ({
                ...before,
                sort: event.target.value === 'date' ? undefined : (event.target.value as IssueSort),
                cursor: undefined,
              }),
            })
          }
        >
          {sorts.map((sort) => (
            <option key={sort.value} value={sort.value}>
              {sort.label}
            </option>
          ))}
        </InlineSelect>
        <SavedSearches search={search} />
      </div>
      <div className={styles.head}>
        {chosen.length > 0 ? (
          <Suspense fallback={<output className={styles.hits}>{plural(chosen.length, 'issue')} selected</output>}>
            <SelectionBar
              selection={selection}
              shown={issues.length}
              matching={list.data?.next || list.data?.previous ? list.data.hits : 'all here'}
              tab={search.status ?? 'unresolved'}
              onAct={act}
              onMenu={openMenu}
              onDelete={remove}
              onMerge={(into) => {
                // The others leave the list; what they are part of now takes the focus.
                rows.focus(issues.findIndex(({ id }) => id === into.id));
                selection.clear();
              }}
              onMerged={({ shortId }) => setMerged({ shortId, project: chosen[0]?.project.slug ?? '' })}
            />
          </Suspense>
        ) : (
          <ViewTabs search={search}>
            <output className={styles.hits}>{list.data && howMany(list.data)}</output>
          </ViewTabs>
        )}
        {chosen.length === 0 && !peeked && (
          <div className={styles.columns} aria-hidden="true">
            <span className={styles.trend} data-tip="Events over the time that is chosen">
              {search.start ? 'Chosen time' : rangeLabel(search)}
            </span>
            <span className={styles.number}>Events</span>
            <span className={styles.number}>Users</span>
            <span className={styles.when}>Last seen</span>
            <span className={styles.age}>First seen</span>
            <span className={styles.priority}>Prio</span>
            <span className={styles.owner}>Assigned</span>
          </div>
        )}
      </div>
      <BusyBar
        busy={list.isFetching && list.data !== undefined}
        cancel={() => void queries.cancelQueries({ queryKey: ['issues', org, 'list'] })}
      />
      <Suspense>
        <BulkProgress />
      </Suspense>
      {merged && (
        <Suspense>
          <RuleOffer issue={merged.shortId} project={merged.project} onClose={() => setMerged(undefined)} />
        </Suspense>
      )}
      {word && (
        <button type="button" className={styles.news} onClick={refresh} data-tip="Show  .">
          {word}
        </button>
      )}
      {list.isPending ? (
        <Skeleton rows={12} height={50} label="Loading issues" />
      ) : refused ? (
        <EmptyState title="This search could not be understood" icon={<NotFoundIcon size={24} />}>
          <p>What is wrong stands under the search box. Nothing was left out silently.</p>
        </EmptyState>
      ) : list.isError && list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The list could not be loaded" />
      ) : issues.length === 0 ? (
        <EmptyList search={search} />
      ) : (
        <div className={styles.split} data-peek={peeked ? '' : undefined}>
          <ul ref={rowList} className={styles.list} aria-busy={list.isFetching} aria-label="Issues">
            {listed.map((issue, index) => (
              <IssueRow
                key={issue.id}
                issue={issue}
                position={index + 1}
                size={listed.length}
                selected={whole || selection.has(issue.id)}
                leaving={isLeaving(issue)}
                peeked={issue === peeked}
                actions={rowActions}
                showProject={search.project === undefined && (projects?.length ?? 0) > 1}
              />
            ))}
          </ul>
          {peeked && (
            <div className={styles.peekSpace}>
              <Suspense>
                <PeekPanel
                  issue={peeked}
                  onAct={(action) => {
                    rows.focus(issues.indexOf(peeked));
                    act(action, [peeked]);
                  }}
                  onMenu={(kind, anchor) => openRowMenu(peeked, kind, anchor)}
                  onClose={peek.close}
                />
              </Suspense>
            </div>
          )}
        </div>
      )}
      <Suspense>
        {menu && (
          <TriageMenu {...menu} onAct={(action) => act(action, menu.targets)} onClose={() => setMenu(undefined)} />
        )}
        {deleting && (
          <ConfirmDelete
            {...deleting}
            everything={whole ? { name: nameOfAll(list.data), run: actOnAll } : undefined}
            onDone={selection.clear}
            onClose={() => setDeleting(undefined)}
          />
        )}
      </Suspense>
      <PageLinks list="/issues" cursors={list.data} cursor={search.cursor} />
    </>
  );
}

/** Where a menu opens by key: at its button in the bar of the selection or in the row, else at the name of the row. */
function anchorOf(kind: MenuKind, selected: boolean): Element | null {
  const place = selected ? '[role="toolbar"]' : 'li:focus-within';
  const button = document.querySelector(`${place} [data-menu="${kind}"]`);
  return button?.checkVisibility() ? button : (document.querySelector('li:focus-within a[data-row]') ?? button);
}

/** What is deleted when everything is. */
const nameOfAll = (page: IssueListPage | undefined): string =>
  page?.hits === undefined ? 'all issues that match' : `all ${plural(page.hits, 'issue')} that match`;

/** The number that match; where the server does not count them all, what this page knows. */
function howMany({ hits, issues, next, previous }: IssueListPage): string {
  if (hits !== undefined) return plural(hits, 'issue');
  if (previous || issues.length === 0) return '';
  return next ? `${exactNumber(issues.length)}+ issues` : plural(issues.length, 'issue');
}
