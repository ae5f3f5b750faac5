/** Lists of logs by time. */
import type { Events } from '../../ports/events/events.ts';
import { during, inEnvironments, inProjects, type SqlPart, where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { type LineColumns, lineColumns, microsecond, toLine } from './columns.ts';
import type { LogLine } from './types.ts';

export type LogOrder = 'newest' | 'oldest';

export interface LogScope {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly range?: TimeRange | undefined;
  /** Nothing later, ms since the epoch: the next page is of the same list, whatever came meanwhile. */
  readonly untilMs: number;
  readonly filter: SqlPart;
}

interface KeyColumns {
  readonly project_id: number;
  readonly at_us: number;
  readonly sequence: number;
}

const hourMs = 3_600_000;
/** The newest logs are asked for nearly always, and in most installations the last hours have enough of them. */
const windowsMs = [hourMs, 24 * hourMs];

/**
 * `limit` of them from `offset` on. Which ones is found out by the columns that order and filter alone, since what a
 * log weighs is its body.
 */
export async function listLogs(
  events: Events,
  scope: LogScope,
  { order, offset, limit }: { readonly order: LogOrder; readonly offset: number; readonly limit: number },
): Promise<LogLine[]> {
  if (!scope.projectIds.length) return [];
  const base = where(
    inProjects(scope.projectIds),
    inEnvironments(scope.environments),
    during(scope.range),
    { conditions: [`timestamp <= ${microsecond('until')}`], params: { until: scope.untilMs * 1000 } },
    scope.filter,
  );
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const ordered = `ORDER BY timestamp ${direction}, sequence ${direction}`;
  const keysSince = (fromMs: number | undefined): Promise<KeyColumns[]> =>
    events.query<KeyColumns>(
      `SELECT project_id, toUnixTimestamp64Micro(timestamp) AS at_us, sequence FROM logs
       WHERE ${base.sql}${fromMs === undefined ? '' : ` AND timestamp >= ${microsecond('from')}`}
       ${ordered} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...base.params, limit, offset, ...(fromMs === undefined ? {} : { from: Math.max(0, fromMs) * 1000 }) },
    );
  const keys = await firstFull(order === 'newest' ? windowsMs : [], limit, (window) =>
    keysSince(window === undefined ? undefined : scope.untilMs - window),
  );
  if (!keys.length) return [];
  const times = keys.map(({ at_us }) => at_us);
  const wanted = new Set(keys.map(keyText));
  const rows = await events.query<LineColumns & { readonly sequence: number }>(
    `SELECT ${lineColumns}, sequence FROM logs
     WHERE ${base.sql} AND timestamp >= ${microsecond('first')} AND timestamp <= ${microsecond('last')}
       AND sequence IN {sequences:Array(UInt32)} ${ordered}`,
    {
      ...base.params,
      first: Math.min(...times),
      last: Math.max(...times),
      sequences: [...new Set(keys.map(({ sequence }) => sequence))],
    },
  );
  return rows
    .filter((row) => wanted.has(keyText(row)))
    .slice(0, limit)
    .map(toLine);
}

const keyText = ({ project_id, at_us, sequence }: KeyColumns): string => `${project_id}:${at_us}:${sequence}`;

/** What the first window gives that has a page of it; all that there is where none has. */
async function firstFull<T>(
  windows: readonly number[],
  limit: number,
  ask: (window: number | undefined) => Promise<T[]>,
): Promise<T[]> {
  for (const window of windows) {
    const found = await ask(window);
    if (found.length >= limit) return found;
  }
  return ask(undefined);
}
