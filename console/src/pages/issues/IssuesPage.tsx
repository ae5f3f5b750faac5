import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { categoryOfQuery, issueCategories, withCategory } from '../../features/issues/category.ts';
import { listQuestion, queryBefore } from '../../features/issues/list-question.ts';
import { withTerm } from '../../features/issues/query-terms.ts';
import { issuesQuery, type IssueListPage, type IssueSort } from '../../features/issues/queries.ts';
import { askable, namesFailure } from '../../features/find/pasted.ts';
import { freshSearch } from '../../features/find/places.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import { useSetStatus } from '../../features/issues/use-set-status.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { EmptyList } from './EmptyList.tsx';
import { IssueRow } from './IssueRow.tsx';
import styles from './IssuesPage.module.css';
import { newsSentence, noNews, withMessage, type News } from './news.ts';
import { SavedSearches } from './SavedSearches.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { sorts } from './views.ts';
import { ViewTabs } from './ViewTabs.tsx';

const RuleOffer = lazy(() =>
  import('../../features/grouping/RuleOffer.tsx').then((module) => ({ default: module.RuleOffer })),
);

/** The row that had the focus last: whoever comes back to this list goes on from there. */
let place: { readonly address: string; readonly id: string } | undefined;

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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** What others were merged into last. */
  const [merged, setMerged] = useState<{ readonly shortId: string; readonly project: string } | undefined>();
  const lastSelected = useRef<number | undefined>(undefined);
  const rows = useRef<HTMLUListElement>(null);
  const { setStatus } = useSetStatus();

  const issues = list.data?.issues ?? [];
  const address = JSON.stringify(search);

  // Another list, another selection; what was new for the old one is not for this.
  const [shownAddress, setShownAddress] = useState(address);
  if (shownAddress !== address) {
    setShownAddress(address);
    setSelected(new Set());
    setNews(noNews);
    setMerged(undefined);
  }

  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    const shown =
      search.project === undefined || message.type === 'reconnected' || message.projectSlug === search.project;
    if (!shown) return;
    if (message.type === 'events') setNews((before) => withMessage(before, message));
    // Resolved, merged, taken back by somebody: rows that are no more are not acted on. While some are selected, none moves.
    const changed =
      message.type === 'issues' && selected.size === 0 && issues.some(({ id }) => message.issueIds.includes(id));
    // Nothing is on the screen that could jump: an empty list fills itself.
    if (message.type === 'reconnected' || issues.length === 0 || changed) fill();
  });

  function refresh(): void {
    setNews(noNews);
    void queries.invalidateQueries({ queryKey: ['issues', org, 'list'] });
  }

  const links = (): HTMLAnchorElement[] => [
    ...(rows.current?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? []),
  ];
  const focusedIndex = (): number => links().findIndex((link) => link.closest('li')?.contains(document.activeElement));
  const goOnFromPlace = useEffectEvent(() => {
    if (place?.address !== address || document.activeElement !== document.body) return;
    const { id } = place;
    links()[issues.findIndex((issue) => issue.id === id)]?.focus({ preventScroll: true });
  });
  useEffect(() => goOnFromPlace(), []);
  const move = (step: 1 | -1): void => {
    const all = links();
    const at = focusedIndex();
    all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  };
  const toggle = (index: number, range: boolean): void => {
    const issue = issues[index];
    if (!issue) return;
    const next = new Set(selected);
    const from = range ? (lastSelected.current ?? index) : index;
    const on = !selected.has(issue.id);
    for (const each of issues.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (on) next.add(each.id);
      else next.delete(each.id);
    }
    lastSelected.current = index;
    setSelected(next);
  };

  useCommand('list.next', () => move(1));
  useCommand('list.previous', () => move(-1));
  useCommand('list.open', () => links()[focusedIndex()]?.click());
  useCommand('list.select', () => toggle(Math.max(0, focusedIndex()), false));
  useCommand('list.refresh', refresh);

  const chosen = issues.filter((issue) => selected.has(issue.id));
  const act = (status: 'resolved' | 'ignored' | 'unresolved'): void => {
    const at = focusedIndex();
    const focused = issues[at];
    const targets = chosen.length > 0 ? chosen : focused ? [focused] : [];
    if (targets.length === 0) return;
    // The row may leave the list; the next one that stays takes the focus, so that the keys go on working.
    const gone = new Set(targets.map((issue) => issue.id));
    const next = issues.findIndex((issue, index) => index > at && !gone.has(issue.id));
    if (focused) links()[next >= 0 ? next : Math.max(0, at - 1)]?.focus();
    setStatus({ issues: targets, status });
    setSelected(new Set());
  };
  useCommand('issue.resolve', () => act('resolved'));
  useCommand('issue.archive', () => act('ignored'));

  const ask = (q: string): void =>
    void navigate({ search: (before) => ({ ...before, q: q || undefined, cursor: undefined }) });

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
          <SelectionBar
            issues={chosen}
            all={chosen.length === issues.length}
            onAll={(on) => setSelected(new Set(on ? issues.map((issue) => issue.id) : []))}
            onStatus={act}
            onMerge={(into) => {
              // The others leave the list; what they are part of now takes the focus.
              links()[issues.findIndex(({ id }) => id === into.id)]?.focus();
              setSelected(new Set());
            }}
            onMerged={({ shortId }) => setMerged({ shortId, project: chosen[0]?.project.slug ?? '' })}
            tab={search.status ?? 'unresolved'}
          />
        ) : (
          <ViewTabs search={search}>
            <output className={styles.hits}>{list.data && howMany(list.data)}</output>
          </ViewTabs>
        )}
        {chosen.length === 0 && (
          <div className={styles.columns} aria-hidden="true">
            <span className={styles.trend}>Events over time</span>
            <span className={styles.number}>Events</span>
            <span className={styles.number}>Users</span>
            <span className={styles.when}>Last seen</span>
            <span className={styles.age}>First seen</span>
          </div>
        )}
      </div>
      <BusyBar
        busy={list.isFetching && list.data !== undefined}
        cancel={() => void queries.cancelQueries({ queryKey: ['issues', org, 'list'] })}
      />
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
        <EmptyState title="This search could not be understood" icon={<SearchX size={24} />}>
          <p>What is wrong stands under the search box. Nothing was left out silently.</p>
        </EmptyState>
      ) : list.isError && list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The list could not be loaded" />
      ) : issues.length === 0 ? (
        <EmptyList search={search} />
      ) : (
        <ul ref={rows} className={styles.list} aria-busy={list.isFetching} aria-label="Issues">
          {issues.map((issue, index) => (
            <IssueRow
              key={issue.id}
              issue={issue}
              position={index + 1}
              size={issues.length}
              selected={selected.has(issue.id)}
              onToggle={(range) => toggle(index, range)}
              onFocus={() => {
                place = { address, id: issue.id };
              }}
              onFilter={(term) => ask(withTerm(search.q ?? '', term))}
              showProject={search.project === undefined && (projects?.length ?? 0) > 1}
            />
          ))}
        </ul>
      )}
      <PageLinks list="/issues" cursors={list.data} cursor={search.cursor} />
    </>
  );
}

/** The number that match; where the server does not count them all, what this page knows. */
function howMany({ hits, issues, next, previous }: IssueListPage): string {
  if (hits !== undefined) return plural(hits, 'issue');
  if (previous || issues.length === 0) return '';
  return next ? `${exactNumber(issues.length)}+ issues` : plural(issues.length, 'issue');
}
