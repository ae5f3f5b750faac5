/** Columns of Explore as ClickHouse expressions. */
import type { DataSet, Field } from '@culprit/search';
import type { Bind } from './filter.ts';

export interface FieldSql {
  readonly sql: string;
  /** ClickHouse type of the expression. */
  readonly type: string;
}

export interface FieldOptions {
  /** Seconds that the rows cover, which rates are per. */
  readonly rangeSeconds?: number;
}

/** For SELECT, GROUP BY and ORDER BY. */
export const fieldSql = (_field: Field, _dataSet: DataSet, _bind: Bind, _options: FieldOptions = {}): FieldSql => ({
  sql: "''",
  type: 'String',
});
