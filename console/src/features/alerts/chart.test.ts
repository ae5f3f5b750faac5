import { expect, test } from 'vitest';
import { metricChart, metricFormat, metricMeasure, unitOf } from './chart.ts';
import type { AlertMetric } from './queries.ts';

const metric: AlertMetric = {
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 60,
  comparison: { type: 'static' },
  direction: 'above',
  warning: 5,
  critical: 10,
  resolve: null,
  noData: 'ok',
};
const firing = (seconds: number, severity: 'critical' | 'resolved' = 'critical') => ({
  at: new Date(seconds * 1000).toISOString(),
  severity,
  why: '',
  value: null,
  estimated: null,
  issue: null,
});

test('thresholds lie across, firings points on the line of values', () => {
  const chart = metricChart(
    {
      series: [
        [100, 1],
        [160, 12],
        [220, null],
      ],
      firings: [firing(9_000), firing(161), firing(100, 'resolved')],
      intervals: [[160, 9, 15]],
    },
    metric,
  );
  expect(chart?.bucketSeconds).toBe(60);
  expect(chart?.series[0]?.ranges).toEqual([
    [1, 1],
    [9, 15],
    [null, null],
  ]);
  expect(chart?.series.map(({ label, values }) => [label, values])).toEqual([
    ['count()', [1, 12, null]],
    ['Fires', [null, 12, 0]],
  ]);
  expect(chart?.thresholds.map(({ label, value }) => [label, value])).toEqual([
    ['Critical', 10],
    ['Warning', 5],
  ]);
});

test('an anomaly has no thresholds, and one point is no line', () => {
  const anomaly: AlertMetric = { ...metric, comparison: { type: 'anomaly', sensitivity: 'low' } };
  const series: [number, number | null][] = [
    [0, 1],
    [60, 2],
  ];
  expect(metricChart({ series, firings: [], intervals: [] }, anomaly)?.thresholds).toEqual([]);
  expect(metricChart({ series: [[0, 1]], firings: [], intervals: [] }, metric)).toBeUndefined();
});

test.each<[Partial<AlertMetric>, string, string, string]>([
  [{}, '1,234', 'count', 'count'],
  [{ dataset: 'spans', aggregate: 'p95(span.duration)' }, '1.23\u00a0s', 'ms', 'duration'],
  [{ dataset: 'sessions', aggregate: 'crash_free_rate(user)' }, '1,234%', '%', 'number'],
  [{ comparison: { type: 'change', against: 'day' } }, '1,234%', '%', 'number'],
])('values of %j are %s', (overrides, text, unit, measure) => {
  const whole = { ...metric, ...overrides };
  expect(metricFormat(whole)(1234)).toBe(text);
  expect(unitOf({ ...whole, comparison: whole.comparison.type })).toBe(unit);
  expect(metricMeasure(whole)).toBe(measure);
});
