/** Items as they are written to the tree that they mean. */
import { because } from './reasons.ts';
import type { SearchItem, SearchNode, SearchProblem, SearchTerm } from './types.ts';

type Operator = Extract<SearchItem, { kind: 'operator' }>;

/** AND binds tighter than OR and stands wherever nothing is written. Undefined when nothing is filtered. */
export function treeOf(items: readonly SearchItem[]): SearchNode | undefined {
  const alternatives: SearchNode[][] = [[]];
  for (const item of items) {
    if (item.kind === 'operator') {
      if (item.operator === 'or') alternatives.push([]);
      continue;
    }
    const node = item.kind === 'group' ? treeOf(item.items) : item.kind === 'text' && !item.text ? undefined : item;
    if (node) alternatives.at(-1)?.push(node);
  }
  const nodes = alternatives.map((all) => joined('and', all));
  // An alternative that filters nothing lets everything pass.
  return nodes.includes(undefined) ? undefined : joined('or', nodes as SearchNode[]);
}

function joined(kind: 'and' | 'or', nodes: readonly SearchNode[]): SearchNode | undefined {
  if (nodes.length < 2) return nodes[0];
  return { kind, nodes: nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node])) };
}

export const isAggregate = (term: SearchTerm): boolean => term.kind === 'filter' && term.key.scope === 'aggregate';

/** Which kinds of terms stand in it: about rows, about groups of rows. */
function mixOf(item: SearchItem): { rows: boolean; aggregates: boolean } {
  if (item.kind === 'operator') return { rows: false, aggregates: false };
  if (item.kind !== 'group') return { rows: !isAggregate(item), aggregates: isAggregate(item) };
  const mixes = item.items.map(mixOf);
  return { rows: mixes.some((mix) => mix.rows), aggregates: mixes.some((mix) => mix.aggregates) };
}

/** What rows must fulfil and what groups of them are two steps of a query, and so cannot be alternatives. */
export function checkAlternatives(items: readonly SearchItem[]): SearchProblem[] {
  const within = items.flatMap((item) => (item.kind === 'group' ? checkAlternatives(item.items) : []));
  const or = items.find((item): item is Operator => item.kind === 'operator' && item.operator === 'or');
  const mixes = or ? items.map(mixOf) : [];
  if (!or || !mixes.some((mix) => mix.rows) || !mixes.some((mix) => mix.aggregates)) return within;
  return [
    ...within,
    { code: 'aggregates-may-not-be-ored', ...because('aggregatesNotOred'), at: 'OR', start: or.start, end: or.end },
  ];
}
