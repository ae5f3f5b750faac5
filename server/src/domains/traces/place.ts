/** Where the errors and the logs of a trace happened. */
import type { TreeRow, TreeSpan } from './types.ts';

/** What happened in a span, if that is known. */
interface Happened {
  readonly projectId: number;
  /** '' where it is not known. */
  readonly spanId: string;
}

/**
 * Each by the index of its span's row; -1 has those whose span is not there. A span of the sender's own project comes
 * first, then one of any.
 */
export function placeIn<Span extends TreeSpan, One extends Happened>(
  rows: readonly TreeRow<Span>[],
  happened: readonly One[],
): ReadonlyMap<number, readonly One[]> {
  const own = new Map<string, number>();
  const anywhere = new Map<string, number>();
  const wanted = new Set(happened.map(({ spanId }) => spanId));
  for (const [index, { span }] of rows.entries()) {
    if (!wanted.has(span.spanId)) continue;
    own.set(`${span.projectId}:${span.spanId}`, index);
    if (!anywhere.has(span.spanId)) anywhere.set(span.spanId, index);
  }
  const placed = new Map<number, One[]>();
  for (const one of happened) {
    const row = own.get(`${one.projectId}:${one.spanId}`) ?? anywhere.get(one.spanId) ?? -1;
    const there = placed.get(row);
    if (there) there.push(one);
    else placed.set(row, [one]);
  }
  return placed;
}
