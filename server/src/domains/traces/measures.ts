/**
 * Where numbers about transactions come from: whole days and hours from their aggregates, shorter ranges from the spans
 * themselves. All three give the same measures.
 */
import { inEnvironments, inProjects, type SqlPart } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';

export const percentiles = [0.5, 0.75, 0.95, 0.99] as const;

export interface TransactionScope {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  /** Empty: all. */
  readonly releases: readonly string[];
}

/** SQL of one place that has the measures. */
export interface Source {
  readonly table: string;
  readonly base: readonly SqlPart[];
  /** Start of what the row is about, ms since the epoch. */
  readonly millis: string;
  readonly count: string;
  readonly failed: string;
  readonly satisfied: string;
  readonly tolerated: string;
  readonly totalUs: string;
  /** Over the rows that fulfil a condition. */
  users(condition: string): string;
  /** Array of `percentiles`, µs. */
  durations(condition: string): string;
  /** What `users` and `durations` come from, to be put together further. */
  readonly usersState: string;
  readonly durationsState: string;
  /** From `fromMs` on, and before `untilMs` where that is given. */
  during(name: string, fromMs: number, untilMs?: number): SqlPart;
}

/** As SQL. */
export const levels = percentiles.join(', ');

/** Web vitals that stand alone say that they are segments, and are no transactions. */
const isTransaction = `is_segment = 1 AND NOT startsWith(op, 'ui.webvital.') AND NOT startsWith(op, 'ui.interaction.')`;

/** Of spans: T = 300 ms, as in the aggregates. */
const satisfiedUs = 300_000;

export function sourceOf(grain: TimeRange['grain']): Source {
  return grain === 'ms' ? spans : aggregate(grain);
}

const bounds = (column: string, value: (name: string) => string, scale: (ms: number) => unknown): Source['during'] =>
  function during(name, fromMs, untilMs) {
    return {
      conditions: [
        `${column} >= ${value(`${name}From`)}`,
        ...(untilMs === undefined ? [] : [`${column} < ${value(`${name}Until`)}`]),
      ],
      params: {
        [`${name}From`]: scale(fromMs),
        ...(untilMs === undefined ? {} : { [`${name}Until`]: scale(untilMs) }),
      },
    };
  };

const spans: Source = {
  table: 'spans',
  base: [{ conditions: [isTransaction], params: {} }],
  millis: 'toUnixTimestamp64Milli(started_at)',
  count: 'toUInt64(1)',
  failed: 'toUInt64(failed)',
  satisfied: `toUInt64(duration_us <= ${satisfiedUs})`,
  tolerated: `toUInt64(duration_us > ${satisfiedUs} AND duration_us <= ${4 * satisfiedUs})`,
  totalUs: 'duration_us',
  users: (condition) => `uniqCombined64If(12)(user, user != '' AND ${condition})`,
  durations: (condition) => `quantilesDDIf(0.01, ${levels})(duration_us, ${condition})`,
  usersState: `uniqCombined64StateIf(12)(user, user != '')`,
  durationsState: `quantilesDDState(0.01, ${levels})(duration_us)`,
  during: bounds(
    'started_at',
    (name) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`,
    (ms) => Math.max(0, ms),
  ),
};

function aggregate(grain: 'hour' | 'day'): Source {
  const hourly = grain === 'hour';
  return {
    table: hourly ? 'transaction_hours' : 'transaction_days',
    base: [],
    millis: hourly ? 'toInt64(hour) * 1000' : "toInt64(toDateTime(day, 'UTC')) * 1000",
    count: 'count',
    failed: 'failed',
    satisfied: 'satisfied',
    tolerated: 'tolerated',
    totalUs: 'total_us',
    users: (condition) => `uniqCombined64MergeIf(12)(users, ${condition})`,
    durations: (condition) => `quantilesDDMergeIf(0.01, ${levels})(durations, ${condition})`,
    usersState: 'uniqCombined64MergeState(12)(users)',
    durationsState: `quantilesDDMergeState(0.01, ${levels})(durations)`,
    during: hourly
      ? bounds(
          'hour',
          (name) => `{${name}:UInt32}`,
          (ms) => Math.max(0, Math.ceil(ms / 1000)),
        )
      : bounds(
          'day',
          (name) => `{${name}:Date}`,
          (ms) => new Date(Math.max(0, ms)).toISOString().slice(0, 10),
        ),
  };
}

export const inScope = ({ projectIds, environments, releases }: TransactionScope): readonly SqlPart[] => [
  inProjects(projectIds),
  inEnvironments(environments),
  releases.length
    ? { conditions: ['release IN {releases:Array(String)}'], params: { releases } }
    : { conditions: [], params: {} },
];

/** Those whose name has the text in it, any case; '' for all. */
export const named = (text: string): SqlPart =>
  text ? condition('positionCaseInsensitiveUTF8(transaction, {text:String}) > 0', { text }) : condition('1');

/** Of one condition more. */
export const condition = (sql: string, params: SqlPart['params'] = {}): SqlPart => ({ conditions: [sql], params });
