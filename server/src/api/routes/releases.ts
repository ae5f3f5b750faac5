/** Releases with their commits and deploys, as clients and pages ask for them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Membership } from '../../accounts/index.ts';
import { countBundles } from '../../artifacts/index.ts';
import { CodedError } from '../../errors.ts';
import { healthOfReleases, type ReleaseHealth } from '../../health/index.ts';
import { listProjects, type Project } from '../../projects/index.ts';
import * as releases from '../../releases/index.ts';
import { lastPeriod, parseTimeRange, type TimeRange } from '../../search/index.ts';
import * as contract from '../contract/releases.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, pageOf, parseCursor } from '../pagination.ts';
import { chooseProjects } from '../scope.ts';
import { toDeploy, toNeighbour, toLeftOut, toRelease, toReleaseCommit } from '../shapes/release.ts';
import { readChange } from './release-change.ts';

type ListQuery = z.output<typeof contract.listReleases.query>;
type Change = z.output<typeof contract.updateRelease.body>;
type CommitsQuery = z.output<typeof contract.listReleaseCommits.query>;

const filesShown = 50;

/** Time that release health is about, unless the question has a range. */
const healthPeriod = '14d';
/** Bars of a small picture. */
const healthBuckets = 30;

interface AskedHealth {
  readonly range: TimeRange;
  readonly nowMs: number;
}

/** Undefined where it is not asked for. */
function askedHealth(query: {
  health?: string | undefined;
  summaryStatsPeriod?: string | undefined;
  statsPeriod?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}): AskedHealth | undefined {
  if (query.health !== '1' && query.health !== 'true') return undefined;
  const nowMs = Date.now();
  const given = parseTimeRange(query, nowMs, healthBuckets);
  return { range: given ?? lastPeriod(query.summaryStatsPeriod || healthPeriod, nowMs, healthBuckets), nowMs };
}

/** Where a release is asked for: in the whole organisation, or in one project of it. */
interface Place {
  readonly membership: Membership;
  readonly project?: Project | undefined;
}

export function releaseRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  const projectsOfOrganization = async ({ membership }: Place): Promise<Map<number, Project>> =>
    new Map((await listProjects(state, membership.organizationId)).map((project) => [project.id, project]));

  const healthOf = (
    versions: readonly string[],
    scope: { projectIds: readonly number[]; environments: readonly string[] },
    { range, nowMs }: AskedHealth,
  ): Promise<ReadonlyMap<string, ReleaseHealth>> =>
    healthOfReleases(events, {
      ...scope,
      releases: versions,
      fromMs: range.startMs,
      untilMs: range.open ? nowMs + 1 : range.endMs,
      bucketMs: range.bucketMs,
      nowMs,
    });

  /** In the order given. */
  const show = async (
    rows: readonly releases.ReleaseRow[],
    { membership, projects }: { membership: Membership; projects: ReadonlyMap<number, Project> },
    scope: { projectIds: readonly number[]; environments: readonly string[] },
    asked?: AskedHealth,
  ) => {
    const versions = rows.map((row) => row.version);
    const [facts, bundles, health] = await Promise.all([
      releases.factsOf({ state, events }, rows, scope),
      countBundles(state, membership.organizationId, versions),
      asked ? healthOf(versions, scope, asked) : undefined,
    ]);
    return rows.flatMap((row) => {
      const own = facts.get(row.id);
      const fares = health?.get(row.version);
      const shown = asked && fares ? { health: fares, range: asked.range } : undefined;
      return own ? [{ row, facts: own, projects, artifacts: bundles.get(row.version) ?? 0, shown }] : [];
    });
  };

  const list = async (
    place: Place,
    chosen: readonly Project[] | undefined,
    query: ListQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<z.output<typeof contract.Release>[]> => {
    const cursor = parseCursor(query.cursor);
    const limit = query.per_page ?? query.limit;
    const projects = await projectsOfOrganization(place);
    const range = parseTimeRange(query, Date.now());
    const found = await releases.listReleases(state, {
      organizationId: place.membership.organizationId,
      projectIds: chosen?.map((project) => project.id),
      apartFrom: [...projects.values()].filter((project) => project.settings.internal).map((project) => project.id),
      environments: query.environment,
      text: query.query?.trim() ?? '',
      status: query.status === '' ? undefined : (query.status ?? 'open'),
      range: range && { startMs: range.startMs, endMs: range.open ? undefined : range.endMs },
      sort: query.sort,
      offset: cursor?.offset ?? 0,
      limit,
    });
    const page = pageOf(found, cursor, limit);
    linkPages(request, reply, getUrl(), page);
    const projectIds = chosen ? chosen.map((project) => project.id) : [...projects.keys()];
    const leftOut = await releases.overflowsOf(state, projectIds, Date.now());
    if (leftOut.length) void reply.header(contract.leftOutHeader, toLeftOut(leftOut));
    const scope = { projectIds, environments: query.environment };
    const shown = await show(page.rows, { membership: place.membership, projects }, scope, askedHealth(query));
    return shown.map(({ row, ...context }) => toRelease(row, context));
  };

  implement(api, contract.listReleases, async ({ caller: { membership }, query, request, reply }) => {
    const named = query.project.some((name) => name !== '' && name !== '-1');
    const chosen = named ? await chooseProjects(state, membership, query.project) : undefined;
    return list({ membership }, chosen, query, request, reply);
  });
  implement(api, contract.listProjectReleases, async ({ caller, query, request, reply }) =>
    list(caller, [caller.project], query, request, reply),
  );

  /** In a project: only one that is of it. */
  const find = async ({ membership, project }: Place, version: string): Promise<releases.ReleaseRow> => {
    const release = await releases.findRelease(state, membership.organizationId, version);
    const known = release && (!project || (await releases.projectsOf(state, release.id)).includes(project.id));
    if (!release || !known) throw new CodedError('NOT_FOUND', [`release ${version}`]);
    return release;
  };

  const showOne = async (release: releases.ReleaseRow, place: Place): Promise<z.output<typeof contract.Release>> => {
    const projects = await projectsOfOrganization(place);
    const scope = { projectIds: [...projects.keys()], environments: [] };
    const [shown] = await show([release], { membership: place.membership, projects }, scope);
    if (!shown) throw new CodedError('NOT_FOUND', [`release ${release.version}`]);
    return toRelease(release, shown);
  };

  const detail = async (
    place: Place,
    version: string,
    chosen: readonly Project[] | undefined,
    environments: readonly string[],
    asked: AskedHealth | undefined,
  ): Promise<z.output<typeof contract.ReleaseDetail>> => {
    const release = await find(place, version);
    const projects = await projectsOfOrganization(place);
    const projectIds = (chosen ?? [...projects.values()]).map((project) => project.id);
    const own = new Set(await releases.projectsOf(state, release.id));
    const [{ previous, next }, refs] = await Promise.all([
      releases.neighboursOf(state, { release, projectIds: projectIds.filter((id) => own.has(id)) }),
      releases.headsOf(state, release.id),
    ]);
    const rows = [release, previous, next].filter((row) => row !== undefined);
    const shown = await show(rows, { membership: place.membership, projects }, { projectIds, environments }, asked);
    const [one] = shown;
    if (!one) throw new CodedError('NOT_FOUND', [`release ${version}`]);
    const neighbour = (row: releases.ReleaseRow | undefined) => {
      const found = shown.find((other) => other.row === row);
      return row && found ? toNeighbour(row, found.facts) : null;
    };
    return { ...toRelease(release, one), previous: neighbour(previous), next: neighbour(next), refs };
  };

  implement(api, contract.getRelease, async ({ caller: { membership }, params, query }) => {
    const named = query.project.some((name) => name !== '' && name !== '-1');
    const chosen = named ? await chooseProjects(state, membership, query.project) : undefined;
    return detail({ membership }, params.version, chosen, query.environment, askedHealth(query));
  });
  implement(api, contract.getProjectRelease, async ({ caller, params, query }) =>
    detail(caller, params.version, [caller.project], query.environment, askedHealth(query)),
  );

  const save = async (place: Place, version: string, given: Change, reply: FastifyReply | undefined) => {
    const { membership, project } = place;
    const named = given.projects?.length ? await chooseProjects(state, membership, given.projects) : [];
    const now = Date.now();
    const { release, created, resolved } = await releases.saveRelease(
      state,
      { organizationId: membership.organizationId, version: releases.checkedVersion(version) },
      readChange(given, [...named, ...(project ? [project] : [])], now),
      now,
    );
    for (const [projectId, issues] of Map.groupBy(resolved, (issue) => issue.projectId)) {
      api.deps.live.publish({ type: 'issues', projectId, issueIds: issues.map((issue) => issue.id) });
    }
    if (reply && !created) void reply.code(208);
    return showOne(release, place);
  };

  implement(api, contract.createRelease, async ({ caller: { membership }, body: { version, ...given }, reply }) =>
    save({ membership }, version, given, reply),
  );
  implement(api, contract.createProjectRelease, async ({ caller, body: { version, ...given }, reply }) =>
    save(caller, version, given, reply),
  );
  // A slip in the version makes no release.
  const change = async (place: Place, version: string, given: Change) =>
    save(place, (await find(place, version)).version, given, undefined);
  implement(api, contract.updateRelease, async ({ caller: { membership }, params, body }) =>
    change({ membership }, params.version, body),
  );
  implement(api, contract.updateProjectRelease, async ({ caller, params, body }) =>
    change(caller, params.version, body),
  );

  implement(api, contract.deleteRelease, async ({ caller: { membership }, params }) =>
    releases.deleteRelease(state, (await find({ membership }, params.version)).id),
  );
  implement(api, contract.deleteProjectRelease, async ({ caller, params }) =>
    releases.deleteRelease(state, (await find(caller, params.version)).id),
  );

  implement(api, contract.getPreviousWithCommits, async ({ caller: { membership }, params }) => {
    const release = await find({ membership }, params.version);
    const projectIds = await releases.projectsOf(state, release.id);
    const { previous } = await releases.neighboursOf(state, { release, projectIds, withCommits: true });
    return previous ? showOne(previous, { membership }) : {};
  });

  const commits = async (
    release: releases.ReleaseRow,
    query: CommitsQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const cursor = parseCursor(query.cursor);
    const limit = query.per_page ?? query.limit;
    const offset = cursor?.offset ?? 0;
    const rows = await releases.listCommits(state, release.id, { offset, limit, fileLimit: filesShown });
    const page = pageOf(rows, cursor, limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toReleaseCommit);
  };
  implement(api, contract.listReleaseCommits, async ({ caller: { membership }, params, query, request, reply }) =>
    commits(await find({ membership }, params.version), query, request, reply),
  );
  implement(api, contract.listProjectReleaseCommits, async ({ caller, params, query, request, reply }) =>
    commits(await find(caller, params.version), query, request, reply),
  );

  implement(api, contract.listDeploys, async ({ caller: { membership }, params, query, request, reply }) => {
    const release = await find({ membership }, params.version);
    const cursor = parseCursor(query.cursor);
    const { limit } = query;
    const rows = await releases.listDeploys(state, release.id, { offset: cursor?.offset ?? 0, limit });
    const page = pageOf(rows, cursor, limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toDeploy);
  });

  implement(api, contract.createDeploy, async ({ caller: { membership }, params, body }) => {
    const now = Date.now();
    const time = (name: string, given: string | number | null | undefined): number | null =>
      given === null || given === undefined ? null : releases.parseGivenTime(name, given);
    const release = await find({ membership }, params.version);
    const deploy = await releases.createDeploy(
      state,
      release.id,
      {
        environment: body.environment,
        name: body.name ?? '',
        url: body.url ?? '',
        dateStarted: time('dateStarted', body.dateStarted),
        dateFinished: time('dateFinished', body.dateFinished) ?? now,
      },
      now,
    );
    return toDeploy(deploy);
  });

  implement(api, contract.listMonitors, async () => []);
}
