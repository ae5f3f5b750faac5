import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { PerformanceTabs } from '../../features/performance/PerformanceTabs.tsx';
import { seriesQuery, transactionsQuery, transactionsRange } from '../../features/performance/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/performance.ts';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { NothingListed } from './NothingListed.tsx';
import styles from './PerformancePage.module.css';
import { Summary } from './Summary.tsx';
import { Tools } from './Tools.tsx';
import { TransactionTable } from './TransactionTable.tsx';

const route = getRouteApi('/shell/performance');

/** Which transactions hurt: those that take the most time together first. */
export function PerformancePage() {
  const org = useOrg();
  const search = route.useSearch();
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...transactionsQuery(org, search), refetchOnMount: false });
  const series = useQuery({ ...seriesQuery(org, search), refetchOnMount: false });
  const { data: projects } = useQuery(projectsQuery(org));
  const rows = useRef<HTMLTableSectionElement>(null);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['performance', org] });
  useRowKeys(rows);
  useCommand('list.refresh', refresh);
  const isEmpty = !list.data?.transactions.length;
  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    // Rows do not move under the reader's eyes; an empty list fills on its own.
    if (message.type === 'reconnected' || (message.type === 'spans' && isEmpty)) fill();
  });
  useTitle(m.title, projects?.find((each) => each.slug === search.project)?.name);

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar fallbackRange={transactionsRange} />
      </PageBar>
      <PerformanceTabs />
      <QueryView
        query={series}
        loading={m.loadingCharts}
        failed={m.chartsFailed}
        skeleton={
          <div className={styles.summary} aria-hidden="true">
            <Skeleton height={190} label={m.loadingCharts} />
          </div>
        }
      >
        {(found) => found.totals && <Summary series={found} askedAt={series.dataUpdatedAt} />}
      </QueryView>
      <Tools search={search} />
      <QueryView
        query={list}
        loading={m.loading}
        failed={m.failed}
        rows={12}
        height={48}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org] })}
        empty={<NothingListed search={search} />}
        isEmpty={(found) => found.transactions.length === 0}
      >
        {(found) => (
          <TransactionTable
            rows={rows}
            transactions={found.transactions}
            series={series.data}
            search={search}
            showProject={search.project === undefined && (projects ?? []).filter((each) => !each.isInternal).length > 1}
            busy={list.isFetching}
          />
        )}
      </QueryView>
      <PageLinks list="/performance" cursors={list.data} cursor={search.cursor} />
    </>
  );
}
