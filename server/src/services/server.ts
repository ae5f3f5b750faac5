/** The HTTP server with everything that this node serves, on one port. */
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { uploadTimeFactor } from '../base/body-time.ts';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { listening } from '../base/texts/stores.ts';
import { createBusy, createStateGuard, listNodes, type StoreWatch } from '../domains/nodes/index.ts';
import { addBlobBytes, addQuotaUse, takeShares } from '../domains/projects/index.ts';
import { usualErrorRates } from '../domains/outcomes/index.ts';
import {
  ingestPaths,
  openStormGuard,
  type QuotaUse,
  registerIngest,
  type StormGuard,
  type TakeShares,
  takeFirst,
} from '../ingest/index.ts';
import type { Runner } from '../jobs/index.ts';
import { watchAnswers } from '../web/answered.ts';
import { registerOperations } from '../web/operations.ts';
import { refuseRole, sendPlainProblem } from '../web/plain.ts';
import { registerAskedPages } from './asked-pages.ts';
import type { Ground } from './ground.ts';
import type { Intake } from './intake.ts';
import type { Later } from './later.ts';
import { createTokenCheck } from './reader.ts';
import type { Work } from './work.ts';

export interface ServerParts {
  readonly ground: Ground;
  readonly intake: Intake;
  /** Where the node does more than receive. */
  readonly work?: Work | undefined;
  readonly runner?: Runner | undefined;
  readonly watch: StoreWatch;
}

export interface ServerApps {
  readonly app: FastifyInstance;
  /** With the API and the console, where the node has them; loads them. */
  readonly pages?: () => Promise<FastifyInstance>;
}

export async function createServer(
  config: Config,
  logger: Logger,
  { ground, intake, work, runner, watch }: ServerParts,
  later: Later,
): Promise<ServerApps> {
  const { state, log, failures, openVisitors } = ground;
  const { keys, mirrors } = intake;
  const { roles } = config;
  const getUrl = (): string => later.url;
  const app = createApp(config, logger);
  watchAnswers(app, failures, getUrl);
  app.setErrorHandler((error, request, reply) => sendPlainProblem(error, request, reply, failures));
  const guardState = createStateGuard(watch, () => later.address);
  const receives = roles.includes('intake');
  await app.register(async (scope) => {
    const addBytes = (keyId: number, day: number, bytes: number) => addBlobBytes(state, keyId, day, bytes);
    // Whoever has the state store for themselves counts in memory alone.
    const shares: TakeShares | undefined = config.stateUrl ? (wanted) => takeShares(state, wanted) : undefined;
    const deps = {
      log,
      keys,
      config,
      logger,
      failures,
      addBlobBytes: addBytes,
      addQuotaUse: (uses: readonly QuotaUse[]) => addQuotaUse(state, uses),
      takeShares: shares,
      openVisitors,
      mirrors,
      storm: receives && config.stormGuard ? openStorm({ ground, work }, later) : undefined,
    };
    later.ingest = registerIngest(scope, deps, { serves: receives });
    if (receives) takeFirst(app.server, later.ingest.takeDirectly);
  });
  if (!receives) for (const url of ingestPaths) app.all(url, refuseRole('intake'));
  registerOperations(app, {
    roles,
    log,
    failures,
    checkToken: createTokenCheck(state, getUrl, work?.domains.accounts),
    config,
    disk: async () => work && guardState('question', () => work.domains.diskUsage.status()).catch(() => undefined),
    // Without the state store the other numbers are still told.
    jobs: async () => (runner ? guardState('question', () => runner.report()).catch(() => []) : []),
    engineRestarts: () => work?.stores.store.engine?.restarts ?? 0,
    backups: work?.backups,
    mirrors,
    ingest: () => later.ingest?.stats,
    storm: () => later.ingest?.storm?.stats(),
    pipeline: () => later.pipeline,
    nodes: () => guardState('question', () => listNodes(state, Date.now())),
    stores: () => watch.views(),
    isDraining: () => later.isDraining,
    eventsReady: async () => later.eventsPrepared && ((await work?.stores.events.ready()) ?? false),
    stateReady: () =>
      state.ping().then(
        () => true,
        () => false,
      ),
  });
  if (work && runner && roles.includes('api')) {
    const open = async (): Promise<FastifyInstance> => {
      const { registerPages, sendProblem } = await import('./pages.ts');
      const pages = createApp(config, logger);
      watchAnswers(pages, failures, getUrl);
      pages.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, failures));
      await registerPages(pages, config, { ...work, runner, guardState }, later);
      await pages.ready();
      return pages;
    };
    return { app, pages: registerAskedPages(app, open) };
  }
  app.all('/', refuseRole('api'));
  app.all('/*', refuseRole('api'));
  return { app };
}

/** Older than that, and what comes is sampled, ms. */
const stormLagMs = 10_000;

function openStorm({ ground, work }: Pick<ServerParts, 'ground' | 'work'>, later: Later): StormGuard {
  const { state, shareRates } = ground;
  return openStormGuard({
    usualRates: work && (() => usualErrorRates(work.stores.events, Date.now())),
    isBehind: createBusy({ state, busyLagMs: stormLagMs, ownLagMs: () => later.pipeline?.stats().lagMs }),
    shareRates,
  });
}

function createApp(config: Config, logger: Logger): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length ? [...config.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    bodyLimit: 1024 * 1024,
    // The last resort for all that has no time of its own.
    requestTimeout: config.bodyTimeoutSeconds * uploadTimeFactor * 1_000,
    forceCloseConnections: 'idle',
    // What comes while it stops, on connections that are open, is still answered.
    return503OnClosing: false,
  });
}

/** Returns the address that it listens on. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Config,
): Promise<{ listening: string; port: number }> {
  try {
    const listening = await app.listen({ host, port });
    const address = app.server.address();
    return { listening, port: typeof address === 'object' && address ? address.port : port };
  } catch (error) {
    throw listenFailed(host, port, error);
  }
}

/** On a port of its own, where one is set. */
export async function listenForGrpc(
  { host, otlpGrpcPort, roles }: Config,
  logger: Logger,
  { ingest }: Later,
): Promise<void> {
  if (otlpGrpcPort === '' || !ingest || !roles.includes('intake')) return;
  try {
    const port = await ingest.listenGrpc(host, otlpGrpcPort);
    logger.info({ host, port }, 'listening for OpenTelemetry over gRPC');
  } catch (error) {
    throw listenFailed(host, otlpGrpcPort, error);
  }
}

function listenFailed(host: string, port: number, error: unknown): CodedError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const texts: Readonly<Record<string, string>> = listening;
  const reason = typeof code === 'string' ? (texts[code] ?? code) : String(error);
  return new CodedError('LISTEN_FAILED', [host, port, reason], { cause: error });
}
