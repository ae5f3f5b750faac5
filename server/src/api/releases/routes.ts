/** Releases, as clients and pages ask for them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { countBundles } from '../../domains/artifacts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { healthOfReleases, type ReleaseHealth } from '../../domains/sessions/index.ts';
import { ofPeople, type Project, seenProjects, sees } from '../../domains/projects/index.ts';
import * as releases from '../../domains/releases/index.ts';
import { chooseProjects, namesProjects } from '../../domains/named-search/index.ts';
import { lastPeriod, parseTimeRange, type TimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement, type Recorded } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { toNeighbour, toLeftOut, toRelease } from './shapes.ts';
import { readChange } from './change.ts';
import { checkWhole, findRelease, type Place } from '../shared/release-place.ts';

type ListQuery = z.output<typeof contract.listReleases.query>;
type Change = z.output<typeof contract.updateRelease.body>;

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
  const range = parseTimeRange(query, nowMs, healthBuckets);
  return { range: range ?? lastPeriod(query.summaryStatsPeriod || healthPeriod, nowMs, healthBuckets), nowMs };
}

export function releaseRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  const projectsOfOrganization = async ({ membership }: Place): Promise<Map<number, Project>> =>
    new Map((await seenProjects(state, membership)).map((project) => [project.id, project]));

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
      countBundles(state, membership.organizationId, versions, membership.within && [...projects.keys()]),
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
    const projectIds = (chosen ?? ofPeople([...projects.values()])).map((project) => project.id);
    const leftOut = await releases.overflowsOf(state, projectIds, Date.now());
    if (leftOut.length) void reply.header(contract.leftOutHeader, toLeftOut(leftOut));
    const scope = { projectIds, environments: query.environment };
    const shown = await show(page.rows, { membership: place.membership, projects }, scope, askedHealth(query));
    return shown.map(({ row, ...context }) => toRelease(row, context));
  };

  implement(api, contract.listReleases, async ({ caller: { membership }, query, request, reply }) => {
    const chosen =
      namesProjects(query.project) || membership.within
        ? await chooseProjects(state, membership, query.project)
        : undefined;
    return list({ membership }, chosen, query, request, reply);
  });
  implement(api, contract.listProjectReleases, async ({ caller, query, request, reply }) =>
    list(caller, [caller.project], query, request, reply),
  );

  const find = findRelease(state);

  const showOne = async (release: releases.ReleaseRow, place: Place): Promise<z.output<typeof contract.Release>> => {
    const projects = await projectsOfOrganization(place);
    const scope = { projectIds: [...projects.keys()], environments: [] };
    const [shown] = await show([release], { membership: place.membership, projects }, scope);
    if (!shown) throw new CodedError('NOT_FOUND', [things.release(release.version)]);
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
    if (!one) throw new CodedError('NOT_FOUND', [things.release(version)]);
    const neighbour = (row: releases.ReleaseRow | undefined) => {
      const found = shown.find((other) => other.row === row);
      return row && found ? toNeighbour(row, found.facts) : null;
    };
    return { ...toRelease(release, one), previous: neighbour(previous), next: neighbour(next), refs };
  };

  implement(api, contract.getRelease, async ({ caller: { membership }, params, query }) => {
    const chosen = namesProjects(query.project) ? await chooseProjects(state, membership, query.project) : undefined;
    return detail({ membership }, params.version, chosen, query.environment, askedHealth(query));
  });
  implement(api, contract.getProjectRelease, async ({ caller, params, query }) =>
    detail(caller, params.version, [caller.project], query.environment, askedHealth(query)),
  );

  type Doing = Place & { readonly identity: { readonly userId: string } };
  const save = async (place: Doing, version: string, request: Change, reply: FastifyReply | undefined) => {
    const { membership, project, identity } = place;
    const named = request.projects?.length ? await chooseProjects(state, membership, request.projects) : [];
    const known = await releases.findRelease(state, membership.organizationId, version);
    if (known) await checkWhole(state, membership, known.id);
    const now = Date.now();
    const { release, created, resolved } = await releases.saveRelease(
      state,
      { organizationId: membership.organizationId, version: releases.checkedVersion(version) },
      { ...readChange(request, [...named, ...(project ? [project] : [])], now), userId: identity.userId },
      now,
    );
    for (const [projectId, issues] of Map.groupBy(resolved, (issue) => issue.projectId)) {
      api.deps.live.publish({ type: 'issues', projectId, issueIds: issues.map((issue) => issue.id) });
    }
    if (reply && !created) void reply.code(208);
    return showOne(release, place);
  };

  implement(api, contract.createRelease, async ({ caller, body: { version, ...request }, reply }) =>
    save(caller, version, request, reply),
  );
  implement(api, contract.createProjectRelease, async ({ caller, body: { version, ...request }, reply }) =>
    save(caller, version, request, reply),
  );
  // A slip in the version makes no release.
  const change = async (place: Doing, version: string, request: Change) =>
    save(place, (await find(place, version)).version, request, undefined);
  implement(api, contract.updateRelease, async ({ caller, params, body }) => change(caller, params.version, body));
  implement(api, contract.updateProjectRelease, async ({ caller, params, body }) =>
    change(caller, params.version, body),
  );

  const remove = async (place: Place, version: string, recorded: Recorded): Promise<void> => {
    const { id } = await find(place, version);
    await checkWhole(state, place.membership, id);
    await recorded(async (inside, note) => {
      await releases.deleteRelease(inside, id);
      note({ id, name: version });
    });
  };
  implement(api, contract.deleteRelease, async ({ caller: { membership }, params, recorded }) =>
    remove({ membership }, params.version, recorded),
  );
  implement(api, contract.deleteProjectRelease, async ({ caller, params, recorded }) =>
    remove(caller, params.version, recorded),
  );

  implement(api, contract.getPreviousWithCommits, async ({ caller: { membership }, params }) => {
    const release = await find({ membership }, params.version);
    const projectIds = (await releases.projectsOf(state, release.id)).filter((id) => sees(membership, id));
    const { previous } = await releases.neighboursOf(state, { release, projectIds, withCommits: true });
    return previous ? showOne(previous, { membership }) : {};
  });
}
