/** Groups of events and spans with their aggregates, as they are stored. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { createBinder } from '../search/index.ts';
import type { Stored, StoredRow } from './cells.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { groupsOfIssues } from './issue-groups.ts';
import { type IssueTerms } from './issue-terms.ts';
import type { SeriesQuestion } from './read-question.ts';
import { sourceOf } from './sources.ts';
import { defaultSort, havingOf, isIssue, orderBy, queryOptions, sqlOf } from './sql.ts';
import type { ExploreStores, TableQuestion } from './types.ts';

export interface GroupPage {
  readonly limit: number;
  readonly offset: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
  /** Columns beside those that were asked for, with their parameters. */
  readonly beside?: GroupKeys | undefined;
}

/** Columns are `f0`, `f1`, … */
export async function readGroups(
  stores: ExploreStores,
  question: TableQuestion,
  issueTerms: IssueTerms,
  { limit, offset, signal, maxSeconds, beside }: GroupPage,
): Promise<StoredRow[]> {
  const { columns, dataSet, query } = question;
  const { params, bind } = createBinder('asked');
  const sort = question.sort.length ? question.sort : defaultSort(columns, dataSet);
  const fields = [...columns, ...sort].map(({ field }) => field);
  const source = sourceOf(dataSet, query.groups ? undefined : columnsRead(query.rows, fields));
  const scope = where(conditionsOf(question, source, query.rows, issueTerms));
  const having = havingOf(question);
  const selected: string[] = [];
  const keys: string[] = [];
  for (const [index, { field }] of columns.entries()) {
    const sql = isIssue(field)
      ? await groupsOfIssues(stores, question, query, issueTerms, bind)
      : sqlOf(field, question, bind);
    selected.push(`${sql} AS f${index}`);
    if (field.kind === 'key') keys.push(`f${index}`);
  }
  selected.push(...(beside?.sql ?? []));
  const order = sort.map((one) => {
    const index = columns.findIndex(({ field }) => field.name === one.field.name);
    return orderBy(one, index < 0 ? sqlOf(one.field, question, bind) : `f${index}`);
  });
  return stores.events.query<StoredRow>(
    `SELECT ${selected.join(', ')} FROM ${source.table} WHERE ${scope.sql}
     ${keys.length ? `GROUP BY ${keys.join(', ')}` : ''} HAVING ${having.sql}
     ORDER BY ${[...order, ...keys].join(', ')}
     LIMIT {rowLimit:UInt32} OFFSET {rowOffset:UInt32}`,
    { ...scope.params, ...having.params, ...params, ...beside?.params, rowLimit: limit, rowOffset: offset },
    queryOptions(signal, maxSeconds),
  );
}

/** SQL, such as of what a series each is made for, with its parameters. */
export interface GroupKeys {
  readonly sql: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** The values of the groups that a series each is made of, the first by the sort first. */
export async function topGroups(
  events: Events,
  question: SeriesQuestion,
  issueTerms: IssueTerms,
  keys: GroupKeys,
  signal: AbortSignal | undefined,
): Promise<Stored[][]> {
  const { axes, groupBy, dataSet, query } = question;
  const { params, bind } = createBinder('top');
  const sort = question.sort.length ? question.sort : defaultSort(axes, dataSet);
  const fields = [...groupBy, ...sort].map(({ field }) => field);
  const source = sourceOf(dataSet, query.groups ? undefined : columnsRead(query.rows, fields));
  const scope = where(conditionsOf(question, source, query.rows, issueTerms));
  const having = havingOf(question);
  const order = sort.map((one) => {
    const index = groupBy.findIndex(({ field }) => field.name === one.field.name);
    return orderBy(one, index < 0 ? sqlOf(one.field, question, bind) : `f${index}`);
  });
  const names = keys.sql.map((_, index) => `f${index}`);
  const rows = await events.query<StoredRow>(
    `SELECT ${keys.sql.map((key, index) => `${key} AS f${index}`).join(', ')} FROM ${source.table} WHERE ${scope.sql}
     GROUP BY ${names.join(', ')} HAVING ${having.sql}
     ORDER BY ${[...order, ...names].join(', ')} LIMIT {topLimit:UInt32}`,
    { ...scope.params, ...having.params, ...keys.params, ...params, topLimit: question.top },
    queryOptions(signal),
  );
  return rows.map((row) => names.map((name) => row[name] ?? null));
}
