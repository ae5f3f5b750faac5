/**
 * The tree of a trace, in the order in which a waterfall shows it. A pure function of the spans, in n log n, without
 * recursion: a trace may be as deep as it has spans.
 *
 * Whatever was sent becomes a tree that has every span once: spans without their parent hang under their segment,
 * cycles are cut, clocks corrected; each row says what was done to it.
 */
import { findCriticalPath } from './critical-path.ts';
import { linkSpans } from './links.ts';
import { leastShift, sameClock } from './skew.ts';
import type { CriticalStretch, Gap, Tree, TreeRow, TreeSpan } from './types.ts';
import { isWebVital } from './web-vital.ts';

export interface TreeOptions {
  /** µs from which on a gap is told of; a fiftieth of the trace unless given, and at least 1 ms. */
  readonly gapThresholdUs?: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function buildTree<Span extends TreeSpan>(received: readonly Span[], options: TreeOptions = {}): Tree<Span> {
  const linked = linkSpans(received);
  const { spans, parents } = linked;
  const children = new Map<number, number[]>();
  for (const [index, parent] of parents.entries()) {
    const known = children.get(parent);
    if (known) known.push(index);
    else children.set(parent, [index]);
  }
  const roots = children.get(-1) ?? [];

  // Parents before children, so that a child is held against a parent that is corrected already.
  const starts = new Float64Array(spans.length);
  const shifts = new Float64Array(spans.length);
  const byStart = (a: number, b: number): number =>
    (starts[a] ?? 0) - (starts[b] ?? 0) ||
    (spans[b]?.durationUs ?? 0) - (spans[a]?.durationUs ?? 0) ||
    compare(spans[a]?.spanId, spans[b]?.spanId);
  const rows: Mutable<TreeRow<Span>>[] = [];
  const rowOf = new Int32Array(spans.length).fill(-1);
  for (const root of roots) starts[root] = spans[root]?.startUs ?? 0;
  const waiting = roots.toSorted((a, b) => byStart(b, a));
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const span = spans[index];
    if (!span) continue;
    const parentIndex = parents[index] ?? -1;
    const parentRow = parentIndex < 0 ? -1 : (rowOf[parentIndex] ?? -1);
    const parent = rows[parentRow];
    rowOf[index] = rows.length;
    rows.push({
      span,
      depth: parent ? parent.depth + 1 : 0,
      parent: parentRow,
      below: 0,
      startUs: starts[index] ?? span.startUs,
      shiftUs: shifts[index] ?? 0,
      selfUs: span.durationUs,
      orphan: linked.orphans.has(index),
      cycle: linked.cut.has(index),
      late: parent !== undefined && sameClock(parent.span, span) && span.startUs > endOf(parent.span),
      duplicates: linked.repeats.get(index) ?? 0,
      critical: false,
    });
    const own = children.get(index) ?? [];
    for (const child of own) {
      const below = spans[child];
      if (!below) continue;
      const startUs = starts[index] ?? 0;
      const shift = sameClock(span, below) ? (shifts[index] ?? 0) : leastShift(span, startUs, below);
      shifts[child] = shift;
      starts[child] = below.startUs + shift;
    }
    own.sort(byStart);
    for (let at = own.length - 1; at >= 0; at--) waiting.push(own[at] ?? -1);
  }
  for (let at = rows.length - 1; at > 0; at--) {
    const row = rows[at];
    const parent = row && rows[row.parent];
    if (row && parent) parent.below += row.below + 1;
  }

  const startUs = rows.reduce((least, row) => Math.min(least, row.startUs), rows[0]?.startUs ?? 0);
  const endUs = rows.reduce((most, row) => Math.max(most, row.startUs + row.span.durationUs), startUs);
  const gaps = measureSelf(rows, options.gapThresholdUs ?? Math.max(1000, (endUs - startUs) / 50));
  const criticalPath: CriticalStretch[] = findCriticalPath(rows);
  for (const { row } of criticalPath) {
    const on = rows[row];
    if (on) on.critical = true;
  }
  return { rows, startUs, endUs, gaps, criticalPath, duplicates: linked.duplicates };
}

const endOf = (span: TreeSpan): number => span.startUs + span.durationUs;
const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sets `selfUs`. Children come in the order of their start, so one number per span says how far it is covered. */
function measureSelf<Span extends TreeSpan>(rows: readonly Mutable<TreeRow<Span>>[], thresholdUs: number): Gap[] {
  const gaps: Gap[] = [];
  const covered = Float64Array.from(rows, (row) => row.startUs);
  const note = (index: number, untilUs: number): void => {
    const from = covered[index] ?? untilUs;
    if (untilUs - from >= thresholdUs) gaps.push({ row: index, startUs: from, durationUs: untilUs - from });
  };
  for (const row of rows) {
    const parent = rows[row.parent];
    if (!parent || isWebVital(row.span)) continue;
    const parentEnd = parent.startUs + parent.span.durationUs;
    const from = Math.max(row.startUs, covered[row.parent] ?? 0);
    const until = Math.min(row.startUs + row.span.durationUs, parentEnd);
    // A child that lies outside covers nothing of its parent.
    if (until <= from) continue;
    note(row.parent, from);
    parent.selfUs -= until - from;
    covered[row.parent] = until;
  }
  for (const [index, row] of rows.entries()) {
    // Without children there is nothing to explain: the span is its own work.
    if (row.selfUs < row.span.durationUs) note(index, row.startUs + row.span.durationUs);
  }
  return gaps.sort((a, b) => a.startUs - b.startUs || a.row - b.row);
}
