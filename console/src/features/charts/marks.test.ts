import { expect, test } from 'vitest';
import { isAtEdge, marksLabel, placeMarks, type ChartMark } from './marks.ts';

const mark = (at: number): ChartMark => ({ at, label: `v${at}`, detail: `v${at} deployed`, version: `v${at}` });

test('marks stand by their time; those that would touch are one; those outside are none', () => {
  const span = { from: 0, until: 100, columns: 10 };
  const placed = placeMarks([mark(50), mark(10), mark(52), mark(500), mark(-1)], span, 200);
  expect(placed.map(({ x, marks }) => [x, marks.map(({ at }) => at)])).toEqual([
    [20, [10]],
    [100, [50, 52]],
  ]);
  expect(placed.map((each) => marksLabel(each))).toEqual(['v10', '2 releases']);
  expect(placed.map((each) => isAtEdge(each, 200))).toEqual([false, false]);
  expect(placeMarks([mark(5)], { from: 0, until: 0, columns: 0 }, 0)).toEqual([]);
});
