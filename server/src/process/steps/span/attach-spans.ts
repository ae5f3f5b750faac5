/** Makes one tree of the spans of a transaction. */

export interface SpanIds {
  readonly spanId: string;
  readonly parentSpanId: string;
}

export interface Place {
  /** Index of the parent; -1 for the root. */
  readonly parent: number;
  /** Why it does not hang where it said; undefined where it does. */
  readonly broken?: 'parent_missing' | 'parent_cycle' | 'duplicate_span_id';
}

/**
 * Where each span hangs below the root: a span whose parent is not there, and the first span of a circle, hang on the
 * root itself. Of spans with one id the first has the children; the others say so. Linear.
 */
export function attachSpans(rootId: string, spans: readonly SpanIds[]): Place[] {
  const byId = new Map<string, number>([[rootId, -1]]);
  const places: Place[] = [];
  for (let index = 0; index < spans.length; index++) {
    const id = spans[index]?.spanId ?? '';
    if (!byId.has(id)) byId.set(id, index);
  }
  for (let index = 0; index < spans.length; index++) {
    const { spanId, parentSpanId } = spans[index] as SpanIds;
    const parent = byId.get(parentSpanId);
    if (parent === undefined) places.push({ parent: -1, broken: 'parent_missing' });
    else if (byId.get(spanId) !== index) places.push({ parent, broken: 'duplicate_span_id' });
    else places.push({ parent });
  }
  breakCycles(places);
  return places;
}

/** Walks up from each span until one is met that is known to lead to the root. */
function breakCycles(places: Place[]): void {
  const unseen = 0;
  const state = new Int32Array(places.length);
  for (let start = 0; start < places.length; start++) {
    if (state[start] !== unseen) continue;
    const walk = start + 1;
    let index = start;
    while (index >= 0 && state[index] === unseen) {
      state[index] = walk;
      index = places[index]?.parent ?? -1;
    }
    // Back at a span of this very walk: a circle, cut where it was entered.
    if (index >= 0 && state[index] === walk) places[index] = { parent: -1, broken: 'parent_cycle' };
  }
}
