/** The whole program: opens the stores, starts what the roles of this node are, serves it on one port. Read top to bottom. */
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './base/config.ts';
import type { Failures } from './base/self/index.ts';
import { createRunner } from './jobs/index.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import { parseEventsUrl } from './ports/events/address.ts';
import { type Running, runningFile } from './running.ts';
import {
  createMoveState,
  createServer,
  type Later,
  listen,
  listenForGrpc,
  nodeAddress,
  openGround,
  openIntake,
  openOwnNode,
  watchStores,
} from './services/index.ts';

export interface Program extends AsyncDisposable {
  /** Public address, without a trailing slash. */
  readonly url: string;
  /** Address that it listens on. */
  readonly listening: string;
  readonly app: FastifyInstance;
  /** What the API and the console are served by, where this node does. */
  readonly pages: (() => Promise<FastifyInstance>) | undefined;
  /** Where this installation is set up; undefined once it is, and on nodes without people. */
  setUpLink(): Promise<string | undefined>;
  /** For failures that show elsewhere in the process. */
  readonly failures: Failures;
  /** Undefined until the events store has answered for the first time. */
  pipeline(): Pipeline | undefined;
  /** Resolves when failures noted so far are reported, or could not be, at most after so many ms. */
  reported(withinMs: number): Promise<void>;
  /** From now on `/readyz` says that it stops; resolves when it may, after `CULPRIT_DRAIN_SECONDS`. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves once requests are answered. Ingestion works from then on, even while the events store is still starting. */
export async function startProgram(config: Config, logger: Logger): Promise<Program> {
  await using opened = new AsyncDisposableStack();
  const later: Later = {
    url: config.url,
    address: '',
    ingest: undefined,
    pipeline: undefined,
    eventsPrepared: false,
    isDraining: false,
    moving: createMoveState(),
  };
  const { roles } = config;

  const ground = await openGround(config, logger, later, opened);
  const intake = openIntake(config, ground, later);
  // A node that only receives loads none of it.
  const isMore = roles.some((role) => role !== 'intake');
  const work = isMore
    ? await (await import('./services/work.ts')).openWork(config, logger, { ground, intake }, later, opened)
    : undefined;
  const { state, failures, node, nats } = ground;
  const runner = createRunner(work?.jobs ?? [intake.mirrors.job], {
    state,
    failures,
    node,
    nats,
    // What waits for a mirror lies where it was received.
    runs: (job) => roles.includes(job === intake.mirrors.job ? 'intake' : 'jobs'),
  });
  const watch = opened.use(watchStores(ground, work, logger));
  opened.defer(() => later.moving.finish());
  const { app, pages } = await createServer(config, logger, { ground, intake, work, runner, watch }, later);
  opened.defer(() => app.close());

  const { listening, port } = await listen(app, config);
  await listenForGrpc(config, logger, later);
  later.url ||= `http://localhost:${port}`;
  later.address = nodeAddress(config.host, port);
  if (roles.includes('api')) void work?.domains.accounts.warmUp();
  // Known from the start, so that failures of the state store can be reported too.
  ground.internal
    .key()
    .catch((error: unknown) => failures.note(error, { message: 'could not create the internal project' }));

  const processing = work?.process();
  runner.start(processing?.ready ?? Promise.resolve());
  opened.defer(async () => {
    await Promise.all([processing?.[Symbol.asyncDispose](), runner[Symbol.asyncDispose]()]);
  });

  const events = work?.stores.events.address ?? parseEventsUrl(config.eventsUrl);
  const isEmbedded = work !== undefined && config.logUrl === '';
  const control = isEmbedded
    ? opened.use(
        await (
          await import('./services/move.ts')
        ).openMoveControl({
          config,
          logger,
          stores: work.stores,
          later,
          runner,
          stop: () => void process.kill(process.pid, 'SIGTERM'),
        }),
      )
    : undefined;
  const running = runningFile(config.dataDir);
  const about: Running = { pid: process.pid, url: later.url, listening, events, control: control?.address };
  await writeFile(running, JSON.stringify(about), { mode: 0o600 });
  opened.defer(() => rm(running, { force: true }));

  const ownNode = opened.use(openOwnNode(config, ground, watch, later));
  void processing?.ready.then(() => ownNode.beat());

  const everything = opened.move();
  const close = (): Promise<void> => everything.disposeAsync();
  return {
    url: later.url,
    listening,
    app,
    pages,
    setUpLink: async () => work?.domains.accounts.setUpLink(),
    failures,
    pipeline: () => later.pipeline,
    reported: (withinMs) => ground.reporter.flush(withinMs),
    async drain() {
      later.isDraining = true;
      await delay(config.drainSeconds * 1_000);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
