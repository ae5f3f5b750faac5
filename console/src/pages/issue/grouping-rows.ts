/** The explanation tree made short: pure. */
import type { GroupingNode } from '../../features/event/types.ts';

export type GroupingRow =
  | { readonly kind: 'node'; readonly node: GroupingNode }
  | { readonly kind: 'unused'; readonly nodes: readonly GroupingNode[] };

/** Runs of two and more neighbours that did not count become one row. */
export function groupingRows(nodes: readonly GroupingNode[]): GroupingRow[] {
  const rows: GroupingRow[] = [];
  let unused: GroupingNode[] = [];
  const flush = (): void => {
    const [only] = unused;
    if (only && unused.length === 1) rows.push({ kind: 'node', node: only });
    else if (unused.length > 1) rows.push({ kind: 'unused', nodes: unused });
    unused = [];
  };
  for (const node of nodes) {
    if (!node.contributes) {
      unused.push(node);
      continue;
    }
    flush();
    rows.push({ kind: 'node', node });
  }
  flush();
  return rows;
}

/** What counted in a call, in one line: `checkout · scenario`. */
export function frameWords(frame: GroupingNode): string {
  const counted = (frame.children ?? []).filter((child) => child.contributes && child.value !== undefined);
  const shown = counted.length > 0 ? counted : (frame.children ?? []).filter((child) => child.value !== undefined);
  return shown
    .slice(0, 3)
    .map((child) => child.value?.trim())
    .join(' · ');
}
