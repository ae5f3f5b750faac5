/** Outcomes as `stats_v2/` of Sentry's API counts them, which Grafana's data source draws. */
import type { z } from 'zod';
import { bucketsOf, parseInterval } from '../../domains/explore/index.ts';
import type { countOutcomes } from '../../domains/outcomes/index.ts';
import { exactTimeRange, type TimeRange } from '../../base/time-range.ts';
import { iso } from '../shared/read.ts';
import type { getProjectStats, getStats, getStatsSummary, listEventsDropped } from './contract.ts';

type Asked = z.output<typeof getStats.query>;
type Answer = z.output<typeof getStats.response>;
type Outcome = Awaited<ReturnType<typeof countOutcomes>>['groups'][number];

const defaultPeriod = '24h';
const defaultInterval = '1h';

export function statsRange(
  asked: Partial<Pick<Asked, 'statsPeriod' | 'start' | 'end' | 'interval'>>,
  nowMs: number,
): TimeRange {
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

type SummaryAsked = z.output<typeof getStatsSummary.query>;
type Summary = z.output<typeof getStatsSummary.response>;

export function toSummary(
  outcomes: readonly Outcome[],
  projects: readonly { readonly id: number; readonly slug: string }[],
  range: TimeRange,
  asked: SummaryAsked,
): Summary {
  const wanted = outcomes.filter(
    ({ category, outcome, reason }) =>
      isAsked(asked.category, category) && isAsked(asked.outcome, outcome) && isAsked(asked.reason, reason),
  );
  return {
    start: iso(range.startMs),
    end: iso(range.endMs),
    projects: projects.map(({ id, slug }) => {
      const own = Map.groupBy(
        wanted.filter(({ projectId }) => projectId === id),
        ({ category }) => category,
      );
      return {
        id: String(id),
        slug,
        stats: [...own].map(([category, ofCategory]) => {
          const counts: Record<string, number> = {};
          for (const { outcome, total } of ofCategory) counts[outcome] = (counts[outcome] ?? 0) + total;
          const sum = ofCategory.reduce((all, { total }) => all + total, 0);
          return {
            category,
            outcomes: counts,
            totals: { [asked.field]: sum, dropped: sum - (counts['accepted'] ?? 0) },
          };
        }),
      };
    }),
  };
}

type ProjectAsked = z.output<typeof getProjectStats.query>;

/** Which outcomes each of Sentry's older names counts. */
const counted: Readonly<Record<ProjectAsked['stat'], readonly string[]>> = {
  received: ['accepted', 'filtered', 'rate_limited', 'invalid'],
  rejected: ['rate_limited', 'invalid'],
  blacklisted: ['filtered'],
  generated: ['accepted'],
};

export const projectStatsRange = ({ since, until, resolution }: ProjectAsked, nowMs: number): TimeRange => {
  const end = until === undefined ? nowMs : until * 1000;
  const start = since === undefined ? end - 86_400_000 : since * 1000;
  return statsRange({ start: iso(start), end: iso(end), interval: resolution }, nowMs);
};

/** Error events alone. */
export function toProjectStats(
  outcomes: readonly Outcome[],
  range: TimeRange,
  { stat }: ProjectAsked,
): z.output<typeof getProjectStats.response> {
  const own = outcomes.filter(({ category, outcome }) => category === 'error' && counted[stat].includes(outcome));
  return Array.from({ length: range.buckets }, (_, index) => [
    Math.floor((range.startMs + index * range.bucketMs) / 1000),
    own.reduce((sum, { series }) => sum + (series[index] ?? 0), 0),
  ]);
}

type DroppedAsked = z.output<typeof listEventsDropped.query>;
type Dropped = z.output<typeof listEventsDropped.response>;

const categoriesOf: Readonly<Record<DroppedAsked['dataset'], readonly string[]>> = {
  errors: ['error', 'default', 'security'],
  spans: ['span', 'transaction'],
  logs: ['log_item', 'log'],
  tracemetrics: ['trace_metric', 'metric'],
};

/** Drops that follow from what somebody set. */
const intentional: ReadonlySet<string> = new Set(['filtered', 'client_discard']);

export function toDropped(outcomes: readonly Outcome[], range: TimeRange, asked: DroppedAsked): Dropped {
  const own = outcomes.filter(({ category }) => categoriesOf[asked.dataset].includes(category));
  const bucketsOfAll = (all: readonly Outcome[]): Dropped['droppedEvents'] =>
    all.flatMap(({ category, outcome, reason, series }) =>
      series.flatMap((count, index) => {
        if (count === 0) return [];
        const start = Math.floor((range.startMs + index * range.bucketMs) / 1000);
        const isAccepted = outcome === 'accepted';
        return {
          outcome,
          reason: isAccepted ? 'accepted' : reason,
          category,
          start,
          end: start + range.bucketMs / 1000,
          count,
          tags: isAccepted ? [] : [intentional.has(outcome) ? ('intentional' as const) : ('unintentional' as const)],
        };
      }),
    );
  const isWanted = ({ outcome, reason }: Outcome): boolean =>
    outcome !== 'accepted' &&
    (asked.outcome === undefined || outcome === asked.outcome) &&
    (asked.reason === undefined || reason === asked.reason);
  return {
    dataset: asked.dataset,
    interval: range.bucketMs / 1000,
    droppedEvents: bucketsOfAll(own.filter(isWanted)),
    acceptedEvents: bucketsOfAll(own.filter(({ outcome }) => outcome === 'accepted')),
  };
}
