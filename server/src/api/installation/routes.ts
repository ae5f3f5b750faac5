/** Set-up, who am I, health. */
import type { FastifyRequest } from 'fastify';
import { type Identity, isInstallationOwner, preferencesOf } from '../../domains/accounts/index.ts';
import { setUpEntry } from '../../domains/audit/index.ts';
import { mirrorTroubles } from '../../domains/mirror/index.ts';
import { listNodes, missingRoles, processingOf } from '../../domains/nodes/index.ts';
import { intakeText } from '../../domains/now/index.ts';
import { type IntakeTrouble, intakeTroubles, unknownItemTypes } from '../../domains/outcomes/index.ts';
import { dsn } from '../../base/dsn.ts';
import { seenProjects, ofPeople } from '../../domains/projects/index.ts';
import { CodedError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { toHeaders } from '../shared/access.ts';
import { troubles as texts } from '../../base/texts/health.ts';
import * as contract from './contract.ts';
import { storeTroubles } from './store-troubles.ts';
import type { JobReport } from '../../jobs/index.ts';
import { toBackgroundJob, toBackupState, toDisk, toNode } from './shapes.ts';
import type { ApiDeps } from '../shared/deps.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toClosed, toOrganization } from '../organizations/shapes.ts';
import { toProject } from '../projects/shapes.ts';
import { iso } from '../shared/read.ts';

/** A page of their list; beyond it the console asks for the pages. */
const maxProjects = 100;

export function installationRoutes(api: Api): void {
  const { deps } = api;
  const { accounts } = deps;

  implement(api, contract.getSetup, async () => ({ needed: !(await accounts.isSetUp()), version }));

  implement(api, contract.postSetup, async ({ body: { secret, ...body }, request, reply, deed }) => {
    if (await accounts.isSetUp()) throw new CodedError('SETUP_DONE');
    await accounts.checkSetUpSecret(secret, request.ip);
    const { user, organization, project, dsn } = await accounts.setUp(body, (trx, made) =>
      deps.audit.record(trx, [setUpEntry(made, deed)]),
    );
    const credentials = { email: body.email, password: body.password };
    const cookies = await accounts.signIn(credentials, toHeaders(request.headers), deed.source);
    if (!cookies) throw new CodedError('AUTH_REQUIRED');
    void reply.header('set-cookie', cookies);
    deps.live.publish({ type: 'settings' });
    const { id, slug, name } = project;
    return { user, organization, project: { id: String(id), slug, name }, dsn };
  });

  const selfOf = async (identity: Identity | undefined, request: FastifyRequest) => ({
    version: '0' as const,
    serverVersion: version,
    user: identity ? { id: identity.user.id, email: identity.user.email, name: identity.user.name } : null,
    auth: identity ? { scopes: [...identity.scopes] } : null,
    consoleDsn: await consoleDsn(request),
  });

  implement(api, contract.getSelf, ({ caller: { identity }, request }) => selfOf(identity, request));

  implement(api, contract.getBoot, async ({ caller: { identity }, query, request }) => {
    const readable = identity?.memberships.filter(({ scopes }) => scopes.includes('org:read')) ?? [];
    const chosen = readable.find(({ slug }) => slug === query.org) ?? readable[0];
    const [self, isSetUp, projects, mayCreateOrganizations, preferences] = await Promise.all([
      selfOf(identity, request),
      // Somebody is there, so it is.
      identity ? true : accounts.isSetUp(),
      chosen?.scopes.includes('project:read') ? seenProjects(deps.state, chosen) : undefined,
      identity?.kind === 'session' ? isInstallationOwner(deps.state, identity.userId) : false,
      identity?.kind === 'session' ? preferencesOf(deps.state, identity.userId) : null,
    ]);
    return {
      self,
      setUpNeeded: !isSetUp,
      mayCreateOrganizations,
      organizations: readable.map((one) => toOrganization(one, deps.getUrl())),
      closedOrganizations: identity?.memberships.flatMap(toClosed) ?? [],
      projects:
        chosen && projects && projects.length <= maxProjects
          ? await Promise.all(projects.map((project) => toProject(deps, project, chosen)))
          : null,
      preferences,
    };
  });

  implement(api, contract.getCaller, async ({ caller: { identity } }) => {
    const { id, name, email } = identity.user;
    const joinedAt = await accounts.joinedAt(id);
    // A token of the organisation is nobody's, though somebody made it.
    const isSomebody = identity.kind === 'session' || identity.memberships.some(({ role }) => role !== '');
    if (joinedAt === undefined || !isSomebody) throw new CodedError('AUTH_REQUIRED');
    return {
      id,
      name,
      username: email,
      email,
      isActive: true,
      dateJoined: iso(joinedAt),
      emails: [{ id, email, is_verified: true }],
    };
  });

  /** Made for the address under which the caller sees this server. */
  async function consoleDsn(request: FastifyRequest): Promise<string | undefined> {
    // Who they are matters more than where failures go.
    const key = await deps.internal?.key().catch((error: unknown) => {
      request.log.warn({ err: error }, 'The project for console failures is not available');
    });
    if (!key) return undefined;
    const own = `${request.protocol}://${request.host}`;
    return dsn(URL.canParse(own) ? new URL(own).origin : deps.getUrl(), key.publicKey, key.projectId);
  }

  implement(api, contract.getHealth, async ({ caller: { identity } }) => {
    const ready = await deps.events.ready();
    const projects = (await Promise.all(identity.memberships.map((one) => seenProjects(deps.state, one)))).flat();
    const nowMs = Date.now();
    const nodes = await listNodes(deps.state, nowMs);
    const processing = deps.pipeline?.()?.stats() ?? processingOf(nodes);
    const projectIds = projects.map((project) => project.id);
    const asked = { nowMs, lagMs: processing?.lagMs ?? 0 };
    const [disk, jobs, mirrors, unknown, troublesOf] = await Promise.all([
      deps.diskUsage.status(),
      deps.runner.report(),
      deps.mirrors.list(),
      ready
        ? unknownItemTypes(
            deps.events,
            ofPeople(projects).map((project) => project.id),
          )
        : [],
      intakeTroubles(deps.events, ready ? projectIds : [], asked),
    ]);
    const log = deps.log.stats();
    // What the installation reports of itself is judged by itself.
    const intake = troublesOf(ofPeople(projects).map((project) => project.id));
    const backup = deps.backups?.health();
    const reasons = [
      ...(backup?.trouble ? [mayReadFailures(identity) ? backup.trouble : texts.backups] : []),
      ...storeTroubles(nodes, { ready, away: log.away }),
      ...missingRoles(nodes).map((role) => texts.noNode[role]),
      ...troubles(deps, { alarm: disk?.alarm ?? '', waitingFor: processing?.waitingFor, jobs }),
      ...intake.filter(({ weight }) => weight === 'alarm').map(intakeText),
      ...mirrorTroubles(mirrors, new Map(projects.map(({ id, slug }) => [id, slug])), nowMs),
    ];
    return {
      status: reasons.length ? ('degraded' as const) : ('ok' as const),
      reasons,
      notes: intake.flatMap((one) =>
        one.weight === 'alarm' ? [] : [{ weight: one.weight, sentence: intakeText(one) }],
      ),
      internal: projects
        .filter(({ settings }) => settings.internal)
        .flatMap(({ id, slug }) =>
          troublesOf([id])
            .filter(isRefusal)
            .flatMap((one) =>
              one.weight === 'usual' ? [] : [{ project: slug, weight: one.weight, sentence: intakeText(one) }],
            ),
        ),
      version,
      now: iso(nowMs),
      log: {
        records: log.records,
        bytes: log.bytes,
        limitBytes: log.limitBytes,
        lagMs: processing ? Math.round(processing.lagMs) : null,
      },
      engine: { state: deps.engine?.state ?? 'remote', ready, restarts: deps.engine?.restarts ?? 0 },
      nodes: nodes.map(toNode),
      disk: disk ? toDisk(disk, new Map(projects.map(({ id, slug }) => [id, slug]))) : null,
      backup: toBackupState(backup),
      unknownItemTypes: unknown.map(({ type, count, lastSeen }) => ({ type, count, lastSeen: iso(lastSeen) })),
      jobs: jobs.map((job) => toBackgroundJob(job, mayReadFailures(identity))),
    };
  });
}

/** Messages of failures may name addresses and queries. */
const mayReadFailures = ({ memberships }: Identity): boolean =>
  memberships.some(({ scopes }) => scopes.includes('org:write'));

/** A run that fails is tried again by itself. */
const manyAttempts = 3;

/** It may be silent, and whatever waits in the log is said already. */
const isRefusal = ({ kind }: IntakeTrouble): boolean => kind === 'refused';

function troubles(
  { log }: ApiDeps,
  facts: {
    alarm: string;
    waitingFor: string | undefined;
    jobs: readonly JobReport[];
  },
): string[] {
  const { bytes, limitBytes, away } = log.stats();
  const failing = facts.jobs.filter(({ attempts }) => attempts >= manyAttempts).map(({ name }) => name);
  return [
    ...(facts.waitingFor === undefined ? [] : [texts.delayed(facts.waitingFor)]),
    ...(away ? [texts.logAway(away.reason)] : []),
    ...(bytes > limitBytes * 0.8 ? [texts.log(bytes / limitBytes)] : []),
    ...(failing.length ? [texts.jobs(failing)] : []),
    ...(facts.alarm === '' ? [] : [facts.alarm]),
  ];
}
