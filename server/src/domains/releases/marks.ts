/** What charts over time mark: deploys. */
import type { State } from '../../ports/state/state.ts';

export interface DeployMark {
  readonly version: string;
  readonly environment: string;
  /** When the deploy was done, ms since the epoch. */
  readonly at: number;
}

export interface MarksRequest {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly limit: number;
}

/** Deploys of releases that the projects have, newest first. */
export async function deploysBetween(state: State, request: MarksRequest): Promise<DeployMark[]> {
  const { projectIds, environments, startMs, endMs, limit } = request;
  if (!projectIds.length) return [];
  let query = state.db
    .selectFrom('deploy')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .select(['release.version as version', 'deploy.environment as environment', 'deploy.date_finished as at'])
    .where('deploy.release_id', 'in', (inner) =>
      inner.selectFrom('release_project').select('release_id').where('project_id', 'in', projectIds),
    )
    .where('deploy.date_finished', '>=', startMs)
    .where('deploy.date_finished', '<', endMs);
  if (environments.length) query = query.where('deploy.environment', 'in', environments);
  return query.orderBy('deploy.date_finished', 'desc').orderBy('deploy.id', 'desc').limit(limit).execute();
}

const maxDeployed = 500;

/** Names of environments that releases of an organisation were deployed to, the latest first. */
export async function deployedEnvironments(state: State, organizationId: string): Promise<string[]> {
  const rows = await state.db
    .selectFrom('deploy')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .select('deploy.environment')
    .where('release.organization_id', '=', organizationId)
    .groupBy('deploy.environment')
    .orderBy(({ fn }) => fn.max('deploy.date_finished'), 'desc')
    .limit(maxDeployed)
    .execute();
  return rows.map((row) => row.environment);
}
