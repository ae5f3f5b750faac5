/** Aggregates over time: of all rows together, or of each of the groups that have the most. */
import type { Field } from '@culprit/search';
import { where } from '../../base/sql.ts';
import { type Bind, createBinder } from '../search/index.ts';
import { bucketsOf, type Buckets } from './buckets.ts';
import { type Stored, toCell } from './cells.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { topGroups } from './groups.ts';
import { groupsOfIssues } from './issue-groups.ts';
import { refuseExpensiveQuestion } from './expensive.ts';
import { type IssueProject, type IssueTerms, resolveIssueTerms } from './issue-terms.ts';
import type { SeriesQuestion } from './read-question.ts';
import { sourceOf } from './sources.ts';
import { isIssue, queryOptions, sqlOf } from './sql.ts';
import { issuesIn } from './table.ts';
import type { Cell, ExploreStores } from './types.ts';

export interface SeriesGroup {
  /** By what was grouped by, in that order; empty for all rows together. */
  readonly values: readonly Cell[];
  readonly isOther: boolean;
  /** Of each axis one value a bucket; null where there was nothing that it could be made of. */
  readonly axes: readonly (readonly (number | null)[])[];
}

export interface Series {
  readonly buckets: Buckets;
  /** The largest first, the rest last. */
  readonly groups: readonly SeriesGroup[];
}

export interface SeriesOptions {
  readonly intervalMs: number | undefined;
  /** With a series of what is in none of the groups. */
  readonly withOther: boolean;
  readonly signal?: AbortSignal | undefined;
}

export async function readSeriesOf(
  stores: ExploreStores,
  question: SeriesQuestion,
  projects: readonly IssueProject[],
  { intervalMs, withOther, signal }: SeriesOptions,
): Promise<Series> {
  const buckets = bucketsOf(question.range, intervalMs);
  const { axes, groupBy } = question;
  const empty = axes.map(({ field }) => emptySeries(field, buckets));
  if (!question.projects.length) return { buckets, groups: groupBy.length ? [] : [allRows(empty)] };
  const issueTerms = await resolveIssueTerms(stores.state, projects, question.query);
  await refuseExpensiveQuestion(stores, question, issueTerms, signal);
  if (!groupBy.length) {
    const rows = await readBuckets(stores, question, issueTerms, buckets, undefined, signal);
    return { buckets, groups: [allRows(filled(question, buckets, rows))] };
  }
  const { params, bind } = createBinder('group');
  const sql = await Promise.all(
    groupBy.map(async ({ field }) =>
      isIssue(field)
        ? groupsOfIssues(stores, question, question.query, issueTerms, bind)
        : sqlOf(field, question, bind),
    ),
  );
  const top = await topGroups(stores.events, question, issueTerms, { sql, params: { ...params } }, signal);
  if (!top.length) return { buckets, groups: [] };
  const part = partOf(sql, top, bind);
  const rows = await readBuckets(stores, question, issueTerms, buckets, { part, params, withOther }, signal);
  const byPart = Map.groupBy(rows, (row) => row.part);
  const issues = await issuesIn(
    stores.state,
    top.map((values) => Object.fromEntries(values.map((value, index) => [`f${index}`, value]))),
    groupBy.flatMap(({ field }, index) => (isIssue(field) ? [`f${index}`] : [])),
  );
  const place = { projects: new Map(projects.map((one) => [one.id, one])), issues };
  const groups = top.map((values, index) => ({
    values: groupBy.map(({ field }, at) => toCell(field, values[at] ?? null, place)),
    isOther: false,
    axes: filled(question, buckets, byPart.get(index) ?? []),
  }));
  const others = byPart.get(-1);
  if (others) groups.push({ values: [], isOther: true, axes: filled(question, buckets, others) });
  return { buckets, groups };
}

const allRows = (axes: SeriesGroup['axes']): SeriesGroup => ({ values: [], isOther: false, axes });

interface BucketRow {
  readonly part: number;
  readonly bucket: number;
  readonly [axis: `a${number}`]: number | string | null;
}

interface Grouping {
  /** SQL of the index of the group; -1 for none of them. */
  readonly part: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly withOther: boolean;
}

function readBuckets(
  { events }: ExploreStores,
  question: SeriesQuestion,
  issueTerms: IssueTerms,
  { startMs, bucketMs, count }: Buckets,
  grouping: Grouping | undefined,
  signal: AbortSignal | undefined,
): Promise<BucketRow[]> {
  const { axes, groupBy, dataSet, query } = question;
  const { params, bind } = createBinder('asked');
  const fields = [...axes, ...groupBy].map(({ field }) => field);
  const source = sourceOf(dataSet, columnsRead(query.rows, fields));
  const scope = where(conditionsOf(question, source, query.rows, issueTerms));
  // Rates are per the time of a bucket.
  const each = { ...question, range: { startMs: 0, endMs: bucketMs, open: false } };
  const selected = axes.map(({ field }, index) => `${sqlOf(field, each, bind)} AS a${index}`);
  const part = grouping?.part ?? '0';
  return events.query<BucketRow>(
    `SELECT toInt32(${part}) AS part,
       least(intDiv(toUnixTimestamp64Milli(${source.timeColumn}) - {bucketStart:Int64}, {bucketMs:Int64}), {bucketLast:Int64}) AS bucket,
       ${selected.join(', ')}
     FROM ${source.table} WHERE ${scope.sql}${grouping && !grouping.withOther ? ` AND ${part} >= 0` : ''}
     GROUP BY part, bucket ORDER BY part, bucket`,
    {
      ...scope.params,
      ...params,
      ...grouping?.params,
      bucketStart: startMs,
      bucketMs,
      bucketLast: count - 1,
    },
    queryOptions(signal),
  );
}

/** Which of the groups a row is in. Values are compared as text, lists element by element, and what is missing with what is missing. */
function partOf(keys: readonly string[], groups: readonly (readonly Stored[])[], bind: Bind): string {
  const branches = groups.map((values, index) => {
    const equal = keys.map((key, at) => {
      const value = values[at] ?? null;
      if (value === null) return `isNull(${key})`;
      return Array.isArray(value)
        ? `arrayMap(one -> toString(one), ${key}) = ${bind('Array(String)', value.map(String))}`
        : `ifNull(toString(${key}) = ${bind('String', textOf(value))}, 0)`;
    });
    return `${equal.join(' AND ')}, ${index}`;
  });
  return `multiIf(${branches.join(', ')}, -1)`;
}

const textOf = (value: Stored): string => (typeof value === 'boolean' ? String(Number(value)) : String(value));

/** What is counted is none where there was nothing; a percentile of nothing is not known. */
function emptySeries({ type, kind, ...field }: Field, { count }: Pick<Buckets, 'count'>): (number | null)[] {
  const counts =
    type === 'rate' || (kind === 'function' && /^(count|sum|failure_count)/.test('key' in field ? field.key.name : ''));
  return Array.from({ length: count }, () => (counts ? 0 : null));
}

function filled({ axes }: SeriesQuestion, buckets: Buckets, rows: readonly BucketRow[]): (number | null)[][] {
  return axes.map(({ field }, index) => {
    const values = emptySeries(field, buckets);
    for (const row of rows) {
      const value = row[`a${index}`];
      if (row.bucket >= 0 && row.bucket < values.length && value !== null) values[row.bucket] = toNumber(value);
    }
    return values;
  });
}

/** Times are text; over time they are ms since the epoch. */
function toNumber(value: number | string | undefined): number | null {
  if (typeof value === 'number') return value;
  const ms = Date.parse(`${String(value).replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? null : ms;
}
