/** From values to what is held against the thresholds, and what is said about it. */
import type { Metric } from '../types.ts';
import { measured, metrics } from '../../../base/texts/alerts.ts';
import { valueText } from '../words.ts';
import { anomalyThresholds, unusualness, type Usual, usualOf } from './anomaly.ts';
import { type Reading, readingOf, type Thresholds, thresholdsOf } from './levels.ts';

/** What a value is compared with. */
export type Baseline =
  | { readonly type: 'none' }
  | { readonly type: 'change'; readonly before: number | null }
  | { readonly type: 'anomaly'; readonly weeks: readonly (readonly (number | null)[])[] };

export interface Judged {
  readonly reading: Reading;
  /** What was held against the thresholds; null for nothing. */
  readonly score: number | null;
  /** In words. */
  readonly why: string;
}

/** Of such, nothing is none: zero. */
export const isCount = ({ aggregate, dataset }: Pick<Metric, 'aggregate' | 'dataset'>): boolean =>
  /^(count|sum|failure_count|eps|epm|tps|tpm|spm)/.test(aggregate) &&
  (dataset !== 'sessions' || aggregate.startsWith('sum'));

export const thresholdsFor = (metric: Metric): Thresholds =>
  metric.comparison.type === 'anomaly' ? anomalyThresholds(metric.comparison.sensitivity) : thresholdsOf(metric);

export function judgeValue(metric: Metric, value: number | null, baseline: Baseline): Judged {
  if (value === null) return { reading: 'none', score: null, why: measured.noData(metric.minutes) };
  const now = measured.now(metric.aggregate, valueText(metric, value), metric.minutes);
  const thresholds = thresholdsFor(metric);
  if (baseline.type === 'none') {
    const score = metric.direction === 'below' ? -value : value;
    return { reading: readingOf(score, thresholds), score, why: now };
  }
  if (baseline.type === 'change') {
    if (metric.comparison.type !== 'change') throw new TypeError('a change is compared with what was before');
    const { before } = baseline;
    if (before === null) return { reading: 'learning', score: null, why: `${now}; ${measured.noPrevious}` };
    // From nothing to something would be infinitely more.
    const share = ((value - before) / Math.max(Math.abs(before), isCount(metric) ? 1 : 1e-9)) * 100;
    const score = directed(metric, share);
    const against = metrics.against(metric.comparison.against, metric.minutes);
    const how = measured.change(share, valueText(metric, before), against);
    return { reading: readingOf(score, thresholds), score, why: `${now}, ${how}` };
  }
  const usual = usualOf(baseline.weeks, isCount(metric));
  if (!usual) return { reading: 'learning', score: null, why: `${now}; ${measured.noWeeks}` };
  const score = directed(metric, unusualness(value, usual));
  return { reading: readingOf(score, thresholds), score, why: `${now}; ${usualText(metric, usual)}` };
}

const directed = ({ direction }: Metric, amount: number): number =>
  direction === 'both' ? Math.abs(amount) : direction === 'below' ? -amount : amount;

const usualText = (metric: Metric, { median, spread, windows, weeks }: Usual): string =>
  measured.usual(valueText(metric, median), valueText(metric, spread), windows, weeks);
