/** Groups and counts from a sample, in place of all rows. */
import { where } from '../../../base/sql.ts';
import type { Events } from '../../../ports/events/events.ts';
import { createBinder } from '../../search/index.ts';
import type { StoredRow } from '../cells.ts';
import { columnsRead, conditionsOf } from '../conditions.ts';
import { groupsOfIssues } from '../issue-groups.ts';
import type { IssueTerms } from '../issue-terms.ts';
import { sourceOf } from '../sources.ts';
import { isIssue, queryOptions, sqlOf } from '../sql.ts';
import type { ExploreScope, ExploreStores, TableQuestion } from '../types.ts';
import { estimable, planSample, type SamplingRequest } from './plan.ts';
import { shareOf } from './sample.ts';
import { type Estimated, estimatesOf, type SampleRow, sampleSql } from './statement.ts';

export interface EstimatedGroups {
  /** Columns are `f0`, `f1`, … */
  readonly rows: readonly StoredRow[];
  readonly share: number;
  /** By row and by column; undefined for what rows are grouped by. */
  readonly intervals: readonly (readonly (Estimated['interval'] | undefined)[])[];
}

/** With rows of a question in fewer, all of them are read: next to nothing could be said. */
const fewestOfAll = 20;

export const saysEnough = (rows: readonly Pick<SampleRow, 'stretches'>[]): boolean =>
  new Set(rows.flatMap(({ stretches }) => stretches.map(([stretch]) => stretch))).size >= fewestOfAll;

/** Undefined where the question is answered from all rows. */
export async function estimateGroups(
  stores: ExploreStores,
  question: TableQuestion,
  issueTerms: IssueTerms,
  limit: number,
  request: SamplingRequest,
): Promise<EstimatedGroups | undefined> {
  const { columns, query, dataSet } = question;
  const { params, bind } = createBinder('asked');
  const asked = estimable(question, columns, bind);
  if (!asked) return undefined;
  const fields = [...columns, ...question.sort].map(({ field }) => field);
  const source = sourceOf(dataSet, columnsRead(query.rows, fields));
  const sample = await planSample(stores.events, question, source, issueTerms, request);
  if (!sample) return undefined;
  const sampled: TableQuestion = { ...question, sample };
  const keys = await Promise.all(
    columns.flatMap(({ field }) =>
      field.kind !== 'key'
        ? []
        : [
            isIssue(field)
              ? groupsOfIssues(stores, sampled, query, issueTerms, bind)
              : Promise.resolve(sqlOf(field, question, bind)),
          ],
    ),
  );
  const scope = where(conditionsOf(sampled, source, query.rows, issueTerms));
  const sql = sampleSql(
    { table: source.table, where: scope.sql, keys, aggregates: asked.parts, sort: asked.sort, limit },
    sample,
  );
  const stored = await stores.events.query<SampleRow>(
    sql,
    { ...scope.params, ...params },
    queryOptions(request.signal),
  );
  if (!saysEnough(stored)) return undefined;
  const read = stored.map((row) => toColumns(row, question, estimatesOf(row, asked.parts, sample)));
  return {
    rows: read.map(({ values }) => Object.fromEntries(values.map((value, index) => [`f${index}`, value]))),
    share: shareOf(sample),
    intervals: read.map(({ intervals }) => intervals),
  };
}

/** How many rows a question finds; undefined where all are counted. */
export async function estimateCount(
  events: Events,
  question: ExploreScope & Pick<TableQuestion, 'query'>,
  issueTerms: IssueTerms,
  request: SamplingRequest,
) {
  const { query, dataSet } = question;
  // What is known by the sort key alone is counted in no time.
  if (!query.rows) return undefined;
  const source = sourceOf(dataSet, columnsRead(query.rows, []));
  const sample = await planSample(events, question, source, issueTerms, request);
  if (!sample) return undefined;
  const scope = where(conditionsOf({ ...question, sample }, source, query.rows, issueTerms));
  const aggregates = [{ kind: 'total', sql: 'count()', per: 1, counts: true }] as const;
  const [row] = await events.query<SampleRow>(
    sampleSql({ table: source.table, where: scope.sql, keys: [], aggregates, sort: [], limit: 1 }, sample),
    scope.params,
    queryOptions(request.signal),
  );
  const [found] = row && saysEnough([row]) ? estimatesOf(row, aggregates, sample) : [];
  if (typeof found?.value !== 'number') return undefined;
  return { count: found.value, estimated: { share: shareOf(sample), interval: found.interval } };
}

/** Keys and estimates, each in their order, as the columns stand. */
function toColumns(row: SampleRow, { columns }: TableQuestion, estimates: readonly Estimated[]) {
  let [key, estimate] = [0, 0];
  const cells = columns.map(({ field }) =>
    field.kind === 'key' ? { value: row[`k${key++}`] ?? null, interval: undefined } : estimates[estimate++],
  );
  return {
    values: cells.map((cell) => cell?.value ?? null),
    intervals: cells.map((cell) => cell?.interval),
  };
}
