/**
 * Trees of search terms as conditions: on rows for WHERE, on aggregates of them for HAVING. Every value is a bound
 * parameter; each condition is in brackets and never NULL.
 */
import { type DataSet, isAggregate, type SearchNode, type SearchTerm } from '@culprit/search';
import { aggregateCondition } from './aggregates.ts';
import { createBinder } from './binding.ts';
import { compileTerm, type TermOptions } from './terms.ts';

export interface FilterOptions extends TermOptions {
  /** Parameters are called by it and a number; `search` unless told. Two filters in one query need two. */
  readonly prefix?: string;
  /** Seconds that the rows cover, which rates are per. */
  readonly rangeSeconds?: number;
}

export interface CompiledFilter {
  /** Joined by AND. Empty: everything. */
  readonly conditions: string[];
  readonly params: Record<string, unknown>;
}

function compileTree(node: SearchNode, compile: (term: SearchTerm) => string): string {
  if (!('nodes' in node)) return compile(node);
  return `(${node.nodes.map((one) => compileTree(one, compile)).join(node.kind === 'and' ? ' AND ' : ' OR ')})`;
}

const parts = (node: SearchNode | undefined): readonly SearchNode[] =>
  node === undefined ? [] : node.kind === 'and' ? node.nodes : [node];

/** For WHERE. Throws `TypeError` for terms about aggregates, and about issues where `issueTerm` is not given. */
export function compileFilter(node: SearchNode | undefined, dataSet: DataSet, options: FilterOptions): CompiledFilter {
  const { bind, params } = createBinder(options.prefix);
  const context = { ...options, dataSet, bind };
  const conditions = parts(node).map((one) => compileTree(one, (term) => compileTerm(term, context)));
  return { conditions, params };
}

/** For HAVING. Throws `TypeError` for terms about rows. */
export function compileHaving(node: SearchNode | undefined, dataSet: DataSet, options: FilterOptions): CompiledFilter {
  const { bind, params } = createBinder(options.prefix ?? 'having');
  const context = { ...options, dataSet, bind };
  const conditions = parts(node).map((one) => compileTree(one, (term) => aggregateCondition(term, context)));
  return { conditions, params };
}

const hasAggregates = (node: SearchNode): boolean =>
  'nodes' in node ? node.nodes.some(hasAggregates) : isAggregate(node);

const all = (nodes: readonly SearchNode[]): SearchNode | undefined =>
  nodes.length > 1 ? { kind: 'and', nodes } : nodes[0];

/**
 * A query about both in two: what rows must fulfil and what groups of them. No alternative has both, which the parser
 * sees to.
 */
export function splitAggregates(root: SearchNode | undefined): {
  readonly rows: SearchNode | undefined;
  readonly aggregates: SearchNode | undefined;
} {
  const nodes = parts(root);
  return {
    rows: all(nodes.filter((node) => !hasAggregates(node))),
    aggregates: all(nodes.filter(hasAggregates)),
  };
}
