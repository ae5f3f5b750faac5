/** Spans of queries, all or some of them: beyond a bound a sample of stretches stands for all. */
import { during, inEnvironments, inProjects, type SqlPart, where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import type { Events } from '../../ports/events/events.ts';
import { planRows, type Sample, type SamplingLimits, shareOf, stretchSql } from '../explore/index.ts';

export interface QueriesScope {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  /** Empty: all. */
  readonly releases: readonly string[];
  readonly range: TimeRange;
  readonly nowMs: number;
}

/** One query of one project. */
export interface QueryScope extends QueriesScope {
  /** As `SpanRow.description_hash`. */
  readonly hash: string;
}

/** Numbers of spans take 50 to 100 ms up to there, as those of a sample do. */
export const numbersLimits: SamplingLimits = { exactRows: 1_600_000, stretches: 256, stretchRows: 2_048 };
/** Attributes are most of what a span weighs. */
export const attributesLimits: SamplingLimits = { exactRows: 400_000, stretches: 64, stretchRows: 2_048 };

/** Names of spans that open, lend or prepare what a query needs, and ask nothing. */
const housekeeping = [
  'connect',
  'pg.connect',
  'pg-pool.connect',
  'mysql.connect',
  'mysql2.connect',
  'tedious.connect',
  'mongodb.connect',
  'prisma:engine:connection',
  'sql.conn.connect',
  'sql.conn.ping',
  'sql.conn.prepare',
  'sql.conn.reset_session',
  'sql.connector.connect',
  'sql.rows',
  'sql.stmt.close',
];

const inDatabase: SqlPart = { conditions: ["(op = 'db' OR startsWith(op, 'db.'))"], params: {} };

/** Stores of keys say commands, not statements. */
const areQueries: SqlPart = {
  conditions: [
    ...inDatabase.conditions,
    "NOT startsWith(op, 'db.redis') AND NOT startsWith(op, 'db.connection')",
    "op NOT IN ('db.query.compile', 'db.sql.prepare') AND description_hash != ''",
    'description NOT IN {housekeeping:Array(String)}',
  ],
  params: { housekeeping },
};

const inScope = ({ projectIds, environments, releases, range }: QueriesScope): SqlPart[] => [
  inProjects(projectIds),
  inEnvironments(environments),
  ...(releases.length ? [{ conditions: ['release IN {releases:Array(String)}'], params: { releases } }] : []),
  during(range, 'started_at'),
];

const having = (text: string): SqlPart =>
  text
    ? { conditions: ['positionCaseInsensitiveUTF8(description, {text:String}) > 0'], params: { text } }
    : { conditions: [], params: {} };

export interface ReadSpans {
  readonly sql: string;
  readonly params: Record<string, unknown>;
  /** Of the spans, 0 to 1; undefined where all are read. */
  readonly share: number | undefined;
  /** For how many spans each stands. */
  readonly weight: number;
}

/** All queries: what is read of them is known from the sort key. */
export async function readAllQueries(
  events: Events,
  scope: QueriesScope,
  text: string,
  limits: SamplingLimits,
): Promise<ReadSpans> {
  const all = where(...inScope(scope), areQueries, having(text));
  const table = { table: 'spans', scope: { conditions: [all.sql], params: all.params }, nowMs: scope.nowMs };
  return drawn(all, await planRows(events, table, { limits }));
}

/** So many calls in a sample say how the others are; of fewer all are read, which their hash finds. */
const leastSampled = 100;

export async function readOneQuery(events: Events, scope: QueryScope, limits: SamplingLimits): Promise<ReadSpans> {
  const all = where(
    ...inScope(scope),
    { conditions: ['description_hash = {hash:String}'], params: { hash: scope.hash } },
    inDatabase,
  );
  const table = { table: 'spans', scope: { conditions: [all.sql], params: all.params }, nowMs: scope.nowMs };
  const read = drawn(all, await planRows(events, table, { limits }));
  if (read.share === undefined) return read;
  const [found] = await events.query<{ calls: number }>(
    `SELECT count() AS calls FROM spans WHERE ${read.sql}`,
    read.params,
  );
  return (found?.calls ?? 0) < leastSampled ? drawn(all, undefined) : read;
}

function drawn(all: ReturnType<typeof where>, sample: Sample | undefined): ReadSpans {
  if (!sample) return { ...all, share: undefined, weight: 1 };
  const share = shareOf(sample);
  const read = where(
    { conditions: [all.sql], params: all.params },
    { conditions: [`${stretchSql(sample)} IN {stretches:Array(UInt64)}`], params: { stretches: sample.drawn } },
  );
  return { ...read, share, weight: 1 / share };
}
