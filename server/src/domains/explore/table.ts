/** Tables: rows themselves, the newest first, or groups of them with their aggregates. */
import type { Field } from '@culprit/search';
import { where } from '../../base/sql.ts';
import { estimateOf, hashKey, type IssueRow, issuesOfHashes } from '../issues/index.ts';
import type { State } from '../../ports/state/state.ts';
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
import { isIssue, queryOptions } from './sql.ts';
import type { Column, ExploreScope, ExploreStores, Row, TableQuestion } from './types.ts';

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
  /** By row, of counts of errors that a storm made estimates; undefined where all are right. */
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
    const withSpread = isSampled(question, projects);
    const stored = await readGroups(stores, question, issueTerms, { ...asked, withSpread });
    const rows = await toRows(state, question, projects, stored.slice(0, limit));
    const intervals = withSpread ? stormIntervals(question, stored.slice(0, limit)) : undefined;
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

const isCount = ({ field }: Column): boolean => field.kind === 'function' && field.name === 'count()';

/** Whether some count may be of a part of what a storm gathered. Of whole projects counts are right. */
const isSampled = (
  { dataSet, columns, query, range, environments }: TableQuestion,
  projects: readonly IssueProject[],
): boolean =>
  dataSet === 'errors' &&
  columns.some(isCount) &&
  (query.rows !== undefined || environments.length > 0 || columns.some(({ field }) => field.kind === 'key')) &&
  projects.some(({ sampledUntil }) => (sampledUntil ?? -1) >= range.startMs);

/** Undefined where all counts are right to 1 %. */
function stormIntervals({ columns }: TableQuestion, stored: readonly StoredRow[]): Sampling['intervals'] | undefined {
  const names = columns.flatMap((column, index) => (isCount(column) ? [{ text: column.text, name: `f${index}` }] : []));
  const intervals = stored.map((row) => {
    const sums = { own: Number(row['spread']), others: Infinity, largest: Number(row['largest']) };
    return Object.fromEntries(
      names.flatMap(({ text, name }): [string, CellInterval][] => {
        const found = estimateOf(Number(row[name]), 1, sums);
        return found ? [[text, [found.low, found.high]]] : [];
      }),
    );
  });
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
  const [row] = await events.query<{ n: number }>(
    `SELECT count() AS n FROM ${source.table} WHERE ${sql}`,
    params,
    queryOptions(signal),
  );
  return { count: row?.n ?? 0 };
}
