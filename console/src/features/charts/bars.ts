/** Counts as bars: binned, stacked or side by side. Pure; places and sizes are shares from 0 to 1. */

/** Start of the bucket in seconds since the epoch, and the count. */
export type Point = readonly [seconds: number, count: number];

/** Adds neighbours together until at most `most` points are left. */
export function mergePoints(points: readonly Point[], most: number): Point[] {
  const size = Math.ceil(points.length / most);
  if (size <= 1) return [...points];
  const merged: Point[] = [];
  for (let at = 0; at < points.length; at += size) {
    const group = points.slice(at, at + size);
    merged.push([group[0]?.[0] ?? 0, group.reduce((sum, [, count]) => sum + count, 0)]);
  }
  return merged;
}

/** How long a bucket is; an hour where there is no second one to tell. */
export function bucketOf(points: readonly Point[]): number {
  const [first, second] = points;
  return first && second ? second[0] - first[0] : 3600;
}

/** One piece of a column: of which series, where in the column it stands, from the bottom. */
export interface Piece {
  readonly series: number;
  readonly column: number;
  readonly left: number;
  readonly width: number;
  readonly bottom: number;
  readonly height: number;
}

type Values = { readonly values: readonly (number | null)[] };

/** The highest column: of stacked ones the sum. */
export function highestColumn(series: readonly Values[], stacked: boolean): number {
  const columns = Math.max(0, ...series.map(({ values }) => values.length));
  let most = 0;
  for (let column = 0; column < columns; column += 1) {
    const counts = series.map(({ values }) => values[column] ?? 0);
    most = Math.max(most, stacked ? counts.reduce((sum, count) => sum + count, 0) : Math.max(0, ...counts));
  }
  return most;
}

export interface BarShape {
  readonly stacked: boolean;
  /** Of the height, as is `seam`: what is left free between pieces that stand on each other. */
  readonly least: number;
  readonly seam?: number;
  /** Of the width of a column. */
  readonly gap: number;
}

/**
 * Bars of a chart that goes up to `high`. What has any is at least `least` tall, so that one event beside a thousand is
 * seen; what stands on it is moved up by as much.
 */
export function barPieces(
  series: readonly Values[],
  high: number,
  { stacked, least, gap, seam = 0 }: BarShape,
): Piece[] {
  const columns = Math.max(0, ...series.map(({ values }) => values.length));
  const pieces: Piece[] = [];
  const wide = (1 - gap) / (stacked ? 1 : Math.max(1, series.length));
  for (let column = 0; column < columns; column += 1) {
    let bottom = 0;
    for (const [index, { values }] of series.entries()) {
      const count = values[column] ?? 0;
      if (!(count > 0)) continue;
      const height = Math.max(least, count / Math.max(1, high));
      const left = gap / 2 + (stacked ? 0 : index * wide);
      const seen = stacked && height > 3 * seam ? height - seam : height;
      pieces.push({ series: index, column, left, width: wide, bottom: stacked ? bottom : 0, height: seen });
      bottom += height;
    }
  }
  return pieces;
}
