/** Trees of search terms as conditions on events and spans. Every value is a bound parameter. */
import type { DataSet, SearchNode, SearchTerm } from '@culprit/search';

export type Bind = (type: string, value: unknown) => string;

export interface FilterOptions {
  /** What relative times count from. */
  readonly nowMs: number;
  /** Parameters are called by it and a number; `search` unless told. Two filters in one query need two. */
  readonly prefix?: string;
  /** What `project:` and `project.id:` may name. */
  readonly projects?: readonly { readonly id: number; readonly slug: string }[];
  /** The condition of a term about issues, which rows know nothing of. Without it such a term throws. */
  readonly issueTerm?: (term: SearchTerm, bind: Bind) => string;
  /** Seconds that the rows cover, which rates in conditions on groups are per. */
  readonly rangeSeconds?: number;
}

export interface CompiledFilter {
  /** Joined by AND; each is one bracketed condition of ClickHouse SQL. Empty: everything. */
  readonly conditions: string[];
  readonly params: Record<string, unknown>;
}

/** For WHERE: terms about rows alone. */
export const compileFilter = (
  _node: SearchNode | undefined,
  _dataSet: DataSet,
  _options: FilterOptions,
): CompiledFilter => ({ conditions: [], params: {} });

/** For HAVING: terms about aggregates alone. */
export const compileHaving = (
  _node: SearchNode | undefined,
  _dataSet: DataSet,
  _options: FilterOptions,
): CompiledFilter => ({ conditions: [], params: {} });

/** A query about both in two: what rows must fulfil and what groups of them. */
export const splitAggregates = (
  root: SearchNode | undefined,
): { rows: SearchNode | undefined; aggregates: SearchNode | undefined } => ({ rows: root, aggregates: undefined });
