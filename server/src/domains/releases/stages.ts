/** Releases by what they are now: the latest of a project, adopted, new or replaced. */
import { eventsCount } from '../search/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { adoptedShare, adoptionOf } from '../sessions/index.ts';
import { inEnvironments, inProjects, moment, where } from '../../base/sql.ts';
import type { State } from '../../ports/state/state.ts';

/** The latest release of each of the projects, each once. */
export async function latestVersions(state: State, projectIds: readonly number[]): Promise<string[]> {
  const versions = new Set<string>();
  for (const projectId of projectIds) {
    const latest = await state.db
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .select('release.version')
      .where('release_project.project_id', '=', projectId)
      .orderBy('release.ordered_at', 'desc')
      .orderBy('release.id', 'desc')
      .executeTakeFirst();
    if (latest) versions.add(latest.version);
  }
  return [...versions];
}

const dayMs = 86_400_000;

export interface ReleaseStages {
  /** At least a tenth of the sessions of the last day in one of its projects, of the events where it has no sessions. */
  readonly adopted: readonly string[];
  /** Fewer, but some. All other releases count as replaced. */
  readonly low: readonly string[];
}

/** What counts is what runs; events say it of projects that send no sessions. */

export async function releaseStages(
  events: Events,
  projectIds: readonly number[],
  environments: readonly string[],
  nowMs: number,
): Promise<ReleaseStages> {
  const bySessions = await adoptionOf(events, { projectIds, environments }, nowMs);
  const withSessions = new Set(bySessions.map((row) => row.projectId));
  const others = projectIds.filter((id) => !withSessions.has(id));
  const byEvents = others.length ? await eventStages(events, others, environments, nowMs) : [];
  const rows = [...bySessions.filter(({ stage }) => stage !== 'replaced'), ...byEvents];
  const adopted = new Set(rows.filter(({ stage }) => stage === 'adopted').map(({ release }) => release));
  const seen = new Set(rows.map(({ release }) => release));
  return { adopted: [...adopted], low: [...seen].filter((release) => !adopted.has(release)) };
}

async function eventStages(
  events: Events,
  projectIds: readonly number[],
  environments: readonly string[],
  nowMs: number,
): Promise<{ release: string; stage: 'adopted' | 'low' }[]> {
  const scope = where(inProjects(projectIds), inEnvironments(environments), {
    conditions: [`timestamp >= ${moment('dayAgo')}`, "release != ''"],
    params: { dayAgo: nowMs - dayMs },
  });
  const rows = await events.query<{ project: number; release: string; n: number }>(
    `SELECT project_id AS project, release, ${eventsCount} AS n FROM errors WHERE ${scope.sql}
     GROUP BY project, release ORDER BY n DESC LIMIT 10000`,
    scope.params,
  );
  return [...Map.groupBy(rows, (row) => row.project).values()].flatMap((ofProject) => {
    const total = ofProject.reduce((sum, row) => sum + row.n, 0);
    return ofProject.map(({ release, n }) => ({ release, stage: n >= adoptedShare * total ? 'adopted' : 'low' }));
  });
}
