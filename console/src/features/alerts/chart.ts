/** The last week of a metric rule as lines: what was measured, the thresholds, and when it would have spoken. Pure. */
import * as m from '../../messages/alert-chart.ts';
import { duration } from '../../ui/durations.ts';
import { compactNumber, percentage } from '../../ui/numbers.ts';
import type { Measure } from '../charts/scales.ts';
import type { ChartSeries, Threshold } from '../charts/series.ts';
import type { AlertMetric, AlertPreview } from './queries.ts';

export interface MetricChart {
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly series: readonly ChartSeries[];
  readonly thresholds: readonly Threshold[];
}

/** Undefined where there are not two points to draw a line through. */
export function metricChart(
  { series, firings, intervals }: Pick<AlertPreview, 'series' | 'firings' | 'intervals'>,
  metric: AlertMetric,
): MetricChart | undefined {
  const times = series.map(([at]) => at);
  const [first, second] = times;
  if (first === undefined || second === undefined) return undefined;
  const bucketSeconds = second - first;
  const values = series.map(([, value]) => value);
  const fired = times.map((): number | null => null);
  for (const { at, severity } of firings) {
    if (severity === 'resolved') continue;
    const index = Math.round((Date.parse(at) / 1000 - first) / bucketSeconds);
    const place = Math.max(0, Math.min(times.length - 1, index));
    fired[place] = values[place] ?? 0;
  }
  const level = (label: string, value: number | null, token: Threshold['token'], dash: readonly number[]) =>
    value === null || metric.comparison.type === 'anomaly' ? [] : [{ label, value, token, dash }];
  return {
    times,
    bucketSeconds,
    series: [
      { label: metric.aggregate, values, token: '--accent', ...rangesOf(series, intervals) },
      ...(fired.some((value) => value !== null)
        ? [{ label: m.fires, values: fired, token: '--level-error' as const, dots: true }]
        : []),
    ],
    thresholds: [
      ...level(m.levels.critical, metric.critical, '--level-error', [6, 4]),
      ...level(m.levels.warning, metric.warning, '--level-warning', [3, 3]),
      ...level(m.levels.resolve, metric.resolve, '--ok', [1, 3]),
    ],
  };
}

/** Between which ends each value lies; nothing where all are right to 1 %. */
function rangesOf(series: AlertPreview['series'], intervals: AlertPreview['intervals']): Pick<ChartSeries, 'ranges'> {
  if (intervals.length === 0) return {};
  const byTime = new Map(intervals.map(([at, low, high]) => [at, [low, high] as const]));
  return { ranges: series.map(([at, value]) => byTime.get(at) ?? [value, value]) };
}

/** Values with the unit of what is measured; of changes percent. */
export function metricFormat({ dataset, aggregate, comparison }: AlertMetric): (value: number) => string {
  if (comparison.type === 'change') return (value) => percentage(Math.round(value * 10) / 1000);
  if (dataset === 'sessions') return aggregate.startsWith('crash') ? (value) => percentage(value / 100) : compactNumber;
  if (/rate\(\)|^failure_rate/.test(aggregate)) return percentage;
  return /\((span\.)?duration\)|\(.*(_time|\.duration)\)/.test(aggregate)
    ? (value) => duration(value * 1000)
    : compactNumber;
}

/** By which steps the axis goes: counts have no halves. */
export function metricMeasure(metric: AlertMetric): Measure {
  const unit = unitOf({ ...metric, comparison: metric.comparison.type });
  if (unit === m.unitCount || unit === m.unitSessions) return 'count';
  return unit === 'ms' ? 'duration' : 'number';
}

/** What a threshold is written in. */
export function unitOf(metric: Pick<AlertMetric, 'dataset' | 'aggregate'> & { readonly comparison: string }): string {
  if (metric.comparison === 'change') return '%';
  if (metric.dataset === 'sessions') return metric.aggregate.startsWith('crash') ? '%' : m.unitSessions;
  if (/^failure_rate|rate\(\)/.test(metric.aggregate)) return m.unitShare;
  if (/duration/.test(metric.aggregate)) return 'ms';
  return metric.aggregate.startsWith('count') ? m.unitCount : '';
}
