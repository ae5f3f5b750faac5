/** The explanation of a hash made short: what counted first, what did not in one line for each reason. Pure. */
import * as m from '../../messages/grouped-by.ts';

export interface ExplainedNode {
  readonly id: string;
  readonly name: string;
  readonly contributes: boolean;
  readonly why?: string | undefined;
  readonly value?: string | undefined;
  readonly children?: readonly ExplainedNode[] | undefined;
}

export type TreeRow =
  | { readonly kind: 'node'; readonly node: ExplainedNode }
  | {
      readonly kind: 'unused';
      /** The reason that all of them share; '' where there is none. */
      readonly why: string;
      /** `6 frames not used`, `2 parts not used`. */
      readonly words: string;
      readonly nodes: readonly ExplainedNode[];
    };

/** Frames are told the newest first, as stack traces show them; the explanation has them as the SDK sent them. */
const inReadingOrder = (nodes: readonly ExplainedNode[]): readonly ExplainedNode[] =>
  nodes.length > 0 && nodes.every(({ id }) => id === 'frame') ? nodes.toReversed() : nodes;

/** Parts that counted in their order, then those that did not: one row for a single one, else one for each reason. */
export function treeRows(nodes: readonly ExplainedNode[]): TreeRow[] {
  const ordered = inReadingOrder(nodes);
  const rows = ordered.filter((node) => node.contributes).map((node): TreeRow => ({ kind: 'node', node }));
  const unused = Map.groupBy(
    ordered.filter((node) => !node.contributes),
    (node) => node.why ?? '',
  );
  for (const [why, group] of unused) {
    const [only] = group;
    if (only && group.length === 1) rows.push({ kind: 'node', node: only });
    else rows.push({ kind: 'unused', why: reason(why), words: counted(group), nodes: group });
  }
  return rows;
}

/** The reason without the words that its place says already. */
export function reason(why: string): string {
  return why.replace(/^(?:not used|ignored): /, '');
}

function counted(nodes: readonly ExplainedNode[]): string {
  return (nodes.every(({ id }) => id === 'frame') ? m.frames : m.parts)({ count: nodes.length });
}

/** What the hash is about, in a few words: `TypeError · getPrice · price.js`. Of the first way to look at the event that counted. */
export function explanationTitle(nodes: readonly ExplainedNode[]): string {
  const found: { type?: string; frame?: ExplainedNode; text?: string } = {};
  const visit = (node: ExplainedNode, depth: number): void => {
    if (!node.contributes || depth > deepestTitle) return;
    if (node.id === 'frame') found.frame = node;
    else if (node.id === 'type') found.type ??= node.value;
    else if (!node.children?.length) found.text ??= node.value;
    for (const child of node.children ?? []) if (node.id !== 'frame') visit(child, depth + 1);
  };
  const first = nodes.find((node) => node.contributes);
  if (first) visit(first, 0);
  const partOf = (...ids: string[]): string | undefined =>
    found.frame?.children?.find(({ id, value }) => value && ids.includes(id))?.value;
  const place = found.frame ? [partOf('function'), partOf('filename', 'module')] : [found.text];
  return [found.type, ...place].filter((part) => part !== undefined && part !== '').join(' · ');
}

const deepestTitle = 12;

/** A frame in one line, `checkout · scenario`: what counted in it, or what it has where nothing did. */
export function frameWords(frame: ExplainedNode): string {
  const valued = (frame.children ?? []).filter((child) => child.value !== undefined);
  const counting = valued.filter((child) => child.contributes);
  return (counting.length > 0 ? counting : valued)
    .slice(0, 3)
    .map((child) => child.value?.trim())
    .join(' · ');
}
