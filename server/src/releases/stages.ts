/** Releases by what they are now: the latest of a project, adopted, new or replaced. */
import type { Events } from '../events/events.ts';
import { inEnvironments, inProjects, moment, where } from '../issues/index.ts';
import type { State } from '../state/state.ts';

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

/** Of the events of its project in the last day. */
const adoptedShare = 0.1;
const dayMs = 86_400_000;

export interface ReleaseStages {
  /** At least a tenth of the events of the last day in one of its projects. */
  readonly adopted: readonly string[];
  /** Fewer, but some. All other releases count as replaced. */
  readonly low: readonly string[];
}

export async function releaseStages(
  events: Events,
  projectIds: readonly number[],
  environments: readonly string[],
  nowMs: number,
): Promise<ReleaseStages> {
  const scope = where(inProjects(projectIds), inEnvironments(environments), {
    conditions: [`timestamp >= ${moment('dayAgo')}`, "release != ''"],
    params: { dayAgo: nowMs - dayMs },
  });
  const rows = await events.query<{ project: number; version: string; n: number }>(
    `SELECT project_id AS project, release AS version, count() AS n FROM errors WHERE ${scope.sql}
     GROUP BY project, version ORDER BY n DESC LIMIT 10000`,
    scope.params,
  );
  const adopted = new Set<string>();
  for (const ofProject of Map.groupBy(rows, (row) => row.project).values()) {
    const total = ofProject.reduce((sum, row) => sum + row.n, 0);
    for (const { version, n } of ofProject) if (n >= adoptedShare * total) adopted.add(version);
  }
  const seen = new Set(rows.map((row) => row.version));
  return { adopted: [...adopted], low: [...seen].filter((version) => !adopted.has(version)) };
}
