/** What filters would drop: of the newest stored errors one by one, of transactions and logs by what filters look at. */
import { CodedError } from '../../base/errors.ts';
import { runThread } from '../../base/jobs/index.ts';
import type { LogRow } from '../../base/tables/logs.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import type { Events, QueryOptions } from '../../ports/events/events.ts';
import {
  compileFilters,
  type FilterId,
  filterIds,
  type FilterSettings,
  judgeRow,
} from '../../process/steps/filters/index.ts';
import { type EventKey, readEvents } from '../resymbolicate/index.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';

export interface FilterPreview {
  readonly examined: { readonly errors: number; readonly transactions: number; readonly logs: number };
  /** One for each filter, in their order. */
  readonly filters: readonly {
    readonly id: FilterId;
    readonly errors: number;
    readonly transactions: number;
    readonly logs: number;
    /** The newest errors and the most frequent transactions. */
    readonly examples: readonly FilterExample[];
  }[];
}

export interface FilterExample {
  readonly title: string;
  /** Of an error. */
  readonly eventId?: string;
  /** ms since the epoch. */
  readonly at?: number;
  /** Of a transaction: how many were called so. */
  readonly count?: number;
}

export interface PreviewRequest {
  readonly projectId: number;
  readonly patterns: FilterSettings['patterns'];
  /** Errors. */
  readonly limit: number;
  /** ms since the epoch; what is older is not looked for. */
  readonly sinceMs: number;
  /** Of who asks. */
  readonly signal?: AbortSignal | undefined;
}

const limitSeconds = 15;
const memory = { oldMb: 256, youngMb: 16 };
const maxRunning = 2;
const maxExamples = 3;
let running = 0;

/** Throws QUERY_TIMEOUT for patterns that take too long, PREVIEWS_FULL while enough are running. */
export async function previewFilters(events: Events, request: PreviewRequest): Promise<FilterPreview> {
  if (running >= maxRunning) throw new CodedError('PREVIEWS_FULL');
  running++;
  try {
    const { signal } = request;
    const options = { maxExecutionSeconds: limitSeconds, ...(signal && { signal }) };
    const [stored, segments, logs] = await Promise.all([
      newestErrors(events, request, options),
      segmentsByName(events, request, options),
      logsBySender(events, request, options),
    ]);
    const judged =
      stored.length === 0
        ? []
        : await inThread(
            stored.map(({ payload }) => payload),
            request.patterns,
            signal,
          );
    return {
      examined: { errors: stored.length, transactions: sumOf(segments), logs: sumOf(logs) },
      filters: filterIds.map((id) => {
        const errors = stored.filter((_, index) => judged[index]?.includes(id));
        const transactions = droppedSegments(id, segments, request.patterns);
        return {
          id,
          errors: errors.length,
          transactions: sumOf(transactions),
          logs: sumOf(droppedLogs(id, logs, request.patterns)),
          examples: [
            ...errors.slice(0, maxExamples).map(({ id: eventId, title, at }) => ({ title, eventId, at })),
            ...byName(transactions).slice(0, maxExamples),
          ],
        };
      }),
    };
  } finally {
    running--;
  }
}

async function newestErrors(events: Events, { projectId, limit, sinceMs }: PreviewRequest, options: QueryOptions) {
  const keys = await events.query<EventKey>(
    `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at FROM errors
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
     ORDER BY timestamp DESC, event_id DESC LIMIT {limit:UInt32}`,
    { project: projectId, since: sinceMs, limit },
    options,
  );
  return keys.length > 0 ? readEvents(events, projectId, keys) : [];
}

type Segments = Pick<SpanRow, 'transaction' | 'op' | 'platform' | 'release' | 'environment'> & {
  /** Of those whose name is a method alone. */
  readonly path: string;
  readonly count: number;
};

/** Those of a service are few names, in few releases; of more, the most frequent. */
const maxSegments = 10_000;

const segmentsByName = (
  events: Events,
  { projectId, sinceMs }: PreviewRequest,
  options: QueryOptions,
): Promise<Segments[]> =>
  events.query<Segments>(
    `SELECT transaction, op, platform, release, environment, if(match(transaction, '^[A-Z]{3,7}$'),
       coalesce(nullIf(attributes['http.route'], ''), nullIf(attributes['url.path'], ''),
         nullIf(attributes['http.target'], ''), attributes['url.full']), '') AS path, count() AS count
     FROM spans
     WHERE project_id = {project:UInt64} AND is_segment = 1
       AND started_at >= fromUnixTimestamp64Milli({since:Int64})
     GROUP BY transaction, op, platform, release, environment, path
     ORDER BY count DESC, transaction LIMIT {limit:UInt32}`,
    { project: projectId, since: sinceMs, limit: maxSegments },
    options,
  );

type Logs = Pick<LogRow, 'release' | 'environment'> & { readonly count: number };

const logsBySender = (events: Events, { projectId, sinceMs }: PreviewRequest, options: QueryOptions): Promise<Logs[]> =>
  events.query<Logs>(
    `SELECT release, environment, count() AS count FROM logs
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
     GROUP BY release, environment ORDER BY count DESC, release, environment LIMIT {limit:UInt32}`,
    { project: projectId, since: sinceMs, limit: maxSegments },
    options,
  );

function droppedLogs(id: FilterId, logs: readonly Logs[], patterns: FilterSettings['patterns']): Logs[] {
  const filters = compileFilters({ active: [id], patterns });
  return filters ? logs.filter((row) => judgeRow(filters, 'logs', row, {}) !== undefined) : [];
}

const sumOf = (rows: readonly { readonly count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

function droppedSegments(
  id: FilterId,
  segments: readonly Segments[],
  patterns: FilterSettings['patterns'],
): Segments[] {
  const filters = compileFilters({ active: [id], patterns });
  if (!filters) return [];
  return segments.filter((segment) => judgeRow(filters, 'spans', toRow(segment), {}) !== undefined);
}

const toRow = ({ path, ...segment }: Segments) => ({
  ...segment,
  is_segment: 1 as const,
  attributes: { 'url.path': path },
});

function byName(segments: readonly Segments[]): FilterExample[] {
  const counts = new Map<string, number>();
  for (const { transaction, path, count } of segments) {
    const name = path === '' ? transaction : `${transaction} ${path}`;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([title, count]) => ({ title, count })).toSorted((a, b) => b.count - a.count);
}

async function inThread(
  payloads: readonly string[],
  patterns: FilterSettings['patterns'],
  signal: AbortSignal | undefined,
): Promise<FromPreview> {
  const setup: PreviewSetup = { payloads, patterns };
  const module = new URL('./worker.ts', import.meta.url);
  let result: FromPreview | undefined;
  const onMessage = (message: FromPreview): void => {
    result = message;
  };
  const options = { module, name: 'filters', setup, ...memory, onMessage, graceMs: 0 };
  const limit = AbortSignal.timeout(limitSeconds * 1_000);
  await runThread<FromPreview>(options, signal ? AbortSignal.any([signal, limit]) : limit);
  if (!result) throw new CodedError('QUERY_TIMEOUT', [String(limitSeconds)]);
  return result;
}
