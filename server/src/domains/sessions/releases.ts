/** How each of several releases fares: for lists, so the questions are as many however many releases there are. */
import type { Events } from '../../ports/events/events.ts';
import { adoptionOf, type AdoptionStage, type ReleaseAdoption } from './adoption.ts';
import { noParts, type Parts, shareOf } from './counts.ts';
import { measureSessions, type SessionNumbers } from './measure.ts';

export interface HealthRequest {
  readonly releases: readonly string[];
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  /** ms since the epoch; at least a day, in whole buckets from the start on. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bucketMs: number;
  readonly nowMs: number;
}

export interface ProjectHealth {
  readonly projectId: number;
  readonly sessions: Parts;
  readonly users: Parts;
  /** Of the last 24 hours: of the release, and of its whole project. */
  readonly sessions24h: number;
  readonly users24h: number;
  readonly projectSessions24h: number;
  readonly projectUsers24h: number;
}

export interface ReleaseHealth {
  readonly sessions: Parts;
  readonly users: Parts;
  /** Undefined where its projects had no sessions in the last 24 hours. */
  readonly adoption: number | undefined;
  /** Undefined for a release without sessions. */
  readonly stage: AdoptionStage | undefined;
  /** Sessions by index of the bucket, without the empty ones. */
  readonly series: ReadonlyMap<number, number>;
  readonly projects: readonly ProjectHealth[];
}

const dayMs = 86_400_000;

/** By version; every release that was asked for is there. */
export async function healthOfReleases(
  events: Events,
  request: HealthRequest,
): Promise<ReadonlyMap<string, ReleaseHealth>> {
  const { releases, projectIds, environments, fromMs, untilMs, bucketMs, nowMs } = request;
  if (!releases.length) return new Map();
  const scope = { projectIds, environments, releases, fromMs, untilMs };
  const lately = { ...scope, fromMs: nowMs - dayMs, untilMs: nowMs + 1, withUsers: true };
  const [ofProjects, series, day, dayOfProjects, adoption] = await Promise.all([
    measureSessions(events, { ...scope, by: ['project', 'release'], withUsers: true }),
    measureSessions(events, { ...scope, by: ['release'], withUsers: false, totalsOnly: true, bucketMs }),
    measureSessions(events, { ...lately, by: ['project', 'release'] }),
    measureSessions(events, { ...lately, releases: undefined, by: ['project'] }),
    adoptionOf(events, { projectIds, environments, releases }, nowMs),
  ]);
  // Who used a release in several projects is one user: only there is that another question.
  const several = releases.filter((release) => ofProjects.filter((row) => row.release === release).length > 1);
  const together = several.length
    ? await measureSessions(events, { ...scope, releases: several, by: ['release'], withUsers: true })
    : [];
  return new Map(
    releases.map((release) => {
      const ofRelease = <T extends { readonly release: string }>(rows: readonly T[]): T[] =>
        rows.filter((row) => row.release === release);
      const [whole] = [...ofRelease(together), ...ofRelease(ofProjects)];
      const dayOf = (projectId: number): SessionNumbers | undefined =>
        ofRelease(day).find((row) => row.projectId === projectId);
      const projectDay = (projectId: number): SessionNumbers | undefined =>
        dayOfProjects.find((row) => row.projectId === projectId);
      const { share, stage } = adoptionTogether(ofRelease(adoption));
      const health: ReleaseHealth = {
        sessions: whole?.sessions ?? noParts,
        users: whole?.users ?? noParts,
        adoption: share,
        stage,
        series: new Map(ofRelease(series).map((row) => [row.bucket, row.sessions.total])),
        projects: ofRelease(ofProjects).map(({ projectId, sessions, users }) => ({
          projectId,
          sessions,
          users,
          sessions24h: dayOf(projectId)?.sessions.total ?? 0,
          users24h: dayOf(projectId)?.users.total ?? 0,
          projectSessions24h: projectDay(projectId)?.sessions.total ?? 0,
          projectUsers24h: projectDay(projectId)?.users.total ?? 0,
        })),
      };
      return [release, health];
    }),
  );
}

/** A release of several projects is adopted where any of them has adopted it. */
function adoptionTogether(rows: readonly ReleaseAdoption[]): {
  share: number | undefined;
  stage: AdoptionStage | undefined;
} {
  const sum = (of: (row: ReleaseAdoption) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const stages = new Set(rows.map((row) => row.stage));
  return {
    share: shareOf(
      sum((row) => row.sessions),
      sum((row) => row.ofProject),
    ),
    stage: (['adopted', 'replaced', 'low'] as const).find((stage) => stages.has(stage)),
  };
}
