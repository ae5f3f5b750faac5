/** Measures of transactions and web vitals as the API gives them. */
import type { Project } from '../../domains/projects/index.ts';
import { type DeployMark, shortVersion } from '../../domains/releases/index.ts';
import type { Measures, SeriesBucket } from '../../domains/traces/index.ts';

export const percentileNames = ['p50', 'p75', 'p95', 'p99'] as const;

export const toProject = (projects: readonly Project[], id: number): { id: string; slug: string } => ({
  id: String(id),
  slug: projects.find((project) => project.id === id)?.slug ?? '',
});

const toPercentiles = ([p50 = 0, p75 = 0, p95 = 0, p99 = 0]: readonly number[]) => ({
  p50Ms: p50 / 1000,
  p75Ms: p75 / 1000,
  p95Ms: p95 / 1000,
  p99Ms: p99 / 1000,
});

export function toMeasures(measures: Measures) {
  const { count, failed, satisfied, tolerated, totalUs, users, durations, periodMs } = measures;
  const of = (share: number): number => (count ? share / count : 0);
  return {
    count,
    perMinute: (count * 60_000) / periodMs,
    failureRate: of(failed),
    apdex: of(satisfied + tolerated / 2),
    users,
    totalMs: totalUs / 1000,
    ...toPercentiles(durations),
  };
}

/** Every bucket with its time; those without a transaction are empty. */
export function toSeries(
  buckets: readonly (SeriesBucket | undefined)[],
  { startMs, bucketMs }: { readonly startMs: number; readonly bucketMs: number },
) {
  return buckets.map((bucket, index) => ({
    at: Math.floor((startMs + index * bucketMs) / 1000),
    count: bucket?.count ?? 0,
    failed: bucket?.failed ?? 0,
    ...(bucket?.count ? toPercentiles(bucket.durations) : { p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null }),
  }));
}

/** Deploys, and first sightings of releases that have no deploy among them; newest first. */
export function toMarks(
  deploys: readonly DeployMark[],
  firstSeen: readonly { readonly release: string; readonly at: number }[],
) {
  const deployed = new Set(deploys.map(({ version }) => version));
  return [
    ...deploys.map(({ version, environment, at }) => ({ version, environment, at })),
    ...firstSeen.flatMap(({ release, at }) =>
      deployed.has(release) ? [] : [{ version: release, environment: null, at }],
    ),
  ]
    .toSorted((a, b) => b.at - a.at)
    .map(({ version, environment, at }) => ({
      at: Math.floor(at / 1000),
      version,
      shortVersion: shortVersion(version),
      environment,
    }));
}

export const toExamined = ({ fromMs, whole }: { readonly fromMs: number; readonly whole: boolean }) => ({
  from: Math.floor(fromMs / 1000),
  whole,
});

export const ratingOf = (score: number | undefined): 'good' | 'meh' | 'poor' | null =>
  score === undefined ? null : score >= 90 ? 'good' : score >= 50 ? 'meh' : 'poor';
