/** Find, and watches for digests. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as found from '../../domains/find/index.ts';
import { seenProjects, ofPeople } from '../../domains/projects/index.ts';
import { namesProjects, reachableProjects } from '../../domains/named-search/index.ts';
import { parseTimeRange } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { readLag } from '../shared/lag.ts';
import { toFindAnswer, toWatch } from './shapes.ts';

type FindQuery = z.output<typeof contract.findPasted.query>;

export function findRoutes(api: Api): void {
  const { deps } = api;
  const { state, events, log, lookout, getUrl } = deps;

  const ownHosts = (request: FastifyRequest): string[] => {
    const url = getUrl();
    return [request.host, ...(URL.canParse(url) ? [new URL(url).host] : [])];
  };

  const find = async (
    text: string,
    query: FindQuery,
    membership: Membership,
    userId: string,
    request: FastifyRequest,
  ): Promise<z.output<typeof contract.FindAnswer>> => {
    const nowMs = Date.now();
    const projects = await reachableProjects(state, membership, query.project);
    const shown = namesProjects(query.project) ? projects : ofPeople(projects);
    const answer = await found.find(
      { state, events },
      { text, projects, shown, ownHosts: ownHosts(request), range: parseTimeRange(query, nowMs), nowMs },
    );
    const digest = answer.understood.find(({ kind }) => kind === 'digest')?.value;
    const watcher = { organizationId: membership.organizationId, userId };
    return toFindAnswer(answer, {
      // A watch may have found its event in a project that was not asked for.
      projects: new Map(
        (query.project.length ? await seenProjects(state, membership) : projects).map((project) => [
          project.id,
          project,
        ]),
      ),
      baseUrl: getUrl(),
      query: text,
      waiting: { requests: log.stats().records, lagMs: Math.round(await readLag(deps)) },
      watch:
        digest !== undefined && 'evidence' in answer
          ? await found.findWatch(state, watcher, { digest }, nowMs)
          : undefined,
    });
  };

  implement(api, contract.find, async ({ caller: { membership, identity }, query, request }) =>
    find(query.q, query, membership, identity.userId, request),
  );
  implement(api, contract.findPasted, async ({ caller: { membership, identity }, query, body, request }) =>
    find(body.q, query, membership, identity.userId, request),
  );

  const shape = async (membership: Membership, watches: readonly found.WatchRow[]) => {
    const projects = await seenProjects(state, membership);
    const place = { projects: new Map(projects.map((one) => [one.id, one])), baseUrl: getUrl() };
    return watches.map((watch) => toWatch(watch, place));
  };
  const one = async (membership: Membership, userId: string, id: number) => {
    const watcher = { organizationId: membership.organizationId, userId };
    const watch = await found.findWatch(state, watcher, { id }, Date.now());
    const [shown] = watch ? await shape(membership, [watch]) : [];
    if (!shown) throw noWatch(id);
    return shown;
  };
  const noWatch = (id: string | number): CodedError => new CodedError('NOT_FOUND', [things.watch(id)]);
  const numberOf = (id: string): number => {
    if (!/^\d{1,9}$/.test(id)) throw noWatch(id);
    return Number(id);
  };

  implement(api, contract.listWatches, async ({ caller: { membership, identity } }) => {
    const watcher = { organizationId: membership.organizationId, userId: identity.userId };
    return shape(membership, await found.listWatches(state, watcher, Date.now()));
  });

  implement(api, contract.createWatch, async ({ caller: { membership, identity }, body }) => {
    const digest = /^(\d{1,20})(?:@E\d{1,9})?$/.exec(body.digest.trim())?.[1];
    if (digest === undefined) throw new CodedError('INPUT_INVALID', [requests.digest]);
    const [project] = body.project ? await reachableProjects(state, membership, [body.project]) : [];
    const id = await found.putWatch(state, {
      organizationId: membership.organizationId,
      userId: identity.userId,
      digest,
      host: body.host ?? undefined,
      projectId: project?.id,
      nowMs: Date.now(),
    });
    await lookout.begin();
    return one(membership, identity.userId, id);
  });

  implement(api, contract.updateWatch, async ({ caller: { membership, identity }, params, body }) => {
    const id = numberOf(params.id);
    const watcher = { organizationId: membership.organizationId, userId: identity.userId };
    if (!(await found.setSeen(state, watcher, id, body.seen))) throw noWatch(id);
    return one(membership, identity.userId, id);
  });

  implement(api, contract.deleteWatch, async ({ caller: { membership, identity }, params }) => {
    const id = numberOf(params.id);
    const watcher = { organizationId: membership.organizationId, userId: identity.userId };
    if (!(await found.removeWatch(state, watcher, id))) throw noWatch(id);
  });
}
