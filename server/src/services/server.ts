/** The HTTP server with everything that it serves, on one port. */
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { registerApi, sendProblem, uploadTimeFactor } from '../api/index.ts';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import type { Backups } from '../domains/backups/index.ts';
import { addBlobBytes } from '../domains/projects/index.ts';
import { registerIngest, takeFirst } from '../ingest/index.ts';
import type { Runner } from '../jobs/index.ts';
import { watchAnswers } from '../web/answered.ts';
import { compressAnswers } from '../web/compress.ts';
import { registerConsole } from '../web/console.ts';
import { registerOperations } from '../web/operations.ts';
import { registerScim, scimPrefix } from '../web/scim/register.ts';
import { registerSecurityText } from '../web/security-txt.ts';
import { registerUnsubscribe } from '../web/unsubscribe.ts';
import { listening } from '../base/texts/stores.ts';
import type { Domains } from './domains.ts';
import type { Later } from './later.ts';
import type { Stores } from './stores.ts';

export interface ServerParts {
  readonly stores: Stores;
  readonly domains: Domains;
  readonly runner: Pick<Runner, 'report'>;
  readonly backups: Pick<Backups, 'health'>;
}

export async function createServer(
  config: Config,
  logger: Logger,
  { stores, domains, runner, backups }: ServerParts,
  later: Later,
): Promise<FastifyInstance> {
  const { state, events, log, blobs, live, failures, internal, vault, store, audit } = stores;
  const { accounts, keys, groupingPreviews, mirrors } = domains;
  const getUrl = (): string => later.url;
  const app = createApp(config, logger);
  watchAnswers(app, failures, getUrl);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, failures));
  await app.register(async (scope) => {
    const addBytes = (keyId: number, day: number, bytes: number) => addBlobBytes(state, keyId, day, bytes);
    later.ingest = registerIngest(scope, { log, keys, config, logger, failures, addBlobBytes: addBytes, mirrors });
    takeFirst(app.server, later.ingest.takeDirectly);
  });
  registerOperations(app, {
    log,
    failures,
    accounts,
    config,
    disk: () => domains.diskUsage.status(),
    // Without the state store the other numbers are still told.
    jobs: () => runner.report().catch(() => []),
    engineRestarts: () => store.engine?.restarts ?? 0,
    backups,
    ingest: () => later.ingest?.stats,
    pipeline: () => later.pipeline,
    eventsReady: async () => later.pipeline !== undefined && (await events.ready()),
    stateReady: async () => {
      try {
        await sql`select 1`.execute(state.db);
        return true;
      } catch {
        return false;
      }
    },
  });
  registerSecurityText(app, { config, getUrl });
  await app.register(async (scope) => {
    compressAnswers(scope);
    await registerApi(scope, {
      ...domains,
      state,
      audit,
      events,
      log,
      blobs,
      live,
      engine: store.engine,
      failures,
      internal,
      getUrl,
      config,
      pipeline: () => later.pipeline,
      previews: () => (later.pipeline ? groupingPreviews : undefined),
      vault,
      runner,
      backups,
    });
  });
  await app.register(async (scope) => registerUnsubscribe(scope, { state, vault }));
  await app.register(async (scope) => registerScim(scope, { state, audit, live, failures, getUrl }), {
    prefix: scimPrefix,
  });
  await app.register(async (scope) => {
    compressAnswers(scope);
    await registerConsole(scope, { getUrl, internal, dir: config.consoleDir });
  });
  return app;
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
export async function listenForGrpc({ host, otlpGrpcPort }: Config, logger: Logger, { ingest }: Later): Promise<void> {
  if (otlpGrpcPort === '' || !ingest) return;
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
