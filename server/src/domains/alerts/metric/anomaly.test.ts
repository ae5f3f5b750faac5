import { expect, test } from 'vitest';
import type { Metric } from '../types.ts';
import { comparedWindows, medianOf, unusualness, usualOf } from './anomaly.ts';
import { judgeValue } from './score.ts';

const metric: Metric = {
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 60,
  comparison: { type: 'anomaly', sensitivity: 'medium' },
  direction: 'above',
  warning: null,
  critical: null,
  resolve: null,
  noData: 'ok',
};

const weeks = [
  [36, 40, 38],
  [44, 39, 41],
  // One bad Tuesday.
  [400, 900, 380],
  [37, 42, 35],
];

test('one bad week does not make the next one usual', () => {
  const usual = usualOf(weeks, true);
  expect(usual).toMatchObject({ windows: 12, weeks: 4 });
  expect(usual?.median).toBeCloseTo(40.5);
  expect(judgeValue(metric, 45, { type: 'anomaly', weeks }).reading).toBe('normal');
  const far = judgeValue(metric, 412, { type: 'anomaly', weeks });
  expect(far.reading).toBe('critical');
  expect(far.why).toContain('count() is 412 over an hour; usual at this hour of the week: 40.5 ± ');
});

test('two earlier weeks are needed', () => {
  const [first = []] = weeks;
  expect(judgeValue(metric, 9_000, { type: 'anomaly', weeks: [first, [null, null, null], [], []] }).reading).toBe(
    'learning',
  );
  expect(usualOf([first, [null, 40, null]], true)?.weeks).toBe(2);
});

test('where nothing ever happens, a few are no anomaly and many are', () => {
  const silent = {
    type: 'anomaly',
    weeks: [
      [0, 0, 0],
      [0, 0, 0],
    ],
  } as const;
  expect(judgeValue(metric, 3, silent).reading).toBe('normal');
  expect(judgeValue(metric, 30, silent).reading).toBe('critical');
});

test('sensitivity and direction', () => {
  const at = (sensitivity: 'low' | 'medium' | 'high', direction: Metric['direction'], value: number) =>
    judgeValue({ ...metric, comparison: { type: 'anomaly', sensitivity }, direction }, value, {
      type: 'anomaly',
      weeks: [
        [100, 100, 100],
        [100, 100, 100],
      ],
    }).reading;
  expect([at('low', 'above', 140), at('medium', 'above', 140), at('high', 'above', 140)]).toEqual([
    'normal',
    'between',
    'warning',
  ]);
  expect([at('high', 'above', 20), at('high', 'below', 20), at('high', 'both', 20)]).toEqual([
    'normal',
    'critical',
    'critical',
  ]);
});

test('windows of the same hours of earlier weeks', () => {
  const [last = [], before = []] = comparedWindows(10 * 7 * 86_400_000, 1_800_000);
  expect(last).toEqual([-1_800_000, 0, 1_800_000].map((shift) => 9 * 7 * 86_400_000 + shift));
  expect(before[1]).toBe(8 * 7 * 86_400_000);
});

test('medians', () => {
  expect(medianOf([3, 1, 2])).toBe(2);
  expect(medianOf([4, 1, 2, 3])).toBe(2.5);
  expect(medianOf([])).toBeNaN();
  expect(unusualness(7, { median: 5, spread: 2, windows: 1, weeks: 1 })).toBe(1);
});

test('changes', () => {
  const change: Metric = { ...metric, comparison: { type: 'change', against: 'week' }, warning: 50, critical: 200 };
  const read = (value: number, before: number | null, direction: Metric['direction'] = 'above') =>
    judgeValue({ ...change, direction }, value, { type: 'change', before });
  expect(read(160, 100)).toMatchObject({
    reading: 'warning',
    why: 'count() is 160 over an hour, 60% more than 100 in the same time a week before',
  });
  expect(read(40, 100).reading).toBe('normal');
  expect(read(40, 100, 'below').reading).toBe('warning');
  expect(read(40, 100, 'both').reading).toBe('warning');
  expect(read(4, 0).reading).toBe('critical');
  expect(read(0, 0).reading).toBe('normal');
  expect(read(10, null).reading).toBe('learning');
});
