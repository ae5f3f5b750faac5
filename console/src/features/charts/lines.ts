/** Lines over time, before they are drawn. Pure. */

/** Values with nothing on either side: a line would not show them. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}

/** Names at the ends of lines: as near to `wanted` (px from the top) as they can stand without touching. */
export function placeLabels(wanted: readonly number[], gap: number, bottom: number): number[] {
  const order = [...wanted.keys()].toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let top = -Infinity;
  for (const index of order) {
    top = Math.max(wanted[index] ?? 0, top + gap);
    placed[index] = top;
  }
  let low = bottom + gap;
  for (const index of order.toReversed()) {
    low = Math.min(placed[index] ?? 0, low - gap);
    placed[index] = low;
  }
  return placed;
}
