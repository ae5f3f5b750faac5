import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PerformanceTabs } from '../../features/performance/PerformanceTabs.tsx';
import { transactionsRange } from '../../features/performance/queries.ts';
import { processing, queuesQuery, type Queue, tasks } from '../../features/performance/queue-queries.ts';
import { milliseconds, share } from '../../features/performance/words.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { performance } from '../../messages/places.ts';
import * as m from '../../messages/queues.ts';
import { Count } from '../../ui/Count.tsx';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { noQueues } from './empty.ts';

const route = getRouteApi('/shell/performance/queues');

/** How long jobs wait and take, and how many fail, by queue; and tasks that run without one. */
export function QueuesPage() {
  const search = route.useSearch();
  const org = useOrg();
  const queries = useQueryClient();
  const found = useQuery(queuesQuery(org, search));
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  useCommand('list.refresh', () => void queries.invalidateQueries({ queryKey: ['performance', org, 'queues'] }));
  useTitle(m.title);
  return (
    <>
      <PageBar title={performance}>
        <FilterBar fallbackRange={transactionsRange} />
      </PageBar>
      <PerformanceTabs />
      <QueryView
        query={found}
        loading={m.loading}
        failed={m.failed}
        rows={6}
        height={44}
        empty={<Empty of={noQueues} />}
        isEmpty={(queues) => queues.length === 0}
      >
        {(queues) => (
          <DataTable label={m.title} rows={rows} busy={found.isFetching} head={<Head />}>
            {queues.map((queue) => (
              <Row key={`${queue.isTask} ${queue.system} ${queue.name}`} queue={queue} />
            ))}
          </DataTable>
        )}
      </QueryView>
    </>
  );
}

const Head = () => (
  <>
    <HeadCell main>{m.columns.queue}</HeadCell>
    <HeadCell number>{m.columns.processed}</HeadCell>
    <HeadCell number>{m.columns.wait}</HeadCell>
    <HeadCell number hide="narrow">
      {m.columns.time}
    </HeadCell>
    <HeadCell number>{m.columns.failures}</HeadCell>
    <HeadCell number hide="narrow">
      {m.columns.retries}
    </HeadCell>
  </>
);

function Row({
  queue: { isTask, name, system, processed, waitMs, slowestMs, failureRate, retries },
}: {
  readonly queue: Queue;
}) {
  return (
    <tr>
      <RowHead>
        <Link
          to="/explore"
          search={(before) => ({
            ...before,
            dataset: 'spans' as const,
            tab: 'samples' as const,
            query: isTask
              ? `${tasks} transaction:${JSON.stringify(name)}`
              : `${processing} messaging.destination.name:${JSON.stringify(name)}`,
          })}
          className={rowLinkClass}
          translate="no"
        >
          {name}
        </Link>
        <Facts>
          {isTask && m.task}
          {system && <code>{system}</code>}
        </Facts>
      </RowHead>
      <Cell number>
        <Count value={processed} />
      </Cell>
      <Cell number>{waitMs === null ? '–' : milliseconds(waitMs)}</Cell>
      <Cell number hide="narrow">
        {slowestMs === null ? '–' : milliseconds(slowestMs)}
      </Cell>
      <Cell number>{share(failureRate)}</Cell>
      <Cell number hide="narrow">
        {isTask ? '–' : <Count value={retries} />}
      </Cell>
    </tr>
  );
}
