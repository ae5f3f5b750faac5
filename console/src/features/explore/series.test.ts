import { expect, test } from 'vitest';
import { chartsOf, linesOf, type TimeSeries } from './series.ts';

const series = (
  values: readonly (number | null)[],
  {
    axis = 'count()',
    groups = null,
    order = null,
    isOther = false,
    start = 600_000,
  }: {
    axis?: string;
    groups?: readonly unknown[] | null;
    order?: number | null;
    isOther?: boolean;
    start?: number;
  } = {},
): TimeSeries => ({
  yAxis: axis,
  groupBy: groups?.map((value, index) => ({ key: `key${index}`, value })) ?? null,
  values: values.map((value, index) => ({
    timestamp: start + index * 60_000,
    value,
    incomplete: index === values.length - 1,
  })),
  meta: { valueType: 'integer', valueUnit: null, interval: 60_000, order, isOther },
});

test('one aggregate without groups is one line', () => {
  const [chart] = chartsOf([series([1, null, 3])], ['count()']);
  expect(chart).toEqual({
    axis: 'count()',
    measure: { type: 'integer', unit: null },
    times: [600, 660, 720],
    bucketSeconds: 60,
    lines: [{ group: undefined, label: 'All', isOther: false, values: [1, null, 3] }],
    isIncomplete: true,
  });
  expect(linesOf(chart!)).toMatchObject([{ token: '--accent', filled: true }]);
});

test('several aggregates are several charts, in the order that was asked for', () => {
  const charts = chartsOf([series([5], { axis: 'p95(x)' }), series([1])], ['count()', 'p95(x)', 'gone()']);
  expect(charts.map(({ axis, lines }) => [axis, lines.map(({ values }) => values)])).toEqual([
    ['count()', [[1]]],
    ['p95(x)', [[5]]],
    ['gone()', []],
  ]);
});

test('groups are lines by their rank, with the rest at the end', () => {
  const [chart] = chartsOf(
    [
      series([9], { isOther: true, order: 0 }),
      series([2], { groups: ['b', 'prod'], order: 1 }),
      series([3], { groups: ['', 'prod'], order: 0 }),
    ],
    ['count()'],
  );
  const lines = linesOf(chart!);
  expect(lines.map(({ label }) => label)).toEqual(['(none) · prod', 'b · prod', 'Other']);
  expect(lines.at(-1)?.token).toBe('--text-faint');
  expect(new Set(lines.map(({ token }) => token)).size).toBe(3);
});

test('lines with other times are laid on those of the first', () => {
  const [chart] = chartsOf(
    [series([1, 2, 3], { groups: ['a'], order: 0 }), series([5, 6], { groups: ['b'], order: 1, start: 660_000 })],
    ['count()'],
  );
  expect(chart?.lines[1]?.values).toEqual([null, 5, 6]);
});

test('names at the ends of lines have an end; equal names are told apart', () => {
  const [chart] = chartsOf(
    [
      series([1], { groups: ['GET /api/products/:id/reviews'], order: 0 }),
      series([1], { groups: ['a', 'b'], order: 1 }),
      series([1], { groups: ['a · b'], order: 2 }),
    ],
    ['count()'],
  );
  const lines = linesOf(chart!);
  expect(lines[0]?.short).toBe('GET /api/products/:i…');
  expect(lines.map(({ label }) => label).slice(1)).toEqual(['a · b', 'a · b (2)']);
});

test('lines of estimated values have the ranges in which these lie, exact ones have none', () => {
  const exact = series([3, 5]);
  const estimated: TimeSeries = {
    ...exact,
    values: exact.values.map((point, index) => (index ? point : { ...point, interval: [2, 4] })),
  };
  const rangesOf = (one: TimeSeries) => chartsOf([one], ['count()']).flatMap(linesOf)[0]?.ranges;
  expect(rangesOf(exact)).toBeUndefined();
  // Among them, what has none is exact.
  expect(rangesOf(estimated)).toEqual([
    [2, 4],
    [5, 5],
  ]);
});
