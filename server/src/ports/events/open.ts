/** Chooses the events store by URL: none starts the embedded engine, http(s):// uses that ClickHouse. */
import { join } from 'node:path';
import type { EventIndex } from '../event-index/event-index.ts';
import { openEventIndex } from '../event-index/lmdb.ts';
import { parseEventsUrl } from './address.ts';
import { openClickHouse, type ReadShares } from './clickhouse.ts';
import { laneSizes } from './engine/lanes.ts';
import type { Events, EventsAddress } from './events.ts';
import { startIndex } from './fill-index/fill.ts';
import { migrateEvents, type MigrateOptions } from './migrations/index.ts';
import type { Failures } from '../../base/self/index.ts';
import type { EngineSupervisor } from './supervisor.ts';

/** Of its three sessions for reads one is always left to somebody else. */
export const embeddedShares = { reads: laneSizes.read, readsEach: laneSizes.read - 1 };

export { parseEventsUrl } from './address.ts';

export interface OpenEventsOptions {
  /** '' or `http(s)://user:password@host:8123/database?cluster=name`. */
  readonly url: string;
  /** Directory of all embedded stores; the engine takes `events` in it. */
  readonly dataDir: string;
  /** Of S3: where a store that others reach leaves payloads; in its rows unless given. */
  readonly blobsUrl?: string;
  /** Hears of the embedded engine's restarts and of what it writes; a pino logger fits. */
  readonly logger?: EngineLogger;
  /** Hears of an engine that ended by itself. */
  readonly failures?: Failures;
  /** File of the embedded engine's own configuration; tests have one. */
  readonly engineConfig?: string;
}

export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface OpenedEvents extends AsyncDisposable {
  readonly events: Events;
  /** The engine's supervisor when it is embedded. */
  readonly engine?: EngineSupervisor;
  /** Brings the tables up to date; returns the names of the migrations that it applied. */
  prepare(options: MigrateOptions): Promise<string[]>;
  /** Closes the client, then stops the engine. */
  close(): Promise<void>;
}

/**
 * With the embedded engine it resolves when that answers, and rejects when it cannot be started. A remote ClickHouse is
 * not asked anything yet. The tables come from `prepare`.
 */
export async function openEvents(options: OpenEventsOptions): Promise<OpenedEvents> {
  if (options.url) {
    // A store that others reach has the payloads too, or leaves them to S3.
    const { blobsUrl: payloadsUrl } = options;
    return openAt({ ...parseEventsUrl(options.url), ...(payloadsUrl && { payloadsUrl }) });
  }
  const engine = await startEmbedded(join(options.dataDir, 'events'), options);
  const opened = await openOnEngine(engine, options);
  const close = async (): Promise<void> => {
    await opened.close();
    await engine.stop();
  };
  return { ...opened, close, [Symbol.asyncDispose]: close };
}

/** On an engine that runs, and is left running; payloads and index lie in `dataDir`. */
export async function openOnEngine(
  engine: EngineSupervisor,
  options: Pick<OpenEventsOptions, 'dataDir' | 'failures'>,
): Promise<OpenedEvents> {
  const payloadsDir = join(options.dataDir, 'payloads');
  return { ...(await openAt({ ...engine.address, payloadsDir }, embeddedShares, await openIndex(options))), engine };
}

async function openAt(address: EventsAddress, shares?: ReadShares, index?: EventIndex): Promise<OpenedEvents> {
  const events = openClickHouse(address, shares, index);
  await events.payloads?.settle();
  const close = async (): Promise<void> => {
    await events.close();
    await index?.[Symbol.asyncDispose]();
  };
  const prepare = async (settings: MigrateOptions): Promise<string[]> => {
    const applied = await migrateEvents(events, settings);
    await startIndex(events);
    return applied;
  };
  return { events, prepare, close, [Symbol.asyncDispose]: close };
}

/** Without it everything is asked of the engine. */
async function openIndex({
  dataDir,
  failures,
}: Pick<OpenEventsOptions, 'dataDir' | 'failures'>): Promise<EventIndex | undefined> {
  const onFailure = (error: unknown): undefined => {
    failures?.note(error, { message: 'could not write the event index; the next start rebuilds it' });
  };
  return openEventIndex({ dir: join(dataDir, 'event-index'), onFailure }).catch(onFailure);
}

/** A client of a store that is open elsewhere: for worker threads. */
export function connectEvents(address: EventsAddress): Events {
  return openClickHouse(address);
}

async function startEmbedded(
  dataDir: string,
  { logger, failures, engineConfig: configFile }: Pick<OpenEventsOptions, 'logger' | 'failures' | 'engineConfig'>,
): Promise<EngineSupervisor> {
  const { startEngine } = await import('./supervisor.ts');
  const engine = await startEngine({ dataDir, ...(configFile !== undefined && { configFile }) });
  engine.on('lost', ({ reason, retryMs }) => {
    const message = 'the events engine stopped and is restarting';
    failures?.note(new Error(`the events engine stopped: ${reason}`), { message, fields: { reason, retryMs } });
  });
  engine.on('state', (state) => logger?.info({ state, pid: engine.pid }, 'the state of the events engine changed'));
  engine.on('line', (line) => logger?.debug({ line }, 'output of the events engine'));
  return engine;
}
