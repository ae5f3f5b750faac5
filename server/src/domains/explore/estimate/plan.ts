/** Whether a question may be answered from a sample, and from which: what it would read is known from the index. */
import { parseField } from '@culprit/search';
import { type SqlPart, where } from '../../../base/sql.ts';
import type { Events } from '../../../ports/events/events.ts';
import { type AggregateParts, type Bind, partsOf } from '../../search/index.ts';
import { conditionsOf } from '../conditions.ts';
import type { IssueTerms } from '../issue-terms.ts';
import { languageOf, type Source } from '../sources.ts';
import { defaultSort, queryOptions, secondsOf } from '../sql.ts';
import type { Column, ExploreScope, ReadQuery, SortBy } from '../types.ts';
import { drawSample, type Sample, type SamplingLimits } from './sample.ts';

export interface SamplingRequest {
  readonly limits: SamplingLimits;
  readonly signal?: AbortSignal | undefined;
}

/** Until when tables are known to be so small that no question needs the index to be asked first. */
const knownForMs = 60_000;
/** They do not grow by more than the rest of it meanwhile. */
const smallPart = 0.8;
const smallTables = new WeakMap<Events, Map<string, number>>();

export function planSample(
  events: Events,
  question: ExploreScope & { readonly query: ReadQuery },
  source: Source,
  issueTerms: IssueTerms,
  request: SamplingRequest,
): Promise<Sample | undefined> {
  const scope = conditionsOf(question, source, question.query.rows, issueTerms);
  return planRows(events, { table: source.table, scope, nowMs: question.nowMs }, request);
}

/** Undefined where all rows may as well be read. */
export async function planRows(
  events: Events,
  { table, scope: conditions, nowMs }: { readonly table: string; readonly scope: SqlPart; readonly nowMs: number },
  { limits, signal }: SamplingRequest,
): Promise<Sample | undefined> {
  const small = smallTables.get(events) ?? new Map<string, number>();
  smallTables.set(events, small);
  const key = `${table} ${limits.exactRows}`;
  if ((small.get(key) ?? 0) > nowMs) return undefined;
  const scope = where(conditions);
  const [found] = await events.query<{ rows: number; tableRows: number }>(
    `SELECT (SELECT count() FROM ${table}) AS tableRows,
       ifNull((SELECT sum(rows) FROM (EXPLAIN ESTIMATE SELECT 1 FROM ${table} WHERE ${scope.sql})), 0) AS rows`,
    scope.params,
    queryOptions(signal),
  );
  const { rows = 0, tableRows = 0 } = found ?? {};
  if (tableRows < smallPart * limits.exactRows) small.set(key, nowMs + knownForMs);
  return drawSample(Number(rows), Number(tableRows), limits);
}

export interface EstimablePart {
  readonly parts: readonly AggregateParts[];
  /** Places in `parts`. */
  readonly sort: readonly number[];
}

type Asked = Pick<ExploreScope, 'dataSet' | 'range' | 'nowMs'> & {
  readonly query: ReadQuery;
  readonly sort: readonly SortBy[];
};

/**
 * The aggregates of the columns, in their order, and those that groups are sorted by. Undefined where a sample is no
 * answer: for different values, for conditions on groups, and for the smallest groups, which it has not.
 */
export function estimable(question: Asked, columns: readonly Column[], bind: Bind): EstimablePart | undefined {
  const { dataSet, query, range, nowMs } = question;
  if (query.groups) return undefined;
  const functions = columns.flatMap(({ field }) => (field.kind === 'function' ? [field] : []));
  const sorts = question.sort.length ? question.sort : defaultSort(columns, dataSet);
  const dataSetOf = languageOf(dataSet);
  const context = { dataSet: dataSetOf, bind, nowMs, rangeSeconds: secondsOf(range) };
  const parts = functions.map((field) => partsOf(field, context));
  const sort: number[] = [];
  for (const { field, descending } of sorts) {
    if (field.kind !== 'function' || !descending) return undefined;
    let place = functions.findIndex(({ name }) => name === field.name);
    if (place < 0) place = parts.push(partsOf(field, context)) - 1;
    sort.push(place);
  }
  if (!parts.length) {
    const count = parseField('count()', dataSetOf);
    if (!('code' in count) && count.kind === 'function') parts.push(partsOf(count, context));
  }
  const known = parts.filter((one) => one !== undefined);
  return known.length === parts.length ? { parts: known, sort } : undefined;
}
