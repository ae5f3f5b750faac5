/** The page Now as the API gives it. */
import type { z } from 'zod';
import { intakeText, type Now, textOf } from '../../domains/now/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { type DeployMark, shortVersion } from '../../domains/releases/index.ts';
import { seriesOf } from '../../base/time-range.ts';
import type { SeriesBucket } from '../../domains/traces/index.ts';
import type { getNow } from './contract.ts';
import { categoryOf, shortIdOf } from '../issues/shapes.ts';
import { toMarks } from '../performance/shapes.ts';
import { iso } from '../shared/read.ts';

type Answer = z.output<typeof getNow.response>;

/** Issues of one answer; the page says how many there are besides. */
const maxShown = 12;

export interface NowPlace {
  readonly projects: readonly Project[];
  readonly deploys: readonly DeployMark[];
}

const p95 = 2;

export function toNow(found: Now, { projects, deploys }: NowPlace): Answer {
  const { series, transactions, change, counts, verdict } = found;
  const byId = new Map(projects.map((project) => [project.id, project]));
  const slugOf = (id: number): string => byId.get(id)?.slug ?? '';
  const p95Of = (bucket: { readonly durations: readonly number[] } | undefined): number | null =>
    bucket?.durations[p95] === undefined ? null : bucket.durations[p95] / 1000;
  const p95s = (buckets: readonly (SeriesBucket | undefined)[]) => buckets.map(p95Of);
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  return {
    asOf: iso(found.nowMs),
    level: verdict.level,
    sentence: textOf(verdict),
    parts: verdict.parts.map(({ text, link, at }) => ({
      text,
      ...(at !== undefined && { at: iso(at) }),
      ...(link && {
        link:
          link.kind === 'transaction'
            ? { kind: link.kind, transaction: link.transaction, project: slugOf(link.projectId) }
            : link,
      }),
    })),
    change: change
      ? {
          kind: change.kind,
          version: change.version,
          shortVersion: shortVersion(change.version),
          name: change.name,
          environment: change.environment || null,
          at: iso(change.at),
        }
      : null,
    counts,
    issuesPeriod: found.issuesRange.label,
    issues: found.issues.slice(0, maxShown).flatMap((issue) => {
      const project = byId.get(issue.projectId);
      const { substatus } = issue;
      if (!project || (substatus !== 'new' && substatus !== 'regressed' && substatus !== 'escalating')) return [];
      const { count, userCount, lastSeen } = issue.numbers;
      return [
        {
          id: String(issue.id),
          shortId: shortIdOf(issue, project),
          title: issue.title,
          culprit: issue.culprit,
          type: issue.type,
          issueCategory: categoryOf(issue),
          metadata: { ...issue.metadata },
          level: issue.level,
          substatus,
          sinceChange: change !== undefined && substatus === 'new' && issue.firstSeen >= change.at,
          project: { id: String(project.id), slug: project.slug, name: project.name, platform: project.platform },
          count,
          estimated: issue.estimate ?? null,
          userCount,
          firstSeen: iso(issue.firstSeen),
          lastSeen: iso(lastSeen),
          series: seriesOf(found.issuesRange, issue.numbers.series),
        },
      ];
    }),
    start: iso(series.startMs),
    bucketSeconds: series.bucketMs / 1000,
    errors: { now: [...series.errors], before: [...series.errorsBefore] },
    users: { now: [...series.users], before: [...series.usersBefore] },
    p95Ms: { now: p95s(transactions.now), before: p95s(transactions.before) },
    totals: {
      errors: {
        now: sum(series.errors),
        before: sum(series.errorsBefore),
        estimated: series.estimate ?? null,
      },
      users: { now: series.usersOfDay, before: series.usersOfDayBefore },
      p95Ms: { now: p95Of(transactions.totals), before: p95Of(transactions.totalsBefore) },
    },
    marks: toMarks(deploys, []),
    hotspots: found.hotspots.map(({ projectId, transaction, count, estimate, usual }) => ({
      project: slugOf(projectId),
      transaction,
      count,
      estimated: estimate ?? null,
      usual,
    })),
    sessions: {
      ...found.sessions,
      crashFree: found.sessions.crashFree ?? null,
      crashFreeBefore: found.sessions.crashFreeBefore ?? null,
    },
    intake: found.intake.map((one) => ({ kind: one.kind, weight: one.weight, sentence: intakeText(one) })),
  };
}
