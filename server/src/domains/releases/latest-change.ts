/** What changed last: the deploy, or where nobody reports deploys the release that was seen first last. */
import type { State } from '../../ports/state/state.ts';
import { deploysBetween } from './marks.ts';
import { releaseName } from '../release-order/index.ts';

export interface LatestChange {
  readonly kind: 'deploy' | 'release';
  readonly version: string;
  /** The version as people call it, with the package where another that changed lately is called the same. */
  readonly name: string;
  /** '' for not known. */
  readonly environment: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface LatestChangeRequest {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

/** Undefined where nothing changed in that time. */
export async function latestChange(state: State, request: LatestChangeRequest): Promise<LatestChange | undefined> {
  const { projectIds, environments, startMs, endMs } = request;
  if (!projectIds.length) return undefined;
  const deploys = await deploysBetween(state, { ...request, limit: lately });
  const [deploy] = deploys;
  if (deploy) return { kind: 'deploy', ...deploy, name: nameAmong(deploy, deploys) };
  let query = state.db
    .selectFrom('release_environment')
    .innerJoin('release', 'release.id', 'release_environment.release_id')
    .select((eb) => [
      'release.version as version',
      eb.fn.min('release_environment.environment').as('environment'),
      eb.fn.min('release_environment.first_seen').as('at'),
    ])
    .where('release_environment.project_id', 'in', projectIds)
    .where('release.status', '=', 'open')
    .where('release.created_at', '>=', startMs - sightingDelayMs)
    .groupBy('release.version');
  if (environments.length) query = query.where('release_environment.environment', 'in', environments);
  const rows = await query.orderBy('at', 'desc').limit(lately).execute();
  const found = rows.map((row) => ({ ...row, at: Number(row.at) })).find(({ at }) => at >= startMs && at < endMs);
  return found && { kind: 'release', ...found, name: nameAmong(found, rows) };
}

/** Changes that a name has to tell apart. */
const lately = 50;

const nameAmong = ({ version }: Pick<LatestChange, 'version'>, all: readonly Pick<LatestChange, 'version'>[]): string =>
  releaseName(
    version,
    all.map((one) => one.version),
  );

/** A release may be made before its first event comes. */
const sightingDelayMs = 30 * 86_400_000;
