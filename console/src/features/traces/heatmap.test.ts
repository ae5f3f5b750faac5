import { describe, expect, test } from 'vitest';
import { boxOf, cellAt, columnSums, durationTicks, heightOf, regionBetween, strengthOf } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';

/** Ten minutes of a minute each, 1\u00a0ms to 16\u00a0ms by octaves. */
const heatmap: TraceHeatmap = {
  from: 1_000_000_020,
  columnSeconds: 60,
  columns: 10,
  rows: [1, 2, 4, 8].map((fromMs) => ({ fromMs, untilMs: fromMs * 2 })),
  cells: [
    [0, 0, 10, 0],
    [0, 3, 2, 1],
    [9, 1, 5, 5],
  ],
  count: 17,
  failed: 6,
};
const empty: TraceHeatmap = { ...heatmap, rows: [], cells: [], count: 0, failed: 0 };

test('what has any is seen, and more is stronger', () => {
  expect(strengthOf(1, 1)).toBeGreaterThan(0.1);
  expect(strengthOf(1, 1000)).toBeGreaterThan(0.1);
  expect(strengthOf(1000, 1000)).toBe(1);
  expect(strengthOf(10, 1000)).toBeLessThan(strengthOf(100, 1000));
});

describe('a drag', () => {
  test('chooses whole cells, in any direction', () => {
    const region = { since: 1_000_000_080, before: 1_000_000_260, fromMs: 2, untilMs: 8 };
    expect(regionBetween({ x: 0.15, y: 0.3 }, { x: 0.35, y: 0.6 }, heatmap)).toEqual(region);
    expect(regionBetween({ x: 0.35, y: 0.3 }, { x: 0.15, y: 0.6 }, heatmap)).toEqual(region);
  });

  test('beyond the edges ends at them, and a click is one cell', () => {
    expect(regionBetween({ x: -3, y: 9 }, { x: 4, y: -2 }, heatmap)).toEqual({
      since: 1_000_000_020,
      before: 1_000_000_620,
      fromMs: 1,
      untilMs: 16,
    });
    expect(regionBetween({ x: 0.5, y: 0.99 }, { x: 0.5, y: 0.99 }, heatmap)).toMatchObject({ fromMs: 1, untilMs: 2 });
    expect(regionBetween({ x: 0, y: 0 }, { x: 1, y: 1 }, empty)).toBeUndefined();
    expect(cellAt({ x: 0, y: 0 }, empty)).toBeUndefined();
  });

  test('is drawn where it was', () => {
    const region = regionBetween({ x: 0.15, y: 0.3 }, { x: 0.35, y: 0.6 }, heatmap) ?? {};
    const box = boxOf(region, heatmap);
    expect(box?.left).toBeCloseTo(0.1);
    expect(box?.right).toBeCloseTo(0.4);
    expect(box?.top).toBeCloseTo(0.25);
    expect(box?.bottom).toBeCloseTo(0.75);
  });
});

test('half a region reaches to the edge; one that lies outside is not drawn', () => {
  expect(boxOf({ fromMs: 4 }, heatmap)).toEqual({ left: 0, right: 1, top: 0, bottom: 0.5 });
  expect(boxOf({}, heatmap)).toBeUndefined();
  expect(boxOf({ since: 5, before: 10 }, heatmap)).toBeUndefined();
  expect(boxOf({ fromMs: 100 }, heatmap)).toBeUndefined();
  expect(boxOf({ fromMs: 2 }, empty)).toBeUndefined();
});

test('a duration stands within its row by its logarithm', () => {
  expect(heightOf(1, heatmap)).toBe(1);
  expect(heightOf(16, heatmap)).toBe(0);
  expect(heightOf(4 * Math.SQRT2, heatmap)).toBeCloseTo(0.375);
  expect(heightOf(0, heatmap)).toBe(1);
});

test('durations are named where there is room', () => {
  expect(durationTicks(heatmap, String).map(({ value }) => value)).toEqual([1, 2, 5, 10]);
  const wide = {
    ...heatmap,
    rows: Array.from({ length: 20 }, (_, row) => ({ fromMs: 2 ** row, untilMs: 2 ** (row + 1) })),
  };
  expect(durationTicks(wide, String).map(({ value }) => value)).toEqual([1, 10, 100, 1000, 10_000, 100_000, 1_000_000]);
  expect(durationTicks(empty, String)).toEqual([]);
});

test('the table has what each time had', () => {
  expect(columnSums(heatmap)).toEqual([
    { at: 1_000_000_020, count: 12, failed: 1, usual: { fromMs: 1, untilMs: 2 }, longest: { fromMs: 8, untilMs: 16 } },
    { at: 1_000_000_560, count: 5, failed: 5, usual: { fromMs: 2, untilMs: 4 }, longest: { fromMs: 2, untilMs: 4 } },
  ]);
});
