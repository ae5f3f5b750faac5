import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { isListed } from '../../features/projects/listed.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { FieldList } from '../../features/traces/FieldList.tsx';
import { Heatmap } from '../../features/traces/Heatmap.tsx';
import type { Region } from '../../features/traces/heatmap.ts';
import { fieldsQuery, heatmapQuery, tracesQuery, tracesRange } from '../../features/traces/queries.ts';
import { withoutRegion, type TracesSearch } from '../../features/traces/search.ts';
import { chipsOf, hasRegion, regionOf } from '../../features/traces/words.ts';
import { useNarrow } from '../../features/waterfall/use-narrow.ts';
import * as m from '../../messages/traces.ts';
import { withKey } from '../../features/commands/shortcuts.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Chips } from './Chips.tsx';
import { newsSentence, noNews, unseen, withSpans } from './news.ts';
import { NothingListed } from './NothingListed.tsx';
import { Tools } from './Tools.tsx';
import { TraceHead, TraceRow } from './TraceRow.tsx';
import { NewsBar } from '../../ui/NewsBar.tsx';
import styles from './TracesPage.module.css';

const route = getRouteApi('/shell/traces');

const valuesShown = 10;
/** Rare values are compared with all requests, too. */
const valuesCompared = 100;

/** Which requests were slow or failed. */
export function TracesPage() {
  const org = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...tracesQuery(org, search), refetchOnMount: false });
  const isPart = hasRegion(search);
  const heatmap = useQuery(heatmapQuery(org, withoutRegion(search)));
  const fields = useQuery(fieldsQuery(org, search, valuesShown));
  const everything = useQuery({ ...fieldsQuery(org, withoutRegion(search), valuesCompared), enabled: isPart });
  const { data: projects } = useQuery(projectsQuery(org));
  const narrow = useNarrow();
  const rows = useRef<HTMLTableSectionElement>(null);
  const [news, setNews] = useState(noNews);
  const traces = list.data?.traces ?? [];
  // What is empty lists the filters itself.
  const isEmpty = list.data !== undefined && !traces.length;

  // What was new for another list is not for this one.
  const address = JSON.stringify(search);
  const [shownAddress, setShownAddress] = useState(address);
  if (shownAddress !== address) {
    setShownAddress(address);
    setNews(noNews);
  }

  function refresh(): void {
    setNews(noNews);
    void queries.invalidateQueries({ queryKey: ['traces', org, 'list'] });
  }
  const fill = useThrottled(refresh, 2000);
  useLive((message) => {
    if (message.type === 'reconnected') fill();
    if (message.type !== 'spans') return;
    if (!isListed(message.projectSlug, search.project, projects)) return;
    setNews((before) => withSpans(before, message));
    // Nothing is on the screen that could jump: an empty list fills itself.
    if (isEmpty) fill();
  });
  useRowKeys(rows);
  useCommand('list.refresh', refresh);

  const set = (changes: Partial<TracesSearch>): void =>
    void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
  const choose = (region: Region | undefined): void =>
    set({
      t: region?.since === undefined || region.before === undefined ? undefined : `${region.since}-${region.before}`,
      from: region?.fromMs,
      until: region?.untilMs,
    });
  const isNarrowed = chipsOf(search, String).length > 0;
  const arrived = search.cursor ? noNews : unseen(news, traces);
  const word = newsSentence(arrived, isNarrowed);
  const isMatching = isNarrowed || search.sort === 'slowest';
  const longestMs = traces.reduce(
    (most, { root, match }) => Math.max(most, (isMatching ? match : (root ?? match)).durationMs),
    0,
  );
  useTitle(
    arrived.size > 0 && m.newInTitle({ count: arrived.size }),
    m.title,
    projects?.find((each) => each.slug === search.project)?.name,
  );

  const cancel = (): void => void queries.cancelQueries({ queryKey: ['traces', org, 'list'] });
  const hasRequests = (heatmap.data?.count ?? 0) > 0;
  const fieldList = (
    <QueryView query={fields} loading={m.loadingValues} failed={m.valuesFailed} rows={8} height={26}>
      {(found) => (
        <FieldList
          fields={found}
          everything={isPart ? everything.data : undefined}
          chosen={search}
          onValue={(field, value) => set({ [field]: value })}
        />
      )}
    </QueryView>
  );

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar fallbackRange={tracesRange} />
      </PageBar>
      <Tools search={search} />
      {!isEmpty && <Chips search={search} />}
      <QueryView
        query={heatmap}
        loading={m.loadingHeatmap}
        failed={m.heatmapFailed}
        skeleton={
          <div className={styles.heatmap}>
            <Skeleton height={214} label={m.loadingHeatmap} />
          </div>
        }
      >
        {(found) =>
          found.count > 0 && (
            <div className={styles.heatmap}>
              <Heatmap heatmap={found} region={regionOf(search)} onRegion={choose} />
            </div>
          )
        }
      </QueryView>
      <div className={styles.columns}>
        <div className={styles.main}>
          {word && (
            <NewsBar className={styles.news} tip={withKey(m.showNews, 'list.refresh')} onClick={refresh}>
              {word}
            </NewsBar>
          )}
          <QueryView
            query={list}
            loading={m.loading}
            failed={m.failed}
            rows={10}
            height={50}
            cancel={cancel}
            empty={<NothingListed search={search} />}
            isEmpty={(found) => found.traces.length === 0}
          >
            {(found) => (
              <DataTable label={m.title} sticky rows={rows} busy={list.isFetching} head={<TraceHead />}>
                {found.traces.map((trace) => (
                  <TraceRow
                    key={trace.traceId}
                    trace={trace}
                    longestMs={longestMs}
                    isMatching={isMatching}
                    showProject={search.project === undefined && (projects?.length ?? 0) > 1}
                    narrow={narrow}
                  />
                ))}
              </DataTable>
            )}
          </QueryView>
          <PageLinks list="/traces" cursors={list.data} cursor={search.cursor} />
        </div>
        {hasRequests && (
          <aside className={styles.side} aria-label={m.values}>
            {narrow ? (
              <details className={styles.fold}>
                <summary>{m.values}</summary>
                {fieldList}
              </details>
            ) : (
              fieldList
            )}
          </aside>
        )}
      </div>
    </>
  );
}
