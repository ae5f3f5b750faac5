/** The explanation of a hash made short: what counted first, what did not in one line for each reason. Pure. */

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
      /** The reason that all of them share; '' where none is told. */
      readonly why: string;
      /** `6 frames`, `2 parts`. */
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
  return `${nodes.length} ${nodes.every(({ id }) => id === 'frame') ? 'frames' : 'parts'}`;
}

/** A frame in one line, `checkout · scenario`: what counted in it, or what it has where nothing did. */
export function frameWords(frame: ExplainedNode): string {
  const valued = (frame.children ?? []).filter((child) => child.value !== undefined);
  const counting = valued.filter((child) => child.contributes);
  return (counting.length > 0 ? counting : valued)
    .slice(0, 3)
    .map((child) => child.value?.trim())
    .join(' · ');
}
