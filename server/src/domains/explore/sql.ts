/** Fields, sorts and conditions on groups as SQL. */
import { type Field, parseField } from '@culprit/search';
import type { QueryOptions } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import type { ExactRange } from '../../base/time-range.ts';
import { type Bind, compileHaving, fieldSql } from '../search/index.ts';
import { languageOf } from './sources.ts';
import type { Column, ExploreDataSet, ExploreScope, ReadQuery, SortBy } from './types.ts';

export const isIssue = (field: Field): boolean => field.kind === 'key' && field.key.place.kind === 'issue';
const isProject = (field: Field): boolean => field.kind === 'key' && field.key.place.kind === 'project';

/** Seconds that a range covers, for rates. */
export const secondsOf = ({ startMs, endMs }: ExactRange): number => Math.max(1, (endMs - startMs) / 1000);

/** Of any field but those about issues. */
export function sqlOf(
  field: Field,
  { dataSet, range, nowMs }: Pick<ExploreScope, 'dataSet' | 'range' | 'nowMs'>,
  bind: Bind,
): string {
  if (isProject(field)) return 'project_id';
  return fieldSql(field, languageOf(dataSet), bind, { nowMs, rangeSeconds: secondsOf(range) }).sql;
}

export const orderBy = ({ descending }: SortBy, sql: string): string =>
  `${sql} ${descending ? 'DESC' : 'ASC'} NULLS LAST`;

/** For HAVING. */
export function havingOf({ query, dataSet, nowMs, range }: ExploreScope & { readonly query: ReadQuery }) {
  const rangeSeconds = secondsOf(range);
  return where(compileHaving(query.groups, languageOf(dataSet), { nowMs, prefix: 'having', rangeSeconds }));
}

/** Of groups for which nothing is said: the first aggregate, the largest first. */
export function defaultSort(columns: readonly Column[], dataSet: ExploreDataSet): SortBy[] {
  const aggregate = columns.find(({ field }) => field.kind === 'function')?.field;
  const field = aggregate ?? parseField('count()', languageOf(dataSet));
  return 'code' in field ? [] : [{ field, descending: true }];
}

export const queryOptions = (signal: AbortSignal | undefined, maxSeconds?: number): QueryOptions => ({
  ...(signal && { signal }),
  ...(maxSeconds !== undefined && { maxExecutionSeconds: maxSeconds }),
});
