import { expect, test } from 'vitest';
import { columnsOf, maxRows, toGrid } from './heatmap.ts';

const part = (us: number): number => Math.floor(Math.log2(Math.max(1, us)) * 4);
const of = (x: number, us: number, n = 1, bad = 0) => ({ x, part: part(us), n, bad });

test.each([
  [1, 1],
  [3_600_000, 60],
  [25 * 3_600_000, 50],
  [14.5 * 86_400_000, 58],
  [3660 * 86_400_000, 60],
])('%d ms have %d columns', (lengthMs, columns) => {
  const found = columnsOf({ startMs: 5, endMs: 5 + lengthMs });
  expect(found.columns).toBe(columns);
  expect(found.columns * found.columnMs).toBeGreaterThanOrEqual(lengthMs);
});

test('nothing makes no grid', () => {
  expect(toGrid([])).toEqual({ rows: [], cells: [] });
});

test('durations near to each other have rows of a quarter of an octave', () => {
  const { rows, cells } = toGrid([of(0, 100_000), of(3, 200_000, 5, 2)]);
  // Some above and below them.
  expect(rows).toHaveLength(12);
  expect(cells).toEqual([
    { column: 0, row: 3, count: 1, failed: 0 },
    { column: 3, row: 7, count: 5, failed: 2 },
  ]);
});

test.each([
  ['nothing to a year', [0, 1, 31_536_000_000_000]],
  ['the greatest number', [1, 2 ** 64]],
  ['a few µs', [1, 2, 3, 4, 5]],
  ['one duration', [5_000_000]],
])('from %s there are at most so many rows, one after the other, and each duration is in its own', (_, durations) => {
  const { rows, cells } = toGrid(durations.map((us, x) => of(x, us)));
  expect(rows.length).toBeLessThanOrEqual(maxRows);
  for (const [index, { fromUs, untilUs }] of rows.entries()) {
    expect(fromUs).toBeLessThan(untilUs);
    if (index) expect(fromUs).toBe(rows[index - 1]?.untilUs);
  }
  expect(cells).toHaveLength(durations.length);
  for (const { column, row } of cells) {
    const us = durations[column] ?? 0;
    expect(rows[row]?.fromUs).toBeLessThanOrEqual(us);
    expect(rows[row]?.untilUs).toBeGreaterThan(us);
  }
});

test('cells of one row and column are added up', () => {
  const spread = toGrid([of(0, 1), of(0, 2 ** 40), of(1, 1_300_000, 2, 1), of(1, 1_500_000, 3, 1)]);
  expect(spread.cells.filter(({ column }) => column === 1)).toEqual([expect.objectContaining({ count: 5, failed: 2 })]);
});
