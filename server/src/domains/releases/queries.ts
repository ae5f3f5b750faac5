/** Lists of releases, one release, its neighbours. */
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { StateSchema } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import { nextOf, previousOf, toRelease, type ReleaseRow, packageOf } from '../release-order/index.ts';

export interface ReleaseListRequest {
  readonly organizationId: string;
  /** Undefined: whatever the project, also those that are of none. */
  readonly projectIds: readonly number[] | undefined;
  /** Releases of these projects alone are left out: what the installation reports of itself is nobody's release. */
  readonly apartFrom?: readonly number[] | undefined;
  /** Empty: all. */
  readonly environments: readonly string[];
  /** Part of the version; '' for all. */
  readonly text: string;
  readonly status: 'open' | 'archived' | undefined;
  /** Only what was made or seen from then on, and made before the end; ms since the epoch. */
  readonly range: { readonly startMs: number; readonly endMs?: number | undefined } | undefined;
  readonly sort: 'date' | 'new';
  readonly offset: number;
  readonly limit: number;
}

type Builder = ExpressionBuilder<StateSchema, 'release'>;

/** Newest or most new issues first; `limit + 1` rows from the offset on. */
export async function listReleases(state: State, request: ReleaseListRequest): Promise<ReleaseRow[]> {
  const { projectIds, environments, text, status, range } = request;
  if (projectIds && !projectIds.length) return [];
  let query = state.db.selectFrom('release').selectAll().where('organization_id', '=', request.organizationId);
  if (status) query = query.where('status', '=', status);
  if (text) {
    query = query.where(sql<SqlBool>`lower(release.version) like ${`%${literal(text.toLowerCase())}%`} escape '\\'`);
  }
  if (!projectIds && request.apartFrom?.length) {
    const apart = [...request.apartFrom];
    query = query.where((eb) =>
      eb.or([
        eb.not(eb.exists(ofProjects(eb, apart))),
        eb.exists(ofProjects(eb, undefined).where('release_project.project_id', 'not in', apart)),
      ]),
    );
  }
  if (projectIds && !environments.length) query = query.where((eb) => eb.exists(ofProjects(eb, projectIds)));
  if (environments.length) query = query.where((eb) => eb.exists(ofEnvironments(eb, environments, projectIds)));
  if (range) {
    if (range.endMs !== undefined) query = query.where('ordered_at', '<', range.endMs);
    query = query.where((eb) =>
      eb.or([
        eb('ordered_at', '>=', range.startMs),
        eb.exists(ofProjects(eb, projectIds).where('release_project.last_seen', '>=', range.startMs)),
      ]),
    );
  }
  if (request.sort === 'new') query = query.orderBy((eb) => newIssuesOf(eb, request), 'desc');
  const rows = await query
    .orderBy('ordered_at', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit + 1)
    .offset(request.offset)
    .execute();
  return rows.map(toRelease);
}

/** As a part of a pattern. */
const literal = (text: string): string => text.replaceAll(/[%_\\]/g, (sign) => `\\${sign}`);

function ofProjects(eb: Builder, projectIds: readonly number[] | undefined) {
  const query = eb
    .selectFrom('release_project')
    .select('release_project.release_id')
    .whereRef('release_project.release_id', '=', 'release.id');
  return projectIds ? query.where('release_project.project_id', 'in', projectIds) : query;
}

function ofEnvironments(eb: Builder, environments: readonly string[], projectIds: readonly number[] | undefined) {
  const query = eb
    .selectFrom('release_environment')
    .select('release_environment.release_id')
    .whereRef('release_environment.release_id', '=', 'release.id')
    .where('release_environment.environment', 'in', environments);
  return projectIds ? query.where('release_environment.project_id', 'in', projectIds) : query;
}

function newIssuesOf(eb: Builder, { projectIds, organizationId }: ReleaseListRequest) {
  const query = eb
    .selectFrom('issue')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .whereRef('issue.first_release', '=', 'release.version');
  return projectIds
    ? query.where('issue.project_id', 'in', projectIds)
    : query.where('issue.project_id', 'in', (inner) =>
        inner.selectFrom('project').select('project.id').where('project.organization_id', '=', organizationId),
      );
}

/** Undefined when the organisation has none of that version. */
export async function findRelease(
  state: State,
  organizationId: string,
  version: string,
): Promise<ReleaseRow | undefined> {
  const row = await state.db
    .selectFrom('release')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row && toRelease(row);
}

export async function findReleases(
  state: State,
  organizationId: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, ReleaseRow>> {
  if (!versions.length) return new Map();
  const rows = await state.db
    .selectFrom('release')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('version', 'in', versions)
    .execute();
  return new Map(rows.map((row) => [row.version, toRelease(row)]));
}

/** Ids of the projects that a release is of. */
export async function projectsOf(state: State, releaseId: number): Promise<number[]> {
  const rows = await state.db
    .selectFrom('release_project')
    .select('project_id')
    .where('release_id', '=', releaseId)
    .execute();
  return rows.map((row) => row.project_id);
}

/** By date; a hotfix of an old version is further from its neighbours by date than by version. */
const candidates = 500;

interface NeighbourRequest {
  readonly release: ReleaseRow;
  /** Empty: whatever the project. */
  readonly projectIds: readonly number[];
  /** Only releases of which a commit is known. */
  readonly withCommits?: boolean;
}

/** Open releases of the same package and projects that come before and after. */
export async function neighboursOf(
  state: State,
  request: NeighbourRequest,
): Promise<{ previous: ReleaseRow | undefined; next: ReleaseRow | undefined }> {
  const [older, newer] = await Promise.all([around(state, request, 'older'), around(state, request, 'newer')]);
  const others = [...new Map([...older, ...newer].map((one) => [one.id, one])).values()];
  return { previous: previousOf(request.release, others), next: nextOf(request.release, others) };
}

async function around(
  state: State,
  { release, projectIds, withCommits }: NeighbourRequest,
  side: 'older' | 'newer',
): Promise<ReleaseRow[]> {
  let query = state.db
    .selectFrom('release')
    .selectAll()
    .where('organization_id', '=', release.organizationId)
    .where('status', '=', 'open')
    .where('id', '!=', release.id)
    .where('ordered_at', side === 'older' ? '<=' : '>=', release.orderedAt);
  const name = packageOf(release.version);
  query = name
    ? query.where(sql<SqlBool>`release.version like ${`${literal(name)}@%`} escape '\\'`)
    : query.where(sql<SqlBool>`release.version not like '%_@%'`);
  if (projectIds.length) query = query.where((eb) => eb.exists(ofProjects(eb, projectIds)));
  if (withCommits) {
    query = query.where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('release_commit')
            .select('release_commit.release_id')
            .whereRef('release_commit.release_id', '=', 'release.id'),
        ),
        eb.exists(
          eb
            .selectFrom('release_head')
            .select('release_head.release_id')
            .whereRef('release_head.release_id', '=', 'release.id'),
        ),
      ]),
    );
  }
  const direction = side === 'older' ? 'desc' : 'asc';
  const rows = await query.orderBy('ordered_at', direction).orderBy('id', direction).limit(candidates).execute();
  return rows.map(toRelease);
}
