/** Outcomes as `stats_v2/` of Sentry's API counts them, which Grafana's data source draws. */
import type { z } from 'zod';
import { bucketsOf, parseInterval } from '../../domains/explore/index.ts';
import type { countOutcomes } from '../../domains/outcomes/index.ts';
import { exactTimeRange, type TimeRange } from '../../base/time-range.ts';
import { iso } from '../shared/read.ts';
import type { getStats } from './contract.ts';

type Asked = z.output<typeof getStats.query>;
type Answer = z.output<typeof getStats.response>;
type Outcome = Awaited<ReturnType<typeof countOutcomes>>['groups'][number];

const defaultPeriod = '24h';
const defaultInterval = '1h';

export function statsRange(asked: Asked, nowMs: number): TimeRange {
  const range = exactTimeRange(asked, nowMs) ?? exactTimeRange({ statsPeriod: defaultPeriod }, nowMs);
  if (!range) throw new TypeError('a period is a range');
  const { startMs, bucketMs, count } = bucketsOf(range, parseInterval(asked.interval || defaultInterval));
  return { ...range, startMs, bucketMs, buckets: count, grain: 'ms', label: 'range' };
}

const isAsked = (wanted: readonly string[], value: string): boolean => wanted.length === 0 || wanted.includes(value);

export function toStats(outcomes: readonly Outcome[], range: TimeRange, asked: Asked): Answer {
  const groups = new Map<string, { by: Record<string, string | number>; total: number; series: number[] }>();
  for (const one of outcomes) {
    const { category, outcome, reason, projectId: project, total, series } = one;
    if (!isAsked(asked.category, category) || !isAsked(asked.outcome, outcome) || !isAsked(asked.reason, reason)) {
      continue;
    }
    const values = { category, outcome, reason, project };
    const by = Object.fromEntries(asked.groupBy.map((key) => [key, values[key]]));
    const key = JSON.stringify(by);
    const group = groups.get(key) ?? { by, total: 0, series: series.map(() => 0) };
    group.total += total;
    group.series = group.series.map((sum, index) => sum + (series[index] ?? 0));
    groups.set(key, group);
  }
  const fields = asked.field.length ? asked.field : (['sum(quantity)'] as const);
  return {
    start: iso(range.startMs),
    end: iso(range.endMs),
    intervals: Array.from({ length: range.buckets }, (_, index) => iso(range.startMs + index * range.bucketMs)),
    groups: [...groups.values()].map(({ by, total, series }) => ({
      by,
      totals: Object.fromEntries(fields.map((field) => [field, total])),
      series: Object.fromEntries(fields.map((field) => [field, series])),
    })),
  };
}
