/** Trees of search terms, simplified as terms are decided. Negation stands at terms alone. */
import type { SearchNode, SearchTerm } from '@culprit/search';

/** A tree, or what has become of it: true for everything, false for nothing. */
export type Reduced = SearchNode | boolean;

export const isTerm = (node: SearchNode): node is SearchTerm => node.kind !== 'and' && node.kind !== 'or';

/** Words that ask for nothing. */
const isEmptyText = (term: SearchTerm): boolean => term.kind === 'text' && term.text === '';

/** What only the issue itself decides: its own fields, and the project that it is of. */
export function isIssueTerm(term: SearchTerm): boolean {
  if (term.kind === 'text' || !('place' in term.key)) return false;
  return term.key.place.kind === 'issue' || term.key.place.kind === 'project';
}

export function someTerm(node: SearchNode | undefined, is: (term: SearchTerm) => boolean): boolean {
  if (!node) return false;
  return isTerm(node) ? is(node) : node.nodes.some((one) => someTerm(one, is));
}

export const everyTerm = (node: SearchNode, is: (term: SearchTerm) => boolean): boolean =>
  !someTerm(node, (term) => !is(term));

/** The tree with what `decide` says put for terms; where it says nothing, the term stays. */
export function reduceTree(node: Reduced | undefined, decide: (term: SearchTerm) => Reduced | undefined): Reduced {
  if (node === undefined || typeof node === 'boolean') return node ?? true;
  if (isTerm(node)) return isEmptyText(node) ? true : (decide(node) ?? node);
  const reduced = node.nodes.map((one) => reduceTree(one, decide));
  return node.kind === 'and' ? allOf(reduced) : anyOf(reduced);
}

export function allOf(nodes: readonly Reduced[]): Reduced {
  if (nodes.includes(false)) return false;
  return joined('and', nodes);
}

export function anyOf(nodes: readonly Reduced[]): Reduced {
  if (nodes.includes(true)) return true;
  return joined('or', nodes);
}

function joined(kind: 'and' | 'or', nodes: readonly Reduced[]): Reduced {
  const left = nodes.filter((node) => typeof node !== 'boolean');
  const [only] = left;
  if (!only) return kind === 'and';
  return left.length === 1 ? only : { kind, nodes: left };
}

/** The subtrees that must all be fulfilled. */
export function conjuncts(node: SearchNode | undefined): readonly SearchNode[] {
  if (!node) return [];
  return node.kind === 'and' ? node.nodes.flatMap(conjuncts) : [node];
}

/** For comparing what is left of one tree: terms by their place in the query. */
export function keyOfReduced(node: Reduced): string {
  if (typeof node === 'boolean') return String(node);
  if (isTerm(node)) return `${node.start}-${node.end}`;
  return `${node.kind}(${node.nodes.map(keyOfReduced).join(' ')})`;
}
