/** What pages show of releases beside their own rows: counts, authors, the last commit and deploy. One statement each, whatever the number of releases. */
import { type CountEstimate, estimateOfPart, eventsCount, partSpread, type PartSpread } from '../search/index.ts';
import { sql } from 'kysely';
import type { Events } from '../../ports/events/events.ts';
import { inProjects, type SqlPart, where } from '../../base/sql.ts';
import type { State } from '../../ports/state/state.ts';
import { commitColumns, toCommit, type CommitRow, type DeployRow, type ReleaseRow } from '../release-order/index.ts';

export interface ReleaseInProject {
  readonly projectId: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  /** Issues first seen in the release. */
  readonly newIssues: number;
}

export interface ReleaseFacts {
  readonly projects: readonly ReleaseInProject[];
  /** The latest first. */
  readonly environments: readonly string[];
  /** Within the chosen projects and environments. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
  readonly events: number;
  /** Undefined where that is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  readonly newIssues: number;
  readonly commits: number;
  readonly authors: readonly { readonly name: string; readonly email: string }[];
  readonly lastCommit: CommitRow | undefined;
  readonly deploys: number;
  readonly lastDeploy: DeployRow | undefined;
}

export interface FactsScope {
  /** Projects that count. */
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
}

interface Stores {
  readonly state: State;
  readonly events: Events;
}

const maxAuthors = 10;
const maxEnvironments = 20;

/** By id of the release. */
export async function factsOf(
  { state, events }: Stores,
  releases: readonly ReleaseRow[],
  scope: FactsScope,
): Promise<ReadonlyMap<number, ReleaseFacts>> {
  if (!releases.length) return new Map();
  const ids = releases.map((release) => release.id);
  const projects = await seenIn(state, ids);
  const [environments, issues, commits, last, heads, authors, deploys, counts] = await Promise.all([
    environmentsOf(state, ids),
    newIssues(
      state,
      releases.map((release) => release.version),
      [...new Set([...scope.projectIds, ...projects.map((one) => one.projectId)])],
    ),
    commitCounts(state, ids),
    lastCommits(state, ids),
    headCommits(state, ids),
    authorsOf(state, ids),
    deploysOf(state, ids),
    eventCounts(events, releases, projects, scope),
  ]);
  const inScope = new Set(scope.projectIds);
  const chosen = new Set(scope.environments);
  return new Map(
    releases.map(({ id, version }) => {
      const own = projects.filter((one) => one.releaseId === id);
      const ofEnvironments = environments.filter((one) => one.releaseId === id && inScope.has(one.projectId));
      const seen = chosen.size
        ? ofEnvironments.filter((one) => chosen.has(one.environment))
        : own.filter((one) => inScope.has(one.projectId));
      const newest = deploys.find((deploy) => deploy.releaseId === id);
      const withNew = own.map(({ projectId, firstSeen, lastSeen }) => ({
        projectId,
        firstSeen,
        lastSeen,
        newIssues: issues.get(`${projectId}:${version}`) ?? 0,
      }));
      const facts: ReleaseFacts = {
        projects: withNew,
        environments: [...new Set(ofEnvironments.map((one) => one.environment))].slice(0, maxEnvironments),
        firstSeen: extreme(
          Math.min,
          seen.map((one) => one.firstSeen),
        ),
        lastSeen: extreme(
          Math.max,
          seen.map((one) => one.lastSeen),
        ),
        events: counts.get(version)?.events ?? 0,
        estimate: counts.get(version)?.estimate,
        newIssues: scope.projectIds.reduce((sum, projectId) => sum + (issues.get(`${projectId}:${version}`) ?? 0), 0),
        commits: commits.get(id) ?? 0,
        authors: authors.filter((author) => author.releaseId === id).slice(0, maxAuthors),
        lastCommit: last.get(id) ?? heads.get(id),
        deploys: newest?.deploys ?? 0,
        lastDeploy: newest,
      };
      return [id, facts];
    }),
  );
}

function extreme(choose: (...values: number[]) => number, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length ? choose(...known) : null;
}

interface SeenIn {
  readonly releaseId: number;
  readonly projectId: number;
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

const seenIn = (state: State, ids: readonly number[]): Promise<SeenIn[]> =>
  state.db
    .selectFrom('release_project')
    .select(['release_id as releaseId', 'project_id as projectId', 'first_seen as firstSeen', 'last_seen as lastSeen'])
    .where('release_id', 'in', ids)
    .orderBy('project_id')
    .execute();

const environmentsOf = (state: State, ids: readonly number[]) =>
  state.db
    .selectFrom('release_environment')
    .select([
      'release_id as releaseId',
      'project_id as projectId',
      'environment',
      'first_seen as firstSeen',
      'last_seen as lastSeen',
    ])
    .where('release_id', 'in', ids)
    .orderBy('last_seen', 'desc')
    .execute();

/** By `project:version`. */
async function newIssues(
  state: State,
  versions: readonly string[],
  projectIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  if (!projectIds.length) return new Map();
  const rows = await state.db
    .selectFrom('issue')
    .select(({ fn }) => ['project_id', 'first_release', fn.countAll<number>().as('n')])
    .where('project_id', 'in', projectIds)
    .where('first_release', 'in', versions)
    .groupBy(['project_id', 'first_release'])
    .execute();
  return new Map(rows.map((row) => [`${row.project_id}:${row.first_release}`, Number(row.n)]));
}

async function commitCounts(state: State, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await state.db
    .selectFrom('release_commit')
    .select(({ fn }) => ['release_id', fn.countAll<number>().as('n')])
    .where('release_id', 'in', ids)
    .groupBy('release_id')
    .execute();
  return new Map(rows.map((row) => [row.release_id, Number(row.n)]));
}

async function lastCommits(state: State, ids: readonly number[]): Promise<ReadonlyMap<number, CommitRow>> {
  const rows = await state.db
    .selectFrom('release_commit')
    .innerJoin('commit', 'commit.id', 'release_commit.commit_id')
    .innerJoin('repository', 'repository.id', 'commit.repository_id')
    .select([...commitColumns, 'release_commit.release_id as releaseId'])
    .where('release_commit.release_id', 'in', ids)
    // Not always 0: commits go with their repository.
    .where('release_commit.position', '=', (eb) =>
      eb
        .selectFrom('release_commit as newest')
        .select(({ fn }) => fn.min('newest.position').as('position'))
        .whereRef('newest.release_id', '=', 'release_commit.release_id'),
    )
    .execute();
  return new Map(rows.map((row) => [row.releaseId, toCommit(row)]));
}

/** Heads alone say no more than which commit it was, unless it came with another release. */
async function headCommits(state: State, ids: readonly number[]): Promise<ReadonlyMap<number, CommitRow>> {
  const rows = await state.db
    .selectFrom('release_head')
    .innerJoin('release', 'release.id', 'release_head.release_id')
    .innerJoin('repository', 'repository.id', 'release_head.repository_id')
    .leftJoin('commit', (join) =>
      join
        .onRef('commit.repository_id', '=', 'release_head.repository_id')
        .onRef('commit.sha', '=', 'release_head.sha'),
    )
    .select([
      'release_head.release_id as releaseId',
      'release_head.sha as sha',
      'release.ordered_at as orderedAt',
      'commit.message as message',
      'commit.author_name as authorName',
      'commit.author_email as authorEmail',
      'commit.committed_at as committedAt',
      'repository.id as repositoryId',
      'repository.name as repositoryName',
      'repository.provider as provider',
      'repository.url as repositoryUrl',
      'repository.is_configured as isConfigured',
    ])
    .where('release_head.release_id', 'in', ids)
    .orderBy('repository.id', 'desc')
    .execute();
  return new Map(
    rows.map((row) => [
      row.releaseId,
      toCommit({
        ...row,
        message: row.message ?? '',
        authorName: row.authorName ?? '',
        authorEmail: row.authorEmail ?? '',
        committedAt: row.committedAt ?? row.orderedAt,
      }),
    ]),
  );
}

/** The busiest first. */
const authorsOf = (state: State, ids: readonly number[]) =>
  state.db
    .selectFrom('release_commit')
    .innerJoin('commit', 'commit.id', 'release_commit.commit_id')
    .select(({ fn }) => [
      'release_commit.release_id as releaseId',
      'commit.author_email as email',
      fn.max('commit.author_name').as('name'),
      fn.countAll<number>().as('commits'),
    ])
    .where('release_commit.release_id', 'in', ids)
    .groupBy(['release_commit.release_id', 'commit.author_email'])
    .orderBy('commits', 'desc')
    .orderBy('email')
    .execute();

/** The last deploy of each release, with how many there are. */
async function deploysOf(
  state: State,
  ids: readonly number[],
): Promise<(DeployRow & { releaseId: number; deploys: number })[]> {
  const ranked = state.db
    .selectFrom('deploy')
    .select([
      'id',
      'release_id as releaseId',
      'environment',
      'name',
      'url',
      'date_started as dateStarted',
      'date_finished as dateFinished',
      sql<number>`row_number() over (partition by release_id order by date_finished desc, id desc)`.as('place'),
      sql<number>`count(*) over (partition by release_id)`.as('deploys'),
    ])
    .where('release_id', 'in', ids);
  const rows = await state.db.selectFrom(ranked.as('ranked')).selectAll().where('place', '=', 1).execute();
  return rows.map((row) => ({ ...row, deploys: Number(row.deploys) }));
}

/** Newest first; `limit + 1` rows from the offset on. */
export async function listDeploys(
  state: State,
  releaseId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<DeployRow[]> {
  return state.db
    .selectFrom('deploy')
    .select(['id', 'environment', 'name', 'url', 'date_started as dateStarted', 'date_finished as dateFinished'])
    .where('release_id', '=', releaseId)
    .orderBy('date_finished', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

const none: SqlPart = { conditions: [], params: {} };

/** Stored errors by version. Events before the first of these releases are not read. */
async function eventCounts(
  events: Events,
  releases: readonly ReleaseRow[],
  seen: readonly SeenIn[],
  { projectIds, environments }: FactsScope,
): Promise<ReadonlyMap<string, Pick<ReleaseFacts, 'events' | 'estimate'>>> {
  const inScope = new Set(projectIds);
  const relevant = seen.filter((one) => inScope.has(one.projectId) && one.firstSeen !== null);
  const since = extreme(
    Math.min,
    relevant.map((one) => one.firstSeen),
  );
  if (since === null) return new Map();
  const withEvents = new Set(relevant.map((one) => one.releaseId));
  const scope = where(
    inProjects([...new Set(relevant.map((one) => one.projectId))]),
    environments.length
      ? { conditions: ['environment IN {environments:Array(String)}'], params: { environments } }
      : none,
    {
      conditions: [
        'release IN {releases:Array(String)}',
        "timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')",
      ],
      params: {
        releases: releases.filter((release) => withEvents.has(release.id)).map((release) => release.version),
        since,
      },
    },
  );
  const rows = await events.query<{ version: string; n: number } & PartSpread>(
    `SELECT release AS version, ${eventsCount} AS n, ${partSpread()} FROM errors
     WHERE ${scope.sql} AND issue_type = '' GROUP BY version`,
    scope.params,
  );
  return new Map(rows.map((row) => [row.version, { events: Number(row.n), estimate: estimateOfPart(row.n, row) }]));
}

/** The head of each repository in a release. */
export async function headsOf(
  state: State,
  releaseId: number,
): Promise<{ repository: string; commit: string; previousCommit: string | null }[]> {
  return state.db
    .selectFrom('release_head')
    .innerJoin('repository', 'repository.id', 'release_head.repository_id')
    .select([
      'repository.name as repository',
      'release_head.sha as commit',
      'release_head.previous_sha as previousCommit',
    ])
    .where('release_head.release_id', '=', releaseId)
    .orderBy('repository.name')
    .execute();
}
