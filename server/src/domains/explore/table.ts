/** Tables: rows themselves, the newest first, or groups of them with their aggregates. */
import type { Field } from '@culprit/search';
import { where } from '../../base/sql.ts';
import { hashKey, type IssueRow, issuesOfHashes } from '../issues/index.ts';
import type { State } from '../../ports/state/state.ts';
import { createBinder, rowsCount } from '../search/index.ts';
import { type CellPlace, type StoredRow, toCell } from './cells.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { type EstimatedGroups, estimateCount, estimateGroups } from './estimate/groups.ts';
import type { SamplingLimits } from './estimate/sample.ts';
import type { CellInterval, IntervalEnd, Sampling } from './estimate/types.ts';
import { refuseExpensiveQuestion } from './expensive.ts';
import { readGroups } from './groups.ts';
import { type IssueProject, resolveIssueTerms } from './issue-terms.ts';
import { readHashOfRow } from './row-hash.ts';
import { readEvents, type RowPlace } from './rows.ts';
import { sourceOf } from './sources.ts';
import { defaultSort, isIssue, queryOptions } from './sql.ts';
import { type Spread, spreadColumns, spreadsOf, stormInterval, wasSampled } from './storm.ts';
import type { ExploreScope, ExploreStores, Row, TableQuestion } from './types.ts';

export interface TablePage {
  readonly limit: number;
  readonly offset: number;
  /** Of rows by time alone, instead of an offset: behind this one. */
  readonly after?: RowPlace | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After which it is given up; 30 unless told. */
  readonly maxSeconds?: number | undefined;
  /** Groups may be answered from a sample. */
  readonly sampling?: SamplingLimits | undefined;
}

export interface TableRows {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  /** Of the last row; undefined for groups. */
  readonly last: RowPlace | undefined;
  /** Where groups are estimated from a sample. */
  readonly sampling?: Sampling | undefined;
  /** By row, of counts and rates of errors that a storm made estimates; undefined where all are right. */
  readonly intervals?: Sampling['intervals'] | undefined;
}

export async function readTableRows(
  stores: ExploreStores,
  question: TableQuestion,
  projects: readonly IssueProject[],
  page: TablePage,
): Promise<TableRows> {
  const { state, events } = stores;
  const { limit } = page;
  if (!question.projects.length) return { rows: [], hasMore: false, last: undefined };
  const issueTerms = await resolveIssueTerms(state, projects, question.query);
  // An export has been given its time.
  if (page.maxSeconds === undefined) await refuseExpensiveQuestion(stores, question, issueTerms, page.signal);
  // One more tells whether there are more.
  const asked = { ...page, limit: limit + 1 };
  if (question.isGrouped) {
    const estimated =
      page.sampling && page.offset === 0
        ? await estimateGroups(stores, question, issueTerms, limit + 1, { ...page, limits: page.sampling })
        : undefined;
    if (estimated) {
      const rows = await toRows(state, question, projects, estimated.rows.slice(0, limit));
      return {
        rows,
        hasMore: estimated.rows.length > limit,
        last: undefined,
        sampling: samplingOf(question, estimated, rows.length),
      };
    }
    const { spreads, beside } = spreadOf(question, projects);
    const stored = await readGroups(stores, question, issueTerms, { ...asked, beside });
    const rows = await toRows(state, question, projects, stored.slice(0, limit));
    const intervals = stormIntervals(question, spreads, stored.slice(0, limit));
    return { rows, hasMore: stored.length > limit, last: undefined, intervals };
  }
  const stored = await readEvents(events, question, issueTerms, asked);
  const kept = stored.slice(0, limit);
  const [rows, last] = [await toRows(state, question, projects, kept), kept.at(-1)];
  return {
    rows,
    hasMore: stored.length > limit,
    last: last && { timeUs: last.rowTime, id: last.rowId },
  };
}

/** What tells how far counts and rates may be off, where a storm may have made them so. */
function spreadOf(question: TableQuestion, projects: readonly IssueProject[]) {
  const { params, bind } = createBinder('spread');
  const fields = question.columns.map(({ field }) => field);
  const isSplit = fields.some(({ kind }) => kind === 'key');
  const spreads = wasSampled(question, projects) ? spreadsOf(fields, question, isSplit, bind) : [];
  return { spreads, beside: { sql: spreadColumns(spreads), params } };
}

/** Undefined where all values are right to 1 %. */
function stormIntervals(
  { columns }: TableQuestion,
  spreads: readonly Spread[],
  stored: readonly StoredRow[],
): Sampling['intervals'] | undefined {
  const intervals = stored.map((row) =>
    Object.fromEntries(
      spreads.flatMap((spread): [string, CellInterval][] => {
        const found = stormInterval(row[`f${spread.at}`], row, spread);
        return found ? [[columns[spread.at]?.text ?? '', found]] : [];
      }),
    ),
  );
  return intervals.some((ofRow) => Object.keys(ofRow).length > 0) ? intervals : undefined;
}

function samplingOf({ columns }: TableQuestion, { share, intervals }: EstimatedGroups, rows: number): Sampling {
  // Ends of an interval are values of the column: times are written as it has them.
  const place = { projects: new Map(), issues: new Map() };
  return {
    share,
    intervals: intervals.slice(0, rows).map((ofRow) =>
      Object.fromEntries(
        columns.flatMap(({ text, field }, index): [string, CellInterval][] => {
          const interval = ofRow[index];
          return interval ? [[text, [toEnd(field, interval[0], place), toEnd(field, interval[1], place)]]] : [];
        }),
      ),
    ),
  };
}

function toEnd(field: Field, value: IntervalEnd, place: CellPlace): IntervalEnd {
  const cell = toCell(field, value, place);
  return typeof cell === 'number' || typeof cell === 'string' ? cell : null;
}

/** Rows with the names that were asked for, issues and projects as people know them. */
async function toRows(
  state: State,
  { columns, isGrouped }: TableQuestion,
  projects: readonly IssueProject[],
  stored: readonly StoredRow[],
): Promise<Row[]> {
  const names = columns.flatMap(({ field }, index) => (isIssue(field) ? [`f${index}`] : []));
  const place = {
    projects: new Map(projects.map((one) => [one.id, one])),
    issues: await issuesIn(state, stored, names),
  };
  return stored.map((row) =>
    // Of entries, so that a column that is called __proto__ is one like any other.
    Object.fromEntries([
      // So that every row can be opened.
      ...(isGrouped
        ? []
        : [
            ['id', row['rowId'] ?? null],
            ['project.name', place.projects.get(Number(row['rowProject']))?.slug ?? ''],
          ]),
      ...columns.map(({ text, field }, index) => [text, toCell(field, row[`f${index}`] ?? null, place)]),
    ]),
  ) as Row[];
}

/** The issues of hashes that stand in columns of these names. */
export async function issuesIn(
  state: State,
  rows: readonly StoredRow[],
  names: readonly string[],
): Promise<ReadonlyMap<string, IssueRow>> {
  if (!names.length) return new Map();
  const hashes = rows.flatMap((row) => names.map((name) => readHashOfRow(String(row[name] ?? ''))));
  const known = new Map(hashes.map((one) => [hashKey(one.projectId, one.hash), one]));
  return issuesOfHashes(state, [...known.values()]);
}

export interface RowCount {
  readonly count: number;
  /** Of errors, where those that are stored represent more; without an interval it is right to 1 %. */
  readonly represents?: { readonly count: number; readonly interval: CellInterval | undefined } | undefined;
  /** Where it is estimated from a sample. */
  readonly estimated?: { readonly share: number; readonly interval: CellInterval } | undefined;
}

/** How many rows a question finds. */
export async function countRows(
  { state, events }: ExploreStores,
  question: ExploreScope & Pick<TableQuestion, 'query'>,
  projects: readonly IssueProject[],
  { sampling, signal }: Pick<TablePage, 'sampling' | 'signal'> = {},
): Promise<RowCount> {
  if (!question.projects.length) return { count: 0 };
  const issueTerms = await resolveIssueTerms(state, projects, question.query);
  const estimated = sampling && (await estimateCount(events, question, issueTerms, { limits: sampling, signal }));
  if (estimated) return estimated;
  const source = sourceOf(question.dataSet, columnsRead(question.query.rows, []));
  const { sql, params } = where(conditionsOf(question, source, question.query.rows, issueTerms));
  const { params: asked, bind } = createBinder('spread');
  const [field] = defaultSort([], 'errors').map((one) => one.field);
  const isSampled = field !== undefined && wasSampled(question, projects);
  const [spread] = isSampled ? spreadsOf([field], question, false, bind) : [];
  const more = isSampled ? [`${rowsCount('events')} AS represented`, ...spreadColumns(spread ? [spread] : [])] : [];
  const [row] = await events.query<StoredRow & { readonly n: number }>(
    `SELECT ${['count() AS n', ...more].join(', ')} FROM ${source.table} WHERE ${sql}`,
    { ...params, ...asked },
    queryOptions(signal),
  );
  const [count, represented] = [row?.n ?? 0, Number(row?.['represented'] ?? 0)];
  if (!row || represented <= count) return { count };
  const interval = spread && stormInterval(represented, row, spread);
  return { count, represents: { count: represented, interval } };
}
