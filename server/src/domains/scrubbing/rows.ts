/** The newest spans and logs of a project that rules are tried on. */
import type { Events, QueryOptions } from '../../ports/events/events.ts';
import type { PreviewableLog, PreviewableSpan } from '../../process/steps/scrub/index.ts';

export interface StoredSpan extends PreviewableSpan {
  readonly traceId: string;
  /** Span id. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface StoredLog extends PreviewableLog {
  readonly at: number;
}

interface Wanted {
  readonly projectId: number;
  readonly limit: number;
  /** ms since the epoch. */
  readonly sinceMs: number;
}

const minuteMs = 60_000;
/** Spans lie by name, not by time: a longer time is looked through only where a shorter one has too few. */
const windowsMs = [minuteMs, 60 * minuteMs, 24 * 60 * minuteMs, Infinity];

/** Rules see what was sent: texts and numbers in one. */
type Stored<Row> = Row & { readonly numbers: Readonly<Record<string, number>> };

const asSent = <Row extends StoredLog | StoredSpan>(row: Stored<Row>): Row => ({
  ...row,
  attributes: { ...row.attributes, ...row.numbers },
});

export async function newestSpans(
  events: Events,
  { projectId, limit, sinceMs }: Wanted,
  options: QueryOptions,
): Promise<StoredSpan[]> {
  let found: Stored<StoredSpan>[] = [];
  for (const windowMs of windowsMs) {
    found = await events.query<Stored<StoredSpan>>(
      `SELECT trace_id AS traceId, span_id AS id, toUnixTimestamp64Milli(started_at) AS at, name, transaction,
         attributes, numbers
       FROM spans
       WHERE project_id = {project:UInt64} AND started_at >= fromUnixTimestamp64Milli({since:Int64})
       ORDER BY started_at DESC LIMIT {limit:UInt32}`,
      { project: projectId, since: Math.max(sinceMs, Number.isFinite(windowMs) ? Date.now() - windowMs : 0), limit },
      options,
    );
    if (found.length >= limit) break;
  }
  return found.map(asSent);
}

export async function newestLogs(
  events: Events,
  { projectId, limit, sinceMs }: Wanted,
  options: QueryOptions,
): Promise<StoredLog[]> {
  const found = await events.query<Stored<StoredLog>>(
    `SELECT toUnixTimestamp64Milli(timestamp) AS at, body, attributes, numbers
     FROM logs
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
     ORDER BY timestamp DESC, sequence DESC LIMIT {limit:UInt32}`,
    { project: projectId, since: sinceMs, limit },
    options,
  );
  return found.map(asSent);
}
