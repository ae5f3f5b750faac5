/** What a trace waited for: from the end of its longest root backwards, always into the child that ended last. */
import type { CriticalStretch, TreeRow, TreeSpan } from './types.ts';
import { isWebVital } from './web-vital.ts';

interface Visit {
  readonly row: number;
  /** Children by end, the last of them last; the visit takes them from the end. */
  readonly children: number[];
  readonly startUs: number;
  /** What its children do after this is of no concern. */
  readonly endUs: number;
  /** Up to where this span is the reason, going backwards. */
  cursorUs: number;
}

/** Stretches by time, which together are the whole of the longest root. Rows as `buildTree` orders them. */
export function findCriticalPath<Span extends TreeSpan>(rows: readonly TreeRow<Span>[]): CriticalStretch[] {
  let root = -1;
  for (let at = 0; at < rows.length; at += 1 + (rows[at]?.below ?? 0)) {
    if ((rows[at]?.span.durationUs ?? -1) > (rows[root]?.span.durationUs ?? -1)) root = at;
  }
  const childrenOf = (parent: number): number[] => {
    const children: number[] = [];
    const last = parent + (rows[parent]?.below ?? 0);
    for (let at = parent + 1; at <= last; at += 1 + (rows[at]?.below ?? 0)) {
      const row = rows[at];
      if (row && !isWebVital(row.span)) children.push(at);
    }
    return children;
  };
  const endOf = (index: number): number => {
    const row = rows[index];
    return row ? row.startUs + row.span.durationUs : 0;
  };
  const startOf = (index: number): number => rows[index]?.startUs ?? 0;
  const visit = (row: number, fromUs: number, untilUs: number): Visit => ({
    row,
    children: childrenOf(row).sort((a, b) => endOf(a) - endOf(b) || startOf(b) - startOf(a)),
    startUs: Math.max(startOf(row), fromUs),
    endUs: untilUs,
    cursorUs: untilUs,
  });
  const stretches: CriticalStretch[] = [];
  const add = (row: number, fromUs: number, untilUs: number): void => {
    if (untilUs > fromUs) stretches.push({ row, startUs: fromUs, durationUs: untilUs - fromUs });
  };
  const open: Visit[] = root < 0 ? [] : [visit(root, -Infinity, endOf(root))];
  for (let at = open.at(-1); at; at = open.at(-1)) {
    const child = at.children.pop();
    if (child === undefined) {
      add(at.row, at.startUs, at.cursorUs);
      open.pop();
      continue;
    }
    // What ended later than the path has come back to, or began before its parent, explains nothing here.
    const ended = Math.min(endOf(child), at.endUs);
    const began = Math.max(startOf(child), at.startUs);
    if (ended > at.cursorUs || began >= ended) continue;
    add(at.row, ended, at.cursorUs);
    at.cursorUs = began;
    open.push(visit(child, began, ended));
  }
  return stretches.toReversed();
}
