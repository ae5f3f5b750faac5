/** Columns of Explore as ClickHouse expressions. */
import type { DataSet, Field } from '@culprit/search';
import { type AggregateContext, aggregateSql } from './aggregates.ts';
import type { Bind } from './binding.ts';
import { expressionOf } from './expressions.ts';

export interface FieldSql {
  readonly sql: string;
  /** ClickHouse type of the expression; of arrays that of the array. */
  readonly type: string;
}

export type FieldOptions = Partial<Omit<AggregateContext, 'dataSet' | 'bind'>>;

/**
 * For SELECT, GROUP BY and ORDER BY. Absent text is ''; absent numbers are NULL. Throws `TypeError` for keys of issues,
 * and for rates without `rangeSeconds`.
 */
export function fieldSql(field: Field, dataSet: DataSet, bind: Bind, options: FieldOptions = {}): FieldSql {
  if (field.kind === 'function') return aggregateSql(field, { nowMs: Date.now(), ...options, dataSet, bind });
  const { sql, type } = expressionOf(field.key, dataSet, bind);
  return { sql, type };
}
