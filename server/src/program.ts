/** The whole program: opens the ports, starts the pipeline, serves everything on one port. Read top to bottom. */
import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { authSecret, createAccounts } from './accounts/index.ts';
import { openEvaluator } from './alerts/index.ts';
import { registerApi, sendProblem, uploadTimeFactor } from './api/index.ts';
import { searchOfRules } from './api/rule-search.ts';
import { openIndexer } from './artifacts/index.ts';
import { openBlobs } from './blobs/open.ts';
import { deleteExpired } from './blobs/retention.ts';
import type { Config } from './config.ts';
import { lockDataDir, tightenDataDir } from './data-dir.ts';
import { CodedError } from './errors.ts';
import { openEvents } from './events/open.ts';
import { backfillFeedback, deleteOldFeedback } from './feedback/index.ts';
import { type RegisteredIngest, registerIngest } from './ingest/index.ts';
import { forgetDeleted } from './issues/comments/index.ts';
import { forgetProject, openSigner, openStateKeeper } from './issues/index.ts';
import { createLive } from './live/live.ts';
import { openLog } from './log/open.ts';
import { openAssigner } from './ownership/index.ts';
import { createRounds, createVault, openNotifier, parseMailSettings, sealStored } from './notify/index.ts';
import { parseAllowList } from './outbound/index.ts';
import { type Examiner, openExaminer } from './performance/index.ts';
import { openPipeline, type Pipeline } from './process/pipeline.ts';
import { addBlobBytes, createKeyDirectory, sweepDeleted } from './projects/index.ts';
import { openPreviews, type Previews } from './regroup/index.ts';
import { type Running, runningFile } from './running.ts';
import { createFailures, createInternalProject, createReporter, type Failures } from './self/index.ts';
import { claimState, cleanOnce, openSecrets } from './secrets/index.ts';
import { openMigratedState } from './state/open.ts';
import type { State } from './state/state.ts';
import { addJobs, openSymbolication, type Symbolication } from './symbolication/index.ts';
import { watchAnswers } from './web/answered.ts';
import { registerConsole } from './web/console.ts';
import { registerOperations } from './web/operations.ts';

export interface Program extends AsyncDisposable {
  /** Public address, without a trailing slash. */
  readonly url: string;
  /** Address that it listens on. */
  readonly listening: string;
  readonly app: FastifyInstance;
  /** Where this installation is set up; undefined once it is. */
  setUpLink(): Promise<string | undefined>;
  /** For failures that show elsewhere in the process. */
  readonly failures: Failures;
  /** Undefined until the events store has answered for the first time. */
  pipeline(): Pipeline | undefined;
  /** Resolves when failures noted so far are reported, or could not be, at most after so many ms. */
  reported(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Resolves once requests are answered. Ingestion works from then on, even while the events store is still starting. */
export async function startProgram(given: Config, logger: Logger): Promise<Program> {
  await using opened = new AsyncDisposableStack();
  const keep = <T extends AsyncDisposable>(resource: T): T => opened.use(resource);

  keep(await lockDataDir(given.dataDir));
  for (const sentence of await tightenDataDir(given.dataDir)) logger.warn(sentence);
  const stateOptions = { url: given.stateUrl, dataDir: given.dataDir };
  const { state } = await openMigratedState(stateOptions);
  keep(state);
  const { secrets, vault, sessionSecret } = await openSealed(state, given, logger);
  const log = keep(
    await openLog({
      url: given.logUrl,
      dataDir: given.dataDir,
      limitBytes: given.logMaxBytes,
      box: secrets.boxSetup('log record'),
      warn: (sentence) => logger.warn(sentence),
    }),
  );
  const blobsOptions = { url: given.blobsUrl, dataDir: given.dataDir };
  const blobs = openBlobs(blobsOptions);
  const internal = createInternalProject({ state, enabled: given.selfReport });
  let ingest: RegisteredIngest | undefined;
  const reporter = createReporter({
    logger,
    target: () => internal.key(),
    accept: async (publicKey, envelope) => {
      if (!ingest) throw new Error('ingestion is not open yet');
      await ingest.takeOwn(publicKey, envelope);
    },
  });
  keep(reporter);
  const report = given.selfReport ? reporter.report : undefined;
  const failures = createFailures({ logger, ...(report && { report }) });
  const store = keep(await openEvents({ url: given.eventsUrl, dataDir: given.dataDir, logger, failures }));
  const { events, engine } = store;

  let symbolication: Symbolication | undefined;
  let previews: Previews | undefined;
  let examiner: Examiner | undefined;
  let stateKeeper: AsyncDisposable | undefined;
  let assigner: AsyncDisposable | undefined;
  let evaluator: AsyncDisposable | undefined;
  const indexer = keep(
    openIndexer({
      state,
      stateOptions,
      blobs,
      blobsOptions,
      failures,
      logger,
      retentionDays: given.retentionDays,
      onIndexed: ({ projectIds, debugIds, release, dist }) => {
        const wanted = { debugIds, release, dist };
        // Without the events store they wait for it.
        const asked = symbolication?.again(projectIds, wanted) ?? addJobs(state, projectIds, wanted, Date.now());
        asked.catch((error: unknown) =>
          failures.note(error, { message: 'events that wait for an upload could not be noted' }),
        );
      },
    }),
  );

  let url = given.url;
  const getUrl = (): string => url;
  const live = createLive();
  keep(openSigner({ state, failures }));
  const accounts = await createAccounts({
    state,
    getUrl,
    secret: sessionSecret,
    warn: (message, ...details) => logger.warn({ details }, message),
  });
  let hasTables = false;
  const mail = parseMailSettings(given.smtpUrl, given.mailFrom, given.url);
  const notifier = keep(
    openNotifier({
      state,
      failures,
      getUrl,
      mail,
      beforeRound: mail ? createRounds({ state, events, getUrl, isReady: () => hasTables }) : [],
      allow: parseAllowList(given.outboundAllow),
      vault,
    }),
  );
  const keys = createKeyDirectory({ state });

  const requestLogger: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance: requestLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: given.trustedProxies.length ? [...given.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    bodyLimit: 1024 * 1024,
    // The last resort for all that has no time of its own.
    requestTimeout: given.bodyTimeoutSeconds * uploadTimeFactor * 1_000,
    forceCloseConnections: 'idle',
    // What comes while it stops, on connections that are open, is still answered.
    return503OnClosing: false,
  });
  watchAnswers(app, failures);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, failures));
  let pipeline: Pipeline | undefined;
  await app.register(async (scope) => {
    ingest = registerIngest(scope, {
      log,
      keys,
      config: given,
      logger,
      failures,
      addBlobBytes: (keyId, day, bytes) => addBlobBytes(state, keyId, day, bytes),
    });
  });
  registerOperations(app, {
    log,
    failures,
    accounts,
    config: given,
    ingest: () => ingest?.stats,
    pipeline: () => pipeline,
    eventsReady: async () => hasTables && (await events.ready()),
    stateReady: async () => {
      try {
        await sql`select 1`.execute(state.db);
        return true;
      } catch {
        return false;
      }
    },
  });
  await app.register(async (scope) => {
    await registerApi(scope, {
      state,
      events,
      log,
      blobs,
      accounts,
      live,
      keys,
      engine,
      failures,
      internal,
      getUrl,
      config: given,
      pipeline: () => pipeline,
      symbolication: () => symbolication,
      previews: () => previews,
      vault,
      notifier,
      indexer,
    });
  });
  await app.register(async (scope) => {
    await registerConsole(scope, { getUrl, internal, dir: given.consoleDir });
  });
  opened.defer(() => app.close());

  const listening = await listen(app, given);
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : given.port;
  url ||= `http://localhost:${port}`;
  void accounts.warmUp();
  // Known from the start, so that failures of the state store can be reported too.
  internal.key().catch((error: unknown) => failures.note(error, { message: 'the internal project cannot be made' }));

  const closing = new AbortController();
  const startPipeline = async (): Promise<void> => {
    for (let waitMs = 100; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, 5_000)) {
      try {
        await store.prepare({ retentionDays: given.retentionDays });
        hasTables = true;
        break;
      } catch (error) {
        const message = 'the events store is not ready; incoming events wait in the log';
        if (error instanceof CodedError) logger.warn({ err: error }, message);
        else failures.note(error, { message });
        await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
    if (closing.signal.aborted) return;
    backfillFeedback({ state, events, blobs }).catch((error: unknown) =>
      failures.note(error, {
        message: 'feedback of an earlier version could not be read; it is tried at the next start',
      }),
    );
    const performanceWaitMs = given.performanceWaitSeconds * 1_000;
    pipeline = openPipeline({
      log,
      live,
      logger,
      failures,
      state: stateOptions,
      events: events.address,
      blobs: blobsOptions,
      maxEnvelopeBytes: given.maxEnvelopeBytes,
      performanceWaitMs,
      onSuspects: () => examiner?.wake(),
      workers: given.workers || Math.max(1, availableParallelism() - 1),
    });
    examiner = await openExaminer({
      state,
      stateOptions,
      events: events.address,
      waitMs: performanceWaitMs,
      live,
      failures,
      logger,
    });
    assigner = openAssigner({ state, events, live, failures });
    stateKeeper = openStateKeeper({ state, events, live, failures });
    evaluator = openEvaluator({
      state,
      events,
      readSearch: searchOfRules({ state, events }),
      failures,
      getUrl,
      onMessages: () => notifier.wake(),
    });
    previews = openPreviews({ state: stateOptions, events: events.address, failures });
    symbolication = await openSymbolication({
      state,
      stateOptions,
      events: events.address,
      blobs: blobsOptions,
      days: given.resymbolicateDays,
      live,
      failures,
    });
  };
  const started = startPipeline();
  opened.defer(async () => {
    closing.abort();
    await started;
    await Promise.all([
      pipeline?.close(),
      symbolication?.[Symbol.asyncDispose](),
      examiner?.[Symbol.asyncDispose](),
      previews?.[Symbol.asyncDispose](),
      stateKeeper?.[Symbol.asyncDispose](),
      assigner?.[Symbol.asyncDispose](),
      evaluator?.[Symbol.asyncDispose](),
    ]);
  });

  const telemetry = { events, blobs, retentionDays: given.retentionDays };
  const sweepProjects = (): void => {
    sweepDeleted(state, (projectId) => forgetProject(telemetry, projectId)).catch((error: unknown) =>
      failures.note(error, { message: 'what is left of a deleted project could not be deleted; it is tried again' }),
    );
  };
  // What a stop or a crash left of them.
  void started.then(() => (closing.signal.aborted ? undefined : sweepProjects()));
  const sweep = setInterval(() => {
    sweepProjects();
    forgetDeleted(state, Date.now()).catch((error: unknown) =>
      failures.note(error, { message: 'deleted comments could not be forgotten; it is tried again' }),
    );
  }, 60_000).unref();
  opened.defer(() => clearInterval(sweep));
  const expire = (): void => {
    Promise.all([
      deleteExpired(blobs, given.retentionDays),
      deleteOldFeedback(state, Date.now() - given.retentionDays * 86_400_000),
    ]).catch((error: unknown) =>
      failures.note(error, { message: 'what is past retention could not be deleted; it is tried again' }),
    );
  };
  expire();
  const expiry = setInterval(expire, 6 * 60 * 60_000).unref();
  opened.defer(() => clearInterval(expiry));

  const running = runningFile(given.dataDir);
  const about: Running = { pid: process.pid, url, listening, events: events.address };
  await writeFile(running, JSON.stringify(about), { mode: 0o600 });
  opened.defer(() => rm(running, { force: true }));

  const everything = opened.move();
  const close = (): Promise<void> => everything.disposeAsync();
  return {
    url,
    listening,
    app,
    setUpLink: () => accounts.setUpLink(),
    failures,
    pipeline: () => pipeline,
    reported: (withinMs) => reporter.flush(withinMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The key, and what it seals in the state store; what an earlier version left there in the clear is sealed first. */
async function openSealed(state: State, config: Config, logger: Logger) {
  const secrets = await openSecrets(config);
  const { before } = await claimState(state, secrets);
  if (before !== undefined) {
    logger.warn(
      { before, now: secrets.fingerprint, key: secrets.source },
      'the key is another one than before: secrets of channels have to be entered again, and people sign in again. With the key of before, all of it is there again',
    );
  }
  const vault = createVault(secrets.box('stored secret'));
  await sealStored(state, vault);
  const sessionSecret = await authSecret(state, secrets);
  await cleanOnce(state).catch((error: unknown) =>
    logger.warn({ err: error }, 'free pages of the state store may still hold secrets; the next start clears them'),
  );
  return { secrets, vault, sessionSecret };
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = typeof code === 'string' ? (listenTroubles[code] ?? code) : String(error);
    throw new CodedError('LISTEN_FAILED', [host, port, reason], { cause: error });
  }
}

const listenTroubles: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it; stop that, or choose another with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
  ENOTFOUND: 'there is no such host; choose another with --host',
  EACCES: 'this user may not; choose a port above 1023 with --port',
};
