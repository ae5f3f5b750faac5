/** Which span hangs under which: parents that are there, else segments; no cycles, no id twice. */
import type { TreeSpan } from './types.ts';

export interface Linked<Span extends TreeSpan> {
  readonly spans: readonly Span[];
  /** By index into `spans`: the parent's index, -1 for roots. */
  readonly parents: Int32Array;
  readonly orphans: ReadonlySet<number>;
  /** Spans that were taken out of a cycle. */
  readonly cut: ReadonlySet<number>;
  /** How many more there were of a span. */
  readonly repeats: ReadonlyMap<number, number>;
  readonly duplicates: number;
}

/** Indexes by span id, for each project: ids of different senders may be the same by accident. */
type Places = Map<number, Map<string, number>>;

export function linkSpans<Span extends TreeSpan>(received: readonly Span[]): Linked<Span> {
  const { spans, places, repeats } = withoutDuplicates(received);
  const projects = [...places.keys()].toSorted((a, b) => a - b);
  const find = ({ projectId }: Span, id: string): number => {
    if (id === '') return -1;
    const own = places.get(projectId)?.get(id);
    if (own !== undefined) return own;
    for (const other of projects) {
      const index = places.get(other)?.get(id);
      if (index !== undefined) return index;
    }
    return -1;
  };

  const parents = new Int32Array(spans.length).fill(-1);
  const orphans = new Set<number>();
  for (const [index, span] of spans.entries()) {
    const parent = find(span, span.parentSpanId);
    if (parent >= 0) {
      parents[index] = parent;
      continue;
    }
    if (span.parentSpanId !== '') orphans.add(index);
    const segment = span.isSegment ? -1 : find(span, span.segmentId);
    parents[index] = segment === index ? -1 : segment;
  }
  const cut = cutCycles(spans, parents);
  return { spans, parents, orphans, cut, repeats, duplicates: received.length - spans.length };
}

/** Of spans of one project with one id the one received last is kept, and the longer of two received at once. */
function withoutDuplicates<Span extends TreeSpan>(
  received: readonly Span[],
): { spans: readonly Span[]; places: Places; repeats: ReadonlyMap<number, number> } {
  const places: Places = new Map();
  const repeats = new Map<number, number>();
  const spans: Span[] = [];
  for (const span of received) {
    let own = places.get(span.projectId);
    if (!own) places.set(span.projectId, (own = new Map()));
    const place = own.get(span.spanId);
    const known = place === undefined ? undefined : spans[place];
    if (place === undefined || !known) {
      own.set(span.spanId, spans.length);
      spans.push(span);
      continue;
    }
    repeats.set(place, (repeats.get(place) ?? 0) + 1);
    const newer = span.receivedAt - known.receivedAt || span.durationUs - known.durationUs;
    if (newer > 0) spans[place] = span;
  }
  return { spans, places, repeats };
}

/** Every span has one parent, so each is walked once: a walk that meets itself has found a cycle. Its earliest span becomes a root. */
function cutCycles(spans: readonly TreeSpan[], parents: Int32Array): Set<number> {
  const cut = new Set<number>();
  const walkOf = new Int32Array(spans.length);
  for (let first = 0; first < spans.length; first++) {
    const walk = first + 1;
    let at = first;
    while (at >= 0 && walkOf[at] === 0) {
      walkOf[at] = walk;
      at = parents[at] ?? -1;
    }
    if (at < 0 || walkOf[at] !== walk) continue;
    let earliest = at;
    for (let next = parents[at] ?? at; next !== at; next = parents[next] ?? at) {
      if (isBefore(spans[next], spans[earliest])) earliest = next;
    }
    parents[earliest] = -1;
    cut.add(earliest);
  }
  return cut;
}

/** The earlier one, of two that begin together the longer one; else by name, so that the order of arrival decides nothing. */
function isBefore(one: TreeSpan | undefined, other: TreeSpan | undefined): boolean {
  if (!one || !other) return false;
  const order = one.startUs - other.startUs || other.durationUs - one.durationUs || one.projectId - other.projectId;
  return order === 0 ? one.spanId < other.spanId : order < 0;
}
