/** Background work: queues, from the spans that take messages out of them, and tasks that run without one. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { SharedSearch } from '../filters/filters.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { environmentParameter, projectParameter } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { scopeOf, transactionsRange } from './queries.ts';

export interface Queue {
  /** Whether it is a task, which a scheduler or the program runs itself. */
  readonly isTask: boolean;
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

/** Of Spring's `@Scheduled` and the like: transactions of their own, which name no queue. */
export const tasks = verbatim`is_segment:true span.op:task !has:messaging.destination.name`;

const measures = {
  processed: 'count()',
  waitMs: 'avg(messaging.message.receive.latency)',
  slowestMs: 'p95(span.duration)',
  failureRate: 'failure_rate()',
  retries: 'sum(messaging.message.retry.count)',
} as const;
const columnsOf = {
  queues: { name: 'messaging.destination.name', system: 'messaging.system', ...measures },
  tasks: { name: 'transaction', system: 'platform', ...measures },
} as const;

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

async function ask(
  org: string,
  search: SharedSearch,
  kind: keyof typeof columnsOf,
  signal: AbortSignal,
): Promise<readonly Queue[]> {
  const { start, end, range = transactionsRange } = search;
  const columns = columnsOf[kind];
  const { data } = await api.get('/api/0/organizations/{org}/events/', {
    params: {
      path: { org },
      query: {
        dataset: 'spans',
        query: kind === 'tasks' ? tasks : processing,
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
    isTask: kind === 'tasks',
    name: textOf(row[columns.name]),
    system: textOf(row[columns.system]),
    processed: numberOf(row[columns.processed]) ?? 0,
    waitMs: numberOf(row[columns.waitMs]),
    slowestMs: numberOf(row[columns.slowestMs]),
    failureRate: numberOf(row[columns.failureRate]) ?? 0,
    retries: numberOf(row[columns.retries]) ?? 0,
  }));
}

/** The busiest first. */
export const queuesQuery = (org: string, search: SharedSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'queues', scopeOf(search)],
    queryFn: async ({ signal }): Promise<readonly Queue[]> => {
      const found = await Promise.all([ask(org, search, 'queues', signal), ask(org, search, 'tasks', signal)]);
      return found.flat().toSorted((a, b) => b.processed - a.processed);
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
