/** Set-up, who am I, health. */
import type { FastifyRequest } from 'fastify';
import { unknownItemTypes } from '../../outcomes/index.ts';
import { dsn, listProjects } from '../../projects/index.ts';
import { CodedError } from '../../errors.ts';
import { version } from '../../version.ts';
import { toHeaders } from '../access.ts';
import * as contract from '../contract/installation.ts';
import type { ApiDeps } from '../deps.ts';
import { createDiskUsage } from '../disk-usage.ts';
import { type Api, implement } from '../implement.ts';
import { iso } from '../shapes/read.ts';

export function installationRoutes(api: Api): void {
  const { deps } = api;
  const { accounts } = deps;

  implement(api, contract.getSetup, async () => ({ needed: !(await accounts.isSetUp()), version }));

  implement(api, contract.postSetup, async ({ body: { secret, ...body }, request, reply }) => {
    if (await accounts.isSetUp()) throw new CodedError('SETUP_DONE');
    accounts.checkSetUpSecret(secret, request.ip);
    const { user, organization, project, dsn } = await accounts.setUp(body);
    const cookies = await accounts.signIn({ email: body.email, password: body.password }, toHeaders(request.headers));
    if (!cookies) throw new CodedError('AUTH_REQUIRED');
    void reply.header('set-cookie', cookies);
    deps.internal?.invalidate();
    const { id, slug, name } = project;
    return { user, organization, project: { id: String(id), slug, name }, dsn };
  });

  implement(api, contract.getSelf, async ({ caller: { identity }, request }) => ({
    version: '0' as const,
    serverVersion: version,
    user: identity ? { id: identity.user.id, email: identity.user.email, name: identity.user.name } : null,
    auth: identity ? { scopes: [...identity.scopes] } : null,
    consoleDsn: await consoleDsn(request),
  }));

  /** Made for the address under which the caller sees this server. */
  async function consoleDsn(request: FastifyRequest): Promise<string | undefined> {
    // Who they are matters more than where failures go.
    const key = await deps.internal?.key().catch((error: unknown) => {
      request.log.warn({ err: error }, 'the project for failures of the console is not known at the moment');
    });
    if (!key) return undefined;
    const own = `${request.protocol}://${request.host}`;
    return dsn(URL.canParse(own) ? new URL(own).origin : deps.getUrl(), key.publicKey, key.projectId);
  }

  const diskUsage = createDiskUsage(deps.config.dataDir);
  implement(api, contract.getHealth, async ({ caller: { identity } }) => {
    const ready = await deps.events.ready();
    const projects = (
      await Promise.all(identity.memberships.map((one) => listProjects(deps.state, one.organizationId)))
    ).flat();
    const [disk, unknown] = await Promise.all([
      diskUsage(),
      ready
        ? unknownItemTypes(
            deps.events,
            projects.map((project) => project.id),
          )
        : [],
    ]);
    const log = deps.log.stats();
    const processing = deps.pipeline?.()?.stats();
    const reasons = troubles(deps, { ready, disk, waitingFor: processing?.waitingFor, lagMs: processing?.lagMs ?? 0 });
    return {
      status: reasons.length ? ('degraded' as const) : ('ok' as const),
      reasons,
      version,
      now: iso(Date.now()),
      log: {
        records: log.records,
        bytes: log.bytes,
        limitBytes: log.limitBytes,
        lagMs: processing ? Math.round(processing.lagMs) : null,
      },
      engine: { state: deps.engine?.state ?? 'remote', ready, restarts: deps.engine?.restarts ?? 0 },
      disk: disk ?? null,
      unknownItemTypes: unknown.map(({ type, count, lastSeen }) => ({ type, count, lastSeen: iso(lastSeen) })),
    };
  });
}

function troubles(
  { log }: ApiDeps,
  facts: {
    ready: boolean;
    disk: { freeBytes: number; totalBytes: number } | undefined;
    waitingFor: string | undefined;
    lagMs: number;
  },
): string[] {
  const { bytes, limitBytes } = log.stats();
  const free = facts.disk && facts.disk.freeBytes / facts.disk.totalBytes;
  return [
    ...(facts.ready ? [] : ['the events store does not answer; events wait in the log']),
    ...(facts.waitingFor === undefined ? [] : [`processing waits: ${facts.waitingFor}`]),
    ...(facts.lagMs > 30_000 ? [`processing is ${Math.round(facts.lagMs / 1000)} seconds behind`] : []),
    ...(bytes > limitBytes * 0.8 ? [`the log is ${Math.round((bytes / limitBytes) * 100)} % full`] : []),
    ...(free !== undefined && free < 0.05 ? [`the disk has ${Math.round(free * 100)} % left`] : []),
  ];
}
