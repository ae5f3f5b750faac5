/** Commits and deploys of a release. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { getRepository } from '../../domains/repositories/index.ts';
import * as releases from '../../domains/releases/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import * as contract from './contract.ts';
import { checkWhole, findRelease } from '../shared/release-place.ts';
import { toDeploy, toReleaseCommit } from './shapes.ts';

type CommitsQuery = z.output<typeof contract.listReleaseCommits.query>;

const filesShown = 50;
/** Of one commit, in a list of files. */
const filesListed = 500;

export function commitRoutes(api: Api): void {
  const { state, getUrl } = api.deps;
  const find = findRelease(state);

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

  implement(api, contract.listCommitFiles, async ({ caller: { membership }, params, query, request, reply }) => {
    const release = await find({ membership }, params.version);
    const cursor = parseCursor(query.cursor);
    const { limit } = query;
    const of = { offset: cursor?.offset ?? 0, limit, fileLimit: filesListed };
    const page = pageOf(await releases.listCommits(state, release.id, of), cursor, limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.flatMap((commit) => {
      const { id, message, author, dateCreated, repository } = toReleaseCommit(commit);
      const shared = { commitMessage: message, author, dateCreated, repository: repository.name };
      return commit.files.map(({ path, type }) => ({ id: `${id}:${path}`, filename: path, type, ...shared }));
    });
  });

  implement(api, contract.listRepositoryCommits, async ({ caller: { membership }, params, query, request, reply }) => {
    // Releases of all projects may have brought them.
    if (membership.within) throw new CodedError('PERMISSION_DENIED');
    const repository = await getRepository(state, membership.organizationId, params.id);
    if (!repository) throw new CodedError('NOT_FOUND', [things.repository(params.id)]);
    const cursor = parseCursor(query.cursor);
    const { limit } = query;
    const of = { offset: cursor?.offset ?? 0, limit, fileLimit: filesShown };
    const page = pageOf(await releases.listRepositoryCommits(state, repository.id, of), cursor, limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toReleaseCommit);
  });

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
    const time = (name: string, value: string | number | null | undefined): number | null =>
      value === null || value === undefined ? null : releases.parseTimeInput(name, value);
    const release = await find({ membership }, params.version);
    await checkWhole(state, membership, release.id);
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
