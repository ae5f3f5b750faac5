/** For whoever runs Culprit: is it alive, is it ready, and its numbers for Prometheus. */
import { digestFor } from '@culprit/react/digest';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Backups } from '../domains/backups/index.ts';
import type { Mirrors } from '../domains/mirror/index.ts';
import type { NodeEntry, StoreView } from '../domains/nodes/index.ts';
import type { DiskStatus } from '../domains/disk/index.ts';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import type { IngestStats, StormStats } from '../ingest/index.ts';
import type { EventLog } from '../ports/queue/log.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type Failures, requestFacts } from '../base/self/index.ts';
import { type Role, roleNames } from '../base/roles.ts';
import { readiness as texts } from '../base/texts/health.ts';
import { metrics, type MetricName } from '../base/texts/metrics.ts';
import { isLocalCaller } from './peer.ts';
import { answerSeen, seenHeader } from './seen.ts';

export interface Probes {
  readonly log: Pick<EventLog, 'stats'>;
  readonly ingest: () => IngestStats | undefined;
  readonly storm?: () => StormStats | undefined;
  /** Undefined until the engine has answered for the first time. */
  readonly pipeline: () => Pipeline | undefined;
  readonly eventsReady: () => Promise<boolean>;
  readonly stateReady: () => Promise<boolean>;
  readonly disk: () => Promise<DiskStatus | undefined>;
  /** Of background work, how many runs in a row failed. */
  readonly jobs: () => Promise<readonly { readonly name: string; readonly attempts: number }[]>;
  /** Of all that are known; without the state store the other numbers are still told. */
  readonly nodes: () => Promise<readonly NodeEntry[]>;
  readonly stores: () => readonly StoreView[];
  readonly engineRestarts: () => number;
  readonly mirrors?: Pick<Mirrors, 'stats'> | undefined;
  readonly failures: Pick<Failures, 'note'>;
  readonly backups?: Pick<Backups, 'health'> | undefined;
  /** Throws unless the request shows a token that may see the numbers of the installation. */
  readonly checkToken: (request: FastifyRequest) => Promise<void>;
  /** What the node needs to be ready follows from them. */
  readonly roles: readonly Role[];
  /** Whether it was told to stop. */
  readonly isDraining: () => boolean;
  readonly config: Pick<Config, 'metrics'>;
}

type DiskStore = NonNullable<DiskStatus['report']>['stores'][number];

/** Throws `METRICS_CLOSED`, `TOKEN_INVALID` or `SCOPE_MISSING` unless the caller may see the numbers of the installation. */
async function checkReader(request: FastifyRequest, { checkToken, config }: Probes): Promise<void> {
  if (config.metrics !== 'public' && !isLocalCaller(request)) await checkToken(request);
}

/** The stores that a node cannot do without for what it is there for. Whoever only receives goes on from memory. */
const neededBy = {
  intake: ['log'],
  process: ['log', 'events', 'state'],
  api: ['events', 'state'],
  jobs: ['events', 'state'],
} as const satisfies Record<Role, readonly (keyof typeof texts.stores)[]>;

export function registerOperations(app: FastifyInstance, probes: Probes, registry: Registry = new Registry()): void {
  const gauge = (name: MetricName, read: () => number): void => {
    const metric = new Gauge({
      name,
      help: metrics[name],
      registers: [],
      collect() {
        this.set(read());
      },
    });
    registry.registerMetric(metric);
  };
  gauge('culprit_log_records', () => probes.log.stats().records);
  gauge('culprit_log_bytes', () => probes.log.stats().bytes);
  gauge('culprit_log_limit_bytes', () => probes.log.stats().limitBytes);
  gauge('culprit_log_unreadable_records', () => probes.log.stats().unreadable);
  gauge('culprit_processing_lag_seconds', () => (probes.pipeline()?.stats().lagMs ?? 0) / 1000);
  gauge('culprit_processed_requests', () => probes.pipeline()?.stats().records ?? 0);
  gauge('culprit_processing_restarts', () => probes.pipeline()?.stats().workerRestarts ?? 0);
  const symbolication = () => probes.pipeline()?.stats().symbolication;
  gauge('culprit_frames_mapped', () => symbolication()?.mapped ?? 0);
  gauge('culprit_frames_unresolved', () => symbolication()?.unresolved ?? 0);
  gauge('culprit_lookup_cache_hits', () => symbolication()?.cacheHits ?? 0);
  gauge('culprit_lookup_cache_misses', () => symbolication()?.cacheMisses ?? 0);
  gauge('culprit_lookup_cache_bytes', () => symbolication()?.cacheBytes ?? 0);
  gauge('culprit_lookup_cache_hit_ratio', () => {
    const { cacheHits = 0, cacheMisses = 0 } = symbolication() ?? {};
    return cacheHits + cacheMisses === 0 ? 0 : cacheHits / (cacheHits + cacheMisses);
  });
  const lastBackup = () => probes.backups?.health()?.last;
  gauge('culprit_backup_last_success_timestamp_seconds', () => (lastBackup()?.at ?? 0) / 1000);
  gauge('culprit_backup_last_duration_seconds', () => (lastBackup()?.durationMs ?? 0) / 1000);
  gauge('culprit_backup_last_size_bytes', () => lastBackup()?.bytes ?? 0);
  gauge('culprit_backup_last_added_bytes', () => lastBackup()?.added ?? 0);
  gauge('culprit_backup_needs_attention', () => (probes.backups?.health()?.trouble ? 1 : 0));
  const mirrors = () => probes.mirrors?.stats();
  gauge('culprit_mirror_active', () => mirrors()?.active ?? 0);
  gauge('culprit_mirror_waiting_records', () => mirrors()?.waiting ?? 0);
  gauge('culprit_mirror_waiting_bytes', () => mirrors()?.waitingBytes ?? 0);
  gauge('culprit_mirror_oldest_seconds', () => (mirrors()?.oldestAgeMs ?? 0) / 1000);
  gauge('culprit_mirror_forwarded', () => mirrors()?.forwarded ?? 0);
  gauge('culprit_mirror_refused', () => mirrors()?.refused ?? 0);
  gauge('culprit_mirror_dropped', () => mirrors()?.dropped ?? 0);
  const counter = (
    name: MetricName,
    label: string,
    read: (stats: IngestStats) => ReadonlyMap<string, number>,
  ): void => {
    const metric = new Counter({
      name,
      help: metrics[name],
      labelNames: [label],
      registers: [],
      collect() {
        const stats = probes.ingest();
        this.reset();
        for (const [value, count] of stats ? read(stats) : []) this.inc({ [label]: value }, count);
      },
    });
    registry.registerMetric(metric);
  };
  counter('culprit_ingest_requests', 'request', (stats) => stats.requests);
  counter('culprit_ingest_refused', 'code', (stats) => stats.refused);
  gauge('culprit_ingest_received_bytes', () => probes.ingest()?.receivedBytes ?? 0);
  gauge('culprit_ingest_in_flight', () => probes.ingest()?.inFlight ?? 0);
  gauge('culprit_storm_projects', () => probes.storm?.()?.projects ?? 0);
  gauge('culprit_storm_keys', () => probes.storm?.()?.keys ?? 0);

  gauge('culprit_events_store_restarts', probes.engineRestarts);
  registerDisk(registry, probes);
  registerStates(registry, probes);
  registerNodes(registry, probes);

  // Until then it is starting, which is no failure.
  let wasReady = false;
  app.get('/healthz', (request, reply) =>
    request.headers[seenHeader] === undefined ? reply.send({ status: 'ok' }) : answerSeen(request, reply),
  );
  app.get('/readyz', async (request, reply) => {
    const [events, state] = await Promise.all([probes.eventsReady(), probes.stateReady()]);
    const { records, bytes, limitBytes, unreadable, away } = probes.log.stats();
    const log = bytes < limitBytes && !away;
    const found = { log, events, state };
    const missing = [...new Set(probes.roles.flatMap((role) => neededBy[role]))]
      .filter((name) => !found[name])
      .map((name): string => texts.stores[name]);
    if (probes.isDraining()) missing.push(texts.stopping);
    // How much waits, and what this node is there for, is nobody's business who may not see /metrics; nor need this
    // answer wait for a state store that is away.
    const mayCount = await checkReader(request, probes).then(
      () => true,
      () => false,
    );
    const answer = {
      ...(mayCount && { roles: probes.roles }),
      log: {
        ok: log,
        ...(away && { awaySince: new Date(away.sinceMs).toISOString() }),
        ...(mayCount && { records, unreadable }),
      },
      events,
      state,
    };
    if (missing.length === 0) {
      wasReady = true;
      return { status: 'ready', ...answer };
    }
    const error = new CodedError('NOT_READY', [missing.join(', ')]);
    // Whoever watches over us asks every few seconds.
    const noted = { request: requestFacts(request), atMostEveryMs: 60_000 };
    const digest = wasReady && !probes.isDraining() ? probes.failures.note(error, noted).digest : digestFor(error);
    return reply
      .code(error.status)
      .header('x-error-digest', digest)
      .send({ status: 'not ready', ...answer, code: error.code, digest });
  });
  // Watching the event loop and each collection costs all the time: from when somebody asks for the first time.
  let isWatched = false;
  app.get('/metrics', async (request, reply) => {
    await checkReader(request, probes);
    if (!isWatched) collectDefaultMetrics({ register: registry });
    isWatched = true;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** What is read of it when it is asked for; without a label one value stands under ''. */
function register(
  registry: Registry,
  name: MetricName,
  label: string,
  read: () => Promise<Iterable<readonly [value: string, number: number]>>,
): void {
  const metric = new Gauge({
    name,
    help: metrics[name],
    labelNames: label ? [label] : [],
    registers: [],
    async collect() {
      this.reset();
      for (const [value, number] of await read()) this.set(label ? { [label]: value } : {}, number);
    },
  });
  registry.registerMetric(metric);
}

function registerDisk(registry: Registry, { disk }: Probes): void {
  const ofStores = async (read: (store: DiskStore) => number): Promise<[string, number][]> =>
    ((await disk())?.report?.stores ?? []).map((store) => [store.store, read(store)]);
  register(registry, 'culprit_disk_bytes', 'store', () => ofStores(({ bytes }) => bytes));
  register(registry, 'culprit_disk_waiting_bytes', 'store', () => ofStores(({ waitingBytes }) => waitingBytes));
  const one = (name: MetricName, read: (status: DiskStatus) => number): void =>
    register(registry, name, '', async () => {
      const status = await disk();
      return [['', status ? read(status) : Number.NaN]];
    });
  one('culprit_disk_free_bytes', ({ freeBytes }) => freeBytes);
  one('culprit_disk_total_bytes', ({ totalBytes }) => totalBytes);
  one('culprit_disk_full_seconds', ({ forecast }) => {
    if (forecast.kind === 'unknown') return Number.NaN;
    return forecast.kind === 'none' ? Number.POSITIVE_INFINITY : Math.max(0, (forecast.at - Date.now()) / 1_000);
  });
}

function registerStates(registry: Registry, { jobs, eventsReady, stateReady }: Probes): void {
  register(registry, 'culprit_job_failed_runs', 'job_name', async () =>
    (await jobs()).map(({ name, attempts }) => [name, attempts] as const),
  );
  register(registry, 'culprit_events_store_ready', '', async () => [['', Number(await eventsReady())]]);
  register(registry, 'culprit_state_store_ready', '', async () => [['', Number(await stateReady())]]);
}

/** Nodes that are there, by role: one that has several counts for each. */
function registerNodes(registry: Registry, { nodes, stores }: Probes): void {
  register(registry, 'culprit_nodes', 'role', async () => {
    const running = (await nodes().catch(() => [])).filter(({ isGone }) => !isGone);
    return roleNames.map((role) => [role, running.filter(({ roles }) => roles.includes(role)).length] as const);
  });
  register(registry, 'culprit_store_up', 'store', async () =>
    stores().map(({ store, state }) => [store, state === 'down' ? 0 : 1] as const),
  );
}
