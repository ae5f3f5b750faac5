/** Aggregates taken apart into what can be told of all rows from a sample of them. */
import type { FunctionArgument, FunctionField } from '@culprit/search';
import { type AggregateContext, aggregateSql, conditionOf, rowsCount } from './aggregates.ts';
import { type Expression, expressionOf } from './expressions.ts';
import { present } from './terms.ts';

export type AggregateParts =
  /** Grows with the rows: `sql` of some of the rows, divided by `per`. */
  | { readonly kind: 'total'; readonly sql: string; readonly per: number; readonly counts: boolean }
  /** One total by another; `isShare`: of rows, so that it is from 0 to 1. */
  | { readonly kind: 'ratio'; readonly over: string; readonly under: string; readonly isShare: boolean }
  /** `sql`: a number of each row, or NULL. */
  | { readonly kind: 'percentile'; readonly sql: string; readonly share: number }
  /** The sample has one that is as great, or greater, or just any. */
  | { readonly kind: 'one'; readonly sql: string; readonly of: 'min' | 'max' | 'any' };

/** Undefined for what a sample says nothing about, such as how many different values there are. */
export function partsOf(field: FunctionField, context: AggregateContext): AggregateParts | undefined {
  const { name } = field.key;
  const [first, second] = field.args;
  const of = (argument: FunctionArgument | undefined): Expression => {
    if (argument?.kind !== 'key') throw new TypeError(`${field.name} needs a key`);
    return expressionOf(argument.key, context.dataSet, context.bind);
  };
  const whole = (): string => aggregateSql(field, context).sql;
  const total = (sql: string, counts: boolean, per = 1): AggregateParts => ({ kind: 'total', sql, counts, per });
  const one = (kind: 'min' | 'max' | 'any'): AggregateParts => ({ kind: 'one', sql: whole(), of: kind });
  const ratio = (over: string, under: string, isShare = false): AggregateParts => ({
    kind: 'ratio',
    over,
    under,
    isShare,
  });
  const rate = (sql: string, seconds: number): AggregateParts => {
    if (!context.rangeSeconds) throw new TypeError('a rate needs the time that the rows cover');
    return total(sql, false, context.rangeSeconds / seconds);
  };
  const percentile = /^p(\d{2,3})$/.exec(name)?.[1];
  const share =
    percentile === undefined
      ? name === 'percentile' && second?.kind === 'number'
        ? second.number
        : undefined
      : Number(percentile) / 100;
  if (share !== undefined) {
    if (share >= 1) return one('max');
    return share <= 0 ? one('min') : { kind: 'percentile', sql: of(first).sql, share };
  }
  switch (name) {
    case 'count':
      return total(rowsCount(context.dataSet, first && present(of(first))), true);
    case 'count_if':
      return total(rowsCount(context.dataSet, conditionOf(field.args, context)), true);
    case 'failure_count':
      return total('countIf(failed = 1)', true);
    case 'sum':
      return total(`ifNull(sum(${of(first).sql}), 0)`, false);
    case 'avg':
      return ratio(`ifNull(sum(${of(first).sql}), 0)`, `count(${of(first).sql})`);
    case 'percentage':
      return ratio(`ifNull(sum(${of(first).sql}), 0)`, `ifNull(sum(${of(second).sql}), 0)`);
    case 'failure_rate':
      return ratio('countIf(failed = 1)', 'count()', true);
    case 'apdex':
      return ratio(`ifNull(${whole()} * count(), 0)`, 'count()', true);
    case 'eps':
      return rate(rowsCount(context.dataSet), 1);
    case 'epm':
    case 'spm':
      return rate(rowsCount(context.dataSet), 60);
    case 'tps':
      return rate('countIf(is_segment = 1)', 1);
    case 'tpm':
      return rate('countIf(is_segment = 1)', 60);
    case 'min':
    case 'first_seen':
      return one('min');
    case 'max':
    case 'last_seen':
      return one('max');
    case 'any':
      return one('any');
    default:
      return undefined;
  }
}
