/** The scaled form on this machine: one intake node, some that process, and what they share, with counts of what passes. */
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, type Server } from '../server/test/harness.ts';
import { startNats } from '../server/test/nats/server.ts';
import { Cluster } from '../server/test/scale/cluster.ts';
import { trackProcess } from './cleanup.ts';
import { type Counts, startCountingProxy } from './counting-proxy.ts';
import { connectEngine, type Engine } from './engine.ts';
import { processTree, processUse } from './processes.ts';

export interface ThroughNats {
  readonly inBytes: number;
  readonly outBytes: number;
}

export const stores = ['engine', 'NATS', 'PostgreSQL', 'S3'] as const;
export type Store = (typeof stores)[number];

/** What processes of the stores are called. */
const names: Readonly<Record<Store, RegExp>> = {
  engine: /events[/-]engine/,
  NATS: /nats-server$/,
  PostgreSQL: /\/postgres$|^postgres:/,
  S3: /versitygw$/,
};

export interface ScaledCulprit extends AsyncDisposable {
  readonly engine: Engine;
  readonly intake: Server;
  /** Where SDKs send, and the key. */
  readonly target: { readonly url: string; readonly key: string };
  /** Starts one that processes. */
  start(): Promise<Server>;
  /** The processes of a store. */
  pids(store: Store): number[];
  throughNats(): Promise<ThroughNats>;
  toS3(): Counts;
}

export async function startScaled(): Promise<ScaledCulprit> {
  await using opened = new AsyncDisposableStack();
  const monitor = await freePort();
  const nats = opened.use(await startNats({ config: `http: "127.0.0.1:${monitor}"` }));
  trackProcess(nats.pid);
  const cluster = opened.use(await Cluster.create());
  const proxy = opened.use(await startCountingProxy(cluster.s3.port));
  const { CULPRIT_BLOBS_URL: blobs = '' } = cluster.environment;
  const environment = {
    CULPRIT_LOG_URL: nats.url(),
    CULPRIT_BLOBS_URL: blobs.replace(/@127\.0\.0\.1:\d+\//, `@127.0.0.1:${proxy.port}/`),
  };
  const start = async (role: string): Promise<Server> => {
    const node = await cluster.start(role, environment);
    trackProcess(node.pid);
    return node;
  };
  // It makes what the intake node finds.
  const first = await start('process');
  const intake = await start('intake');
  await first.stop();
  const engine = connectEngine(cluster.engine.address);
  opened.defer(() => engine.close());
  const url = new URL(cluster.envelopeUrl(intake));
  const key = url.searchParams.get('sentry_key') ?? '';
  url.search = '';
  const all = opened.move();
  return {
    engine,
    intake,
    target: { url: url.href, key },
    start: () => start('process'),
    pids: (store) => processTree(process.pid).filter((pid) => names[store].test(processUse(pid).name)),
    async throughNats() {
      // What was delivered a moment ago is counted a moment later.
      await delay(200);
      const answer = await fetch(`http://127.0.0.1:${monitor}/varz`);
      const { in_bytes: inBytes, out_bytes: outBytes } = (await answer.json()) as Record<string, number>;
      return { inBytes: inBytes ?? Number.NaN, outBytes: outBytes ?? Number.NaN };
    },
    toS3: () => proxy.counts(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
