/** Queues of background work, from the spans that take messages out of them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { SharedSearch } from '../filters/filters.ts';
import { environmentParameter, projectParameter } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { scopeOf, transactionsRange } from './queries.ts';

export interface Queue {
  /** '' where the sender does not say. */
  readonly name: string;
  readonly system: string;
  readonly processed: number;
  readonly waitMs: number | null;
  readonly slowestMs: number | null;
  readonly failureRate: number;
  readonly retries: number;
}

/** Sidekiq's and Celery's own names beside that of the conventions. */
export const processing = 'span.op:[queue.process,queue.sidekiq,queue.task.celery] has:messaging.destination.name';

const columns = {
  name: 'messaging.destination.name',
  system: 'messaging.system',
  processed: 'count()',
  waitMs: 'avg(messaging.message.receive.latency)',
  slowestMs: 'p95(span.duration)',
  failureRate: 'failure_rate()',
  retries: 'sum(messaging.message.retry.count)',
} as const;

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The busiest first. */
export const queuesQuery = (org: string, search: SharedSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'queues', scopeOf(search)],
    queryFn: async ({ signal }): Promise<readonly Queue[]> => {
      const { start, end, range = transactionsRange } = search;
      const { data } = await api.get('/api/0/organizations/{org}/events/', {
        params: {
          path: { org },
          query: {
            dataset: 'spans',
            query: processing,
            field: Object.values(columns),
            sort: ['-count()'],
            per_page: 50,
            ...(start && end ? { start, end } : { statsPeriod: range }),
            ...projectParameter(search),
            ...environmentParameter(search),
          },
        },
        signal,
      });
      return data.map((row) => ({
        name: textOf(row[columns.name]),
        system: textOf(row[columns.system]),
        processed: numberOf(row[columns.processed]) ?? 0,
        waitMs: numberOf(row[columns.waitMs]),
        slowestMs: numberOf(row[columns.slowestMs]),
        failureRate: numberOf(row[columns.failureRate]) ?? 0,
        retries: numberOf(row[columns.retries]) ?? 0,
      }));
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
