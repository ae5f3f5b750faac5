/** Counts over time as rectangles: a pure function, drawn by `Bars.tsx` as SVG. */
import { exactNumber, plural } from '../../ui/numbers.ts';

/** Start of the bucket in seconds since the epoch, and the count. */
export type Point = readonly [seconds: number, count: number];

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** ms since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

/**
 * Bars over the whole width, with a gap where there is room. A bucket with any event is at least `leastHeight` tall, so
 * that one event beside a thousand stays visible.
 */
export function buildBars(points: readonly Point[], width: number, height: number, leastHeight = 2): Bar[] {
  if (points.length === 0) return [];
  const most = Math.max(1, ...points.map(([, count]) => count));
  const step = width / points.length;
  const gap = step >= 3 ? Math.min(2, step * 0.25) : 0;
  const spanMs = bucketMs(points);
  return points.map(([seconds, count], index) => {
    const tall = count > 0 ? Math.max(leastHeight, (count / most) * height) : 0;
    return {
      x: round(index * step),
      y: round(height - tall),
      width: round(step - gap),
      height: round(tall),
      start: seconds * 1000,
      end: seconds * 1000 + spanMs,
      count,
    };
  });
}

function bucketMs(points: readonly Point[]): number {
  const [first, second] = points;
  return first && second ? (second[0] - first[0]) * 1000 : 3_600_000;
}

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

/** `132 events, peak 40 at 2026-11-21 02:00` for those who do not see the bars. */
export function chartSentence(
  points: readonly Point[],
  formatTime: (ms: number) => string = (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
): string {
  const total = points.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return 'No events';
  const peak = points.reduce((best, point) => (point[1] > best[1] ? point : best));
  return `${plural(total, 'event')}, peak ${exactNumber(peak[1])} at ${formatTime(peak[0] * 1000)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
