/** A segment as the detectors look at it: the work of one service for one request, its spans in the order of their tree. */

/** Times are µs since the epoch. */
export interface SegmentSpan {
  readonly id: string;
  /** '' for none. */
  readonly parentId: string;
  readonly op: string;
  /** As sent. */
  readonly name: string;
  /** Without what differs from call to call. */
  readonly description: string;
  /** Of the description; '' where there is none. */
  readonly hash: string;
  readonly origin: string;
  readonly startUs: number;
  readonly endUs: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
}

/** What the root span says of the whole. */
export interface SegmentFacts {
  readonly transaction: string;
  readonly platform: string;
  readonly sdkName: string;
}

export interface Segment extends SegmentFacts {
  /** Undefined where its root span has not come. */
  readonly root: SegmentSpan | undefined;
  /** All but the root: a span before its children, children by start. Parents are spans of the segment, else the root. */
  readonly spans: readonly SegmentSpan[];
  readonly byId: ReadonlyMap<string, SegmentSpan>;
  /** Spans that it has; more than `spans` and the root where some were left out. */
  readonly total: number;
}

/** More spans than these are not looked at. */
export const maxSegmentSpans = 1_000;

/**
 * Orders the spans of one segment. Whose parent is not there hangs under the root; of several with one id the first
 * counts; parents that lead back to themselves are cut. Linear but for one sort, whatever the tree is like.
 */
export function toSegment(
  rootId: string,
  received: readonly SegmentSpan[],
  facts: SegmentFacts,
  total = received.length,
): Segment {
  const unique = new Map<string, SegmentSpan>();
  for (const span of received) if (!unique.has(span.id)) unique.set(span.id, span);
  const root = unique.get(rootId);
  const children = new Map<string, SegmentSpan[]>();
  const sorted = [...unique.values()].toSorted((a, b) => a.startUs - b.startUs).slice(0, maxSegmentSpans + 1);
  const kept = new Set(sorted.map(({ id }) => id));
  const tops: SegmentSpan[] = [];
  for (const span of sorted) {
    if (span === root) continue;
    const hangs = span.parentId !== span.id && span.parentId !== rootId && kept.has(span.parentId);
    if (!hangs) tops.push(span);
    else {
      const siblings = children.get(span.parentId);
      if (siblings) siblings.push(span);
      else children.set(span.parentId, [span]);
    }
  }
  const spans: SegmentSpan[] = [];
  const byId = new Map<string, SegmentSpan>();
  if (root) byId.set(root.id, root);
  const walk = (from: SegmentSpan): void => {
    const open: [span: SegmentSpan, parentId: string][] = [[from, root?.id ?? '']];
    for (let next = open.pop(); next; next = open.pop()) {
      const [span, parentId] = next;
      if (byId.has(span.id)) continue;
      const placed = span.parentId === parentId ? span : { ...span, parentId };
      byId.set(span.id, placed);
      spans.push(placed);
      const below = children.get(span.id) ?? [];
      for (let index = below.length - 1; index >= 0; index--) {
        const child = below[index];
        if (child) open.push([child, span.id]);
      }
    }
  };
  for (const span of tops) walk(span);
  // What is left goes round in circles, and begins somewhere.
  if (spans.length < sorted.length) for (const span of sorted) if (!byId.has(span.id)) walk(span);
  return { ...facts, root, spans: spans.slice(0, maxSegmentSpans), byId, total };
}

export const durationUs = ({ startUs, endUs }: Pick<SegmentSpan, 'startUs' | 'endUs'>): number => endUs - startUs;

export const usOf = (ms: number): number => ms * 1_000;

/** What the spans take one by one, added up. */
export const sumUs = (spans: readonly SegmentSpan[]): number => spans.reduce((sum, span) => sum + durationUs(span), 0);

/** Time in which at least one of the spans runs. */
export function coveredUs(spans: readonly SegmentSpan[]): number {
  let covered = 0;
  let until = -Infinity;
  for (const { startUs, endUs } of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    if (endUs <= until) continue;
    covered += endUs - Math.max(startUs, until);
    until = endUs;
  }
  return covered;
}
