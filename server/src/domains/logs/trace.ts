/** The logs of one trace, found by the skip index of trace ids; a time near it leaves one week or two. */
import { withoutColours } from '../../base/ansi.ts';
import type { Events } from '../../ports/events/events.ts';
import { amongProjects, type SqlPart, where } from '../../base/sql.ts';
import { idColumn, microsecond } from './columns.ts';
import type { TraceLog } from './types.ts';

/** Logs of a trace that are read; the rest is counted. */
export const maxTraceLogs = 1000;
/** Characters of a body: a thousand whole ones could be megabytes. */
const maxMessage = 1000;
const hintUs = 2 * 86_400_000_000;

export interface LogsOfTrace {
  /** The first, by time. */
  readonly logs: readonly TraceLog[];
  /** How many more there are. */
  readonly left: number;
}

interface LogColumns {
  readonly id: string;
  readonly project_id: number;
  readonly span_id: string;
  readonly at_us: number;
  readonly level: string;
  readonly service: string;
  readonly message: string;
}

interface Request {
  readonly projectIds: readonly number[];
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** ms since the epoch: some moment of the trace, where one is known. */
  readonly nearMs?: number | undefined;
}

export async function logsOfTrace(events: Events, request: Request): Promise<LogsOfTrace> {
  if (!request.projectIds.length) return { logs: [], left: 0 };
  const scope = scopeOf(request);
  const rows = await events.query<LogColumns>(
    `SELECT ${idColumn} AS id, project_id, span_id, toUnixTimestamp64Micro(timestamp) AS at_us, level, service,
       substringUTF8(body, 1, {most:UInt32}) AS message
     FROM logs WHERE ${scope.sql} ORDER BY timestamp, sequence LIMIT {limit:UInt32}
     SETTINGS max_threads = 1, optimize_move_to_prewhere = 0`,
    { ...scope.params, most: maxMessage, limit: maxTraceLogs + 1 },
  );
  const logs = rows.slice(0, maxTraceLogs).map((row) => ({
    id: row.id,
    projectId: row.project_id,
    spanId: row.span_id,
    atUs: row.at_us,
    level: row.level,
    service: row.service,
    message: withoutColours(row.message),
  }));
  const left = rows.length > maxTraceLogs ? (await countTraceLogs(events, request)) - maxTraceLogs : 0;
  return { logs, left };
}

export async function countTraceLogs(events: Events, request: Request): Promise<number> {
  if (!request.projectIds.length) return 0;
  const scope = scopeOf(request);
  const [row] = await events.query<{ n: number }>(`SELECT count() AS n FROM logs WHERE ${scope.sql}`, scope.params);
  return row?.n ?? 0;
}

function scopeOf({ projectIds, traceId, nearMs }: Request): ReturnType<typeof where> {
  const ofTrace: SqlPart = { conditions: ['trace_id = {trace:String}'], params: { trace: traceId } };
  if (nearMs === undefined) return where(amongProjects(projectIds), ofTrace);
  const nearUs = Math.round(nearMs * 1000);
  return where(amongProjects(projectIds), ofTrace, {
    conditions: [`timestamp >= ${microsecond('nearFrom')}`, `timestamp <= ${microsecond('nearUntil')}`],
    params: { nearFrom: Math.max(0, nearUs - hintUs), nearUntil: nearUs + hintUs },
  });
}
