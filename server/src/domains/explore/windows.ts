/** One number for a window of time: what alerts compare. Many windows are asked for in one query. */
import { where } from '../../base/sql.ts';
import { createBinder, unionOf, type UnionPart } from '../search/index.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { type IssueProject, type IssueTerms, resolveIssueTerms } from './issue-terms.ts';
import type { SeriesQuestion } from './read-question.ts';
import { sourceOf } from './sources.ts';
import { queryOptions, sqlOf } from './sql.ts';
import type { ExploreStores } from './types.ts';

/** The first axis of the question over its range. */
export interface WindowQuestion {
  readonly question: SeriesQuestion;
  readonly projects: readonly IssueProject[];
}

export interface WindowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

/** Parts of one query: planning more of them costs more than asking twice. */
const partsOfQuery = 20;

/** In the order of the questions; null where there was nothing that a value could be made of. */
export async function readWindows(
  stores: ExploreStores,
  asked: readonly WindowQuestion[],
  { signal, maxSeconds }: WindowOptions = {},
): Promise<(number | null)[]> {
  const values: (number | null)[] = [];
  for (let from = 0; from < asked.length; from += partsOfQuery) {
    const chunk = asked.slice(from, from + partsOfQuery);
    const found = chunk.map((): number | null => null);
    const parts = await Promise.all(chunk.map((one) => windowPart(stores, one)));
    const union = unionOf(parts);
    const rows = await stores.events.query<{ part: number; value: number | null }>(
      union.sql,
      union.params,
      queryOptions(signal, maxSeconds),
    );
    for (const { part, value } of rows) found[part] = finite(value);
    values.push(...found);
  }
  return values;
}

async function windowPart(stores: ExploreStores, { question, projects }: WindowQuestion): Promise<UnionPart> {
  if (!question.projects.length) return { sql: "SELECT CAST(NULL, 'Nullable(Float64)') AS value", params: {} };
  const { source, scope, axis, params } = partsOf(
    question,
    await resolveIssueTerms(stores.state, projects, question.query),
  );
  return {
    sql: `SELECT toFloat64(${axis}) AS value FROM ${source} WHERE ${scope.sql}`,
    params: { ...scope.params, ...params },
  };
}

/**
 * The same for each window of a length that begins a step after the one before, over the range of the question: by the
 * start of the window, ms since the epoch. Windows without a row are left out. `stepMs` divides `windowMs`.
 */
export async function readSlidingWindows(
  stores: ExploreStores,
  { question, projects }: WindowQuestion,
  { windowMs, stepMs }: { readonly windowMs: number; readonly stepMs: number },
  { signal, maxSeconds }: WindowOptions = {},
): Promise<Map<number, number | null>> {
  if (!question.projects.length) return new Map();
  const terms = await resolveIssueTerms(stores.state, projects, question.query);
  // Rates are per the time of a window.
  const each = { ...question, range: { startMs: 0, endMs: windowMs, open: false } };
  const { source, scope, axis, params, timeColumn } = partsOf(question, terms, each);
  const firstMs = Math.floor(question.range.startMs / stepMs) * stepMs;
  const rows = await stores.events.query<{ slot: number; value: number | null }>(
    `SELECT intDiv(toUnixTimestamp64Milli(${timeColumn}) - {firstMs:Int64}, {stepMs:Int64}) - arrayJoin(range({overlap:UInt32})) AS slot,
       toFloat64(${axis}) AS value
     FROM ${source} WHERE ${scope.sql} GROUP BY slot ORDER BY slot`,
    { ...scope.params, ...params, firstMs, stepMs, overlap: Math.max(1, Math.round(windowMs / stepMs)) },
    queryOptions(signal, maxSeconds),
  );
  return new Map(rows.map(({ slot, value }) => [firstMs + slot * stepMs, finite(value)]));
}

function partsOf(question: SeriesQuestion, terms: IssueTerms, axisOf: SeriesQuestion = question) {
  const { params, bind } = createBinder('asked');
  const [axis] = question.axes;
  if (!axis) throw new TypeError('a window needs an aggregate');
  const source = sourceOf(question.dataSet, columnsRead(question.query.rows, [axis.field]));
  return {
    source: source.table,
    timeColumn: source.timeColumn,
    scope: where(conditionsOf(question, source, question.query.rows, terms)),
    axis: sqlOf(axis.field, axisOf, bind),
    params,
  };
}

/** Of nothing, averages are not a number. */
const finite = (value: number | null): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
