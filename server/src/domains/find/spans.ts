/** Traces as Find looks at them: a row of facts each, made by the events store from however many spans there are. */
import type { Events } from '../../ports/events/events.ts';
import { chunksOf } from '../../base/chunks.ts';
import { amongProjects, type SqlPart, where } from '../../base/sql.ts';
import type { FindStores } from './types.ts';

export interface SpanFacts {
  readonly id: string;
  readonly projectId: number;
  readonly name: string;
  readonly op: string;
  readonly service: string;
  readonly durationUs: number;
  readonly failed: boolean;
}

export interface TraceFacts {
  readonly id: string;
  /** µs since the epoch. */
  readonly startUs: number;
  readonly durationUs: number;
  readonly spans: number;
  readonly failed: number;
  readonly services: number;
  /** The one without a parent, else the first of a service. */
  readonly root: SpanFacts;
  /** That which was asked for; undefined where it is not stored. */
  readonly span: SpanFacts | undefined;
}

export interface TraceAsked {
  readonly traceId: string;
  /** '' for none. */
  readonly spanId: string;
  /** Some moment of the trace, ms since the epoch, where one is known: it is found faster. */
  readonly at?: number;
}

/** How far from that moment spans are looked for: traces of pages that stay open are long. */
const hintMs = 2 * 86_400_000;

interface Row extends Omit<TraceFacts, 'failed' | 'root' | 'span'> {
  // The column has the other name.
  readonly failures: number;
  readonly root: Tuple;
  readonly span: Tuple;
}
type Tuple = readonly [
  id: string,
  projectId: number,
  name: string,
  op: string,
  service: string,
  durationUs: number,
  failed: number,
];
const tuple = '(span_id, project_id, name, op, service, duration_us, failed)';

function toSpan([id, projectId, name, op, service, durationUs, failed]: Tuple): SpanFacts {
  return { id, projectId, name, op, service, durationUs, failed: failed === 1 };
}

/** Whether any span was stored before the state store noted the first one of a project; by the numbers of the projects. */
const before = new WeakMap<Events, Map<string, boolean>>();
const mostRemembered = 1_000;

/** Most errors are of projects that send none, and to find nothing costs as much as to find something. */
async function haveSpans({ state, events }: FindStores, projectIds: readonly number[]): Promise<boolean> {
  for (const chunk of chunksOf(projectIds)) {
    const query = state.db.selectFrom('project').select('id').where('id', 'in', chunk);
    if (await query.where('first_span_at', 'is not', null).limit(1).executeTakeFirst()) return true;
  }
  const remembered = before.get(events) ?? new Map<string, boolean>();
  before.set(events, remembered);
  const key = projectIds.join();
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const { sql, params } = where(amongProjects(projectIds));
  const found = (await events.query(`SELECT 1 FROM spans WHERE ${sql} LIMIT 1`, params)).length > 0;
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, found);
  return found;
}

/** By trace id, those that have any span. */
export async function traceFacts(
  stores: FindStores,
  projectIds: readonly number[],
  asked: readonly TraceAsked[],
): Promise<ReadonlyMap<string, TraceFacts>> {
  const traceIds = [...new Set(asked.map(({ traceId }) => traceId))].filter((id) => id !== '');
  if (!projectIds.length || !traceIds.length || !(await haveSpans(stores, projectIds))) return new Map();
  const scope = where(amongProjects(projectIds), near(asked.map(({ at }) => at)));
  const rows = await stores.events.query<Row>(
    `SELECT trace_id AS id, toUnixTimestamp64Micro(min(started_at)) AS startUs,
       max(toUnixTimestamp64Micro(started_at) + duration_us) - startUs AS durationUs,
       count() AS spans, countIf(failed = 1) AS failures, uniqExact(service) AS services,
       argMin(${tuple}, (parent_span_id != '', is_segment = 0, started_at)) AS root,
       argMaxIf(${tuple}, received_at, span_id IN {spans:Array(String)}) AS span
     FROM spans WHERE ${scope.sql} AND trace_id IN {traces:Array(String)} GROUP BY trace_id
     SETTINGS max_threads = 1, optimize_move_to_prewhere = 0`,
    { ...scope.params, traces: traceIds, spans: asked.map(({ spanId }) => spanId).filter((id) => id !== '') },
  );
  return new Map(
    rows.map(({ failures, root, span, ...facts }) => [
      facts.id,
      { ...facts, failed: failures, root: toSpan(root), span: span[0] === '' ? undefined : toSpan(span) },
    ]),
  );
}

/** Only where a moment is known of each. */
function near(times: readonly (number | undefined)[]): SqlPart {
  const known = times.filter((at) => at !== undefined);
  if (known.length < times.length || !known.length) return { conditions: [], params: {} };
  return {
    conditions: [
      `started_at >= fromUnixTimestamp64Milli({nearFrom:Int64}, 'UTC')`,
      `started_at <= fromUnixTimestamp64Milli({nearUntil:Int64}, 'UTC')`,
    ],
    params: { nearFrom: Math.max(0, Math.min(...known) - hintMs), nearUntil: Math.max(...known) + hintMs },
  };
}

/** The trace of the newest span with this id. */
export async function traceOfSpan(
  stores: FindStores,
  projectIds: readonly number[],
  spanId: string,
): Promise<TraceAsked | undefined> {
  if (!projectIds.length || !(await haveSpans(stores, projectIds))) return undefined;
  const scope = where(amongProjects(projectIds));
  const [row] = await stores.events.query<{ traceId: string; at: number }>(
    `SELECT trace_id AS traceId, intDiv(toUnixTimestamp64Micro(started_at), 1000) AS at FROM spans
     WHERE ${scope.sql} AND span_id = {span:String} ORDER BY started_at DESC LIMIT 1`,
    { ...scope.params, span: spanId },
  );
  return row && { ...row, spanId };
}
