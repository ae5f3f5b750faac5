/** Finds the segment of each span of a request, as far as the request holds it. */
import type { SpanInput } from '../../steps/span/index.ts';

/**
 * By the index of each span, the index of the segment it lies in: its own for a segment, -1 where a parent on the way
 * came in another request, or the parents go round in a circle. Linear.
 */
export function segmentsOf(spans: readonly SpanInput[]): Int32Array {
  const unseen = -2;
  const underWay = -3;
  const place = placesOf(spans);
  const segment = new Int32Array(spans.length).fill(unseen);
  const path: number[] = [];
  for (let start = 0; start < spans.length; start++) {
    let index = start;
    let found = unseen;
    while (found === unseen) {
      const span = spans[index];
      const known = segment[index] ?? -1;
      if (!span || known === underWay) found = -1;
      else if (known !== unseen) found = known;
      else if (span.isSegment) {
        segment[index] = index;
        found = index;
      } else {
        segment[index] = underWay;
        path.push(index);
        const parent = place(span.traceId, span.parentSpanId ?? '');
        if (parent === undefined) found = -1;
        else index = parent;
      }
    }
    for (const passed of path.splice(0)) segment[passed] = found;
  }
  return segment;
}

/** Of the first span with these ids. Ids of spans nearly never repeat, so that those of their traces need no keys of their own. */
function placesOf(spans: readonly SpanInput[]): (traceId: string, spanId: string) => number | undefined {
  const bySpan = new Map<string, number>();
  for (let index = 0; index < spans.length; index++) bySpan.set(spans[index]?.spanId ?? '', index);
  if (bySpan.size === spans.length) {
    return (traceId, spanId) => {
      const index = bySpan.get(spanId);
      return index !== undefined && spans[index]?.traceId === traceId ? index : undefined;
    };
  }
  const byIds = new Map<string, number>();
  for (const [index, { traceId, spanId }] of spans.entries()) {
    const id = traceId + spanId;
    if (!byIds.has(id)) byIds.set(id, index);
  }
  return (traceId, spanId) => byIds.get(traceId + spanId);
}
