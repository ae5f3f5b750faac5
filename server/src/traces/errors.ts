/** Where the errors of a trace happened. */
import type { TraceError, TreeRow, TreeSpan } from './types.ts';

/**
 * Errors by the index of their span's row; -1 has those whose span is not there. A span of the error's own project comes
 * first, then one of any.
 */
export function placeErrors<Span extends TreeSpan>(
  rows: readonly TreeRow<Span>[],
  errors: readonly TraceError[],
): ReadonlyMap<number, readonly TraceError[]> {
  const own = new Map<string, number>();
  const anywhere = new Map<string, number>();
  const wanted = new Set(errors.map(({ spanId }) => spanId));
  for (const [index, { span }] of rows.entries()) {
    if (!wanted.has(span.spanId)) continue;
    own.set(`${span.projectId}:${span.spanId}`, index);
    if (!anywhere.has(span.spanId)) anywhere.set(span.spanId, index);
  }
  const placed = new Map<number, TraceError[]>();
  for (const error of errors) {
    const row = own.get(`${error.projectId}:${error.spanId}`) ?? anywhere.get(error.spanId) ?? -1;
    const there = placed.get(row);
    if (there) there.push(error);
    else placed.set(row, [error]);
  }
  return placed;
}
