/** Self time: what of a span its children do not cover. */

interface Timed {
  readonly startUs: number;
  readonly endUs: number;
}

/** Overlapping children count once, and only where they lie within the span. µs. */
export function selfTime(span: Timed, children: readonly Timed[]): number {
  const total = Math.max(0, span.endUs - span.startUs);
  if (children.length === 0 || total === 0) return total;
  const sorted = children.length === 1 ? children : children.toSorted((a, b) => a.startUs - b.startUs);
  let covered = 0;
  let until = span.startUs;
  for (const child of sorted) {
    const from = Math.max(until, child.startUs);
    const to = Math.min(span.endUs, child.endUs);
    if (to <= from) continue;
    covered += to - from;
    until = to;
  }
  return total - covered;
}
