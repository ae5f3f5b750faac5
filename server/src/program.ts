/** The whole program: opens the stores, starts the services and the background work, serves everything on one port. Read top to bottom. */
import { rm, writeFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './base/config.ts';
import type { Failures } from './base/self/index.ts';
import { createRunner } from './jobs/index.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import { type Running, runningFile } from './running.ts';
import {
  createPointKeeper,
  createServer,
  type Later,
  listen,
  listenForGrpc,
  listJobs,
  openBackups,
  openDomains,
  openProcessing,
  openStores,
} from './services/index.ts';

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
export async function startProgram(config: Config, logger: Logger): Promise<Program> {
  await using opened = new AsyncDisposableStack();
  const later: Later = { url: config.url, ingest: undefined, pipeline: undefined };

  const stores = await openStores(config, logger, later, opened);
  const domains = await openDomains(config, logger, stores, later, opened);
  const { state, failures, node, nats } = stores;
  const backups = openBackups(config, stores, later);
  const jobs = [
    ...listJobs(config, stores, domains, later),
    ...backups.jobs,
    createPointKeeper(config, stores.log, logger),
  ];
  const runner = createRunner(jobs, { state, failures, node, nats });
  const app = await createServer(config, logger, { stores, domains, runner, backups }, later);
  opened.defer(() => app.close());

  const { listening, port } = await listen(app, config);
  await listenForGrpc(config, logger, later);
  later.url ||= `http://localhost:${port}`;
  void domains.accounts.warmUp();
  // Known from the start, so that failures of the state store can be reported too.
  stores.internal
    .key()
    .catch((error: unknown) => failures.note(error, { message: 'could not create the internal project' }));

  const processing = openProcessing(config, logger, stores, domains, later);
  runner.start(processing.ready);
  opened.defer(async () => {
    await Promise.all([processing[Symbol.asyncDispose](), runner[Symbol.asyncDispose]()]);
  });

  const running = runningFile(config.dataDir);
  const about: Running = { pid: process.pid, url: later.url, listening, events: stores.events.address };
  await writeFile(running, JSON.stringify(about), { mode: 0o600 });
  opened.defer(() => rm(running, { force: true }));

  const everything = opened.move();
  const close = (): Promise<void> => everything.disposeAsync();
  return {
    url: later.url,
    listening,
    app,
    setUpLink: () => domains.accounts.setUpLink(),
    failures,
    pipeline: () => later.pipeline,
    reported: (withinMs) => stores.reporter.flush(withinMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
