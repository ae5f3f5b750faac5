/** Which segments a list of traces is about: requests of all transactions together, by time, in a table of their own. */
import { inEnvironments, inProjects, type SqlPart } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { condition } from './measures.ts';

/** Values that segments are filtered and counted by, with their text as SQL; '' where it is not known. */
const fieldColumns = {
  transaction: 'transaction',
  op: 'op',
  service: 'service',
  status: 'status',
  method: 'method',
  code: `if(code = 0, '', toString(code))`,
  environment: 'environment',
  release: 'release',
  browser: 'browser',
  os: 'os',
  user: 'user',
} as const;

export type SegmentField = keyof typeof fieldColumns;
export const segmentFields = Object.keys(fieldColumns) as [SegmentField, ...SegmentField[]];
export const columnOf = (field: SegmentField): string => fieldColumns[field];

export interface SegmentFilter {
  readonly projectIds: readonly number[];
  readonly range: TimeRange;
  /** One of the values of each field that is named. */
  readonly fields: Readonly<Partial<Record<SegmentField, readonly string[]>>>;
  /** Part of the transaction's name, any case; '' for all. */
  readonly text: string;
  readonly failed?: boolean | undefined;
  /** Durations from here on, µs. */
  readonly fromUs?: number | undefined;
  /** And below this. */
  readonly untilUs?: number | undefined;
  /** Within the range: begun at this time or later, ms since the epoch. */
  readonly sinceMs?: number | undefined;
  /** And before this. */
  readonly beforeMs?: number | undefined;
}

const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;

/** As conditions over `segments`. */
export function segmentsIn(filter: SegmentFilter): SqlPart[] {
  const { range, fields, text, failed, fromUs, untilUs, sinceMs = 0, beforeMs } = filter;
  const end = range.open ? beforeMs : Math.min(range.endMs, beforeMs ?? Infinity);
  return [
    condition(`started_at >= ${moment('segmentsFrom')}`, { segmentsFrom: Math.max(0, range.startMs, sinceMs) }),
    ...(end === undefined ? [] : [condition(`started_at < ${moment('segmentsUntil')}`, { segmentsUntil: end })]),
    inProjects(filter.projectIds),
    ...segmentFields.flatMap((field) => oneOf(field, fields[field] ?? [])),
    ...(text ? [condition('positionCaseInsensitiveUTF8(transaction, {text:String}) > 0', { text })] : []),
    ...(failed === undefined ? [] : [condition(`failed = ${failed ? 1 : 0}`)]),
    ...(fromUs === undefined ? [] : [condition('duration_us >= {fromUs:UInt64}', { fromUs })]),
    ...(untilUs === undefined ? [] : [condition('duration_us < {untilUs:UInt64}', { untilUs })]),
  ];
}

function oneOf(field: SegmentField, values: readonly string[]): SqlPart[] {
  if (!values.length) return [];
  if (field === 'environment') return [inEnvironments(values)];
  return [condition(`${columnOf(field)} IN {of_${field}:Array(String)}`, { [`of_${field}`]: values })];
}
