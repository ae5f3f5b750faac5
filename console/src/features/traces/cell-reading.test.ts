import { expect, test } from 'vitest';
import { cellAfter, type CellReading, chosenRegion } from './cell-reading.ts';
import type { TraceHeatmap } from './queries.ts';

/** Ten minutes of a minute each, 1 ms to 16 ms by octaves. */
const heatmap: TraceHeatmap = {
  from: 1_000_000_020,
  columnSeconds: 60,
  columns: 10,
  rows: [1, 2, 4, 8].map((fromMs) => ({ fromMs, untilMs: fromMs * 2 })),
  cells: [
    [0, 0, 10, 0],
    [8, 3, 2, 1],
    [8, 1, 5, 5],
  ],
  count: 17,
  failed: 6,
};
const empty: TraceHeatmap = { ...heatmap, rows: [], cells: [], count: 0, failed: 0 };

const press = (before: CellReading | undefined, ...keys: string[]): CellReading | undefined =>
  keys.reduce<CellReading | undefined>(
    (reading, key) =>
      cellAfter(reading, { key: key.replace('Shift+', ''), shiftKey: key.startsWith('Shift+') }, heatmap) ?? reading,
    before,
  );

test('keys begin where the newest requests are, and go from cell to cell up to the edges', () => {
  expect(press(undefined, 'ArrowUp')).toEqual({ cell: [8, 1] });
  expect(press(undefined, 'ArrowUp', 'ArrowUp', 'ArrowRight')).toEqual({ cell: [9, 2] });
  expect(press({ cell: [9, 3] }, 'ArrowRight', 'ArrowUp')).toEqual({ cell: [9, 3] });
  expect(press({ cell: [9, 3] }, 'Home', 'ArrowDown')).toEqual({ cell: [0, 2] });
  expect(cellAfter(undefined, { key: 'x', shiftKey: false }, heatmap)).toBeUndefined();
  expect(cellAfter(undefined, { key: 'ArrowUp', shiftKey: false }, empty)).toBeUndefined();
  expect(cellAfter(undefined, { key: 'ArrowUp', shiftKey: false }, { ...heatmap, cells: [] })).toEqual({
    cell: [9, 0],
  });
});

test('with Shift they choose a rectangle, without it one cell', () => {
  const chosen = press({ cell: [4, 2] }, 'Shift+ArrowLeft', 'Shift+ArrowDown');
  expect(chosen).toEqual({ cell: [3, 1], anchor: [4, 2] });
  expect(chosenRegion(chosen!, heatmap)).toEqual({
    since: 1_000_000_200,
    before: 1_000_000_320,
    fromMs: 2,
    untilMs: 8,
  });
  const single = press(chosen, 'ArrowUp');
  expect(single).toEqual({ cell: [3, 2] });
  expect(chosenRegion(single!, heatmap)).toEqual({
    since: 1_000_000_200,
    before: 1_000_000_260,
    fromMs: 4,
    untilMs: 8,
  });
});
