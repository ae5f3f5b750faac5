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
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, ErrorState, Skeleton } from '../../ui/State.tsx';
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
  const transactions = list.data?.transactions ?? [];
  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    // Rows do not move under the reader's eyes; an empty list fills itself.
    if (message.type === 'reconnected' || (message.type === 'spans' && transactions.length === 0)) fill();
  });
  useTitle('Performance', projects?.find((each) => each.slug === search.project)?.name);

  return (
    <>
      <PageBar title="Performance">
        <FilterBar fallbackRange={transactionsRange} />
      </PageBar>
      <PerformanceTabs />
      <BusyBar
        busy={(list.isFetching && list.data !== undefined) || (series.isFetching && series.data !== undefined)}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org] })}
      />
      {series.isPending ? (
        <div className={styles.summary} aria-hidden="true">
          <Skeleton rows={1} height={190} label="Loading charts" />
        </div>
      ) : series.isError ? (
        <ErrorState error={series.error} retry={() => void series.refetch()} what="The charts could not be loaded" />
      ) : (
        series.data.totals && <Summary series={series.data} askedAt={series.dataUpdatedAt} />
      )}
      <Tools search={search} />
      {list.isPending ? (
        <Skeleton rows={12} height={48} label="Loading transactions" />
      ) : list.isError && list.data === undefined ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} what="The transactions could not be loaded" />
      ) : transactions.length === 0 ? (
        <NothingListed search={search} />
      ) : (
        <TransactionTable
          rows={rows}
          transactions={transactions}
          series={series.data}
          search={search}
          showProject={search.project === undefined && (projects ?? []).filter((each) => !each.isInternal).length > 1}
          busy={list.isFetching}
        />
      )}
      <PageLinks list="/performance" cursors={list.data} cursor={search.cursor} />
    </>
  );
}
