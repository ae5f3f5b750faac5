/**
 * What the nodes of all servers of a run of tests share, started once: a real PostgreSQL, the engine in a process of its
 * own behind its HTTP interface (as a ClickHouse would be), NATS and S3. Each server has a database, a bucket and streams
 * of its own there, by its name.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { Client } from 'pg';
import { openClickHouse } from '../../src/ports/events/clickhouse.ts';
import { parseEventsUrl } from '../../src/ports/events/address.ts';
import { startEngine } from '../../src/ports/events/supervisor.ts';
import { openNats } from '../../src/ports/nats/connection.ts';
import { startPostgres } from '../../src/ports/state/testing/postgres-server.ts';
import { startNats } from '../nats/server.ts';
import { startS3 } from '../s3/server.ts';

/** Handed to the processes that run tests. */
const storesVariable = 'CULPRIT_TEST_STORES';
/** What stands in the addresses in the place of a server's name. */
const nameWord = 'NAMEOFSERVER';
/** Of PostgreSQL, with an installation that has never run; servers have copies of it. */
const template = 'template_installation';

interface SharedStores {
  /** As settings of a node. */
  readonly environment: Readonly<
    Record<'CULPRIT_STATE_URL' | 'CULPRIT_EVENTS_URL' | 'CULPRIT_LOG_URL' | 'CULPRIT_BLOBS_URL', string>
  >;
  /** Where buckets lie as directories. */
  readonly buckets: string;
  /** What `culprit init` said of the template. */
  readonly installed: unknown;
}

/** Of one server. */
export interface OwnStores extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  readonly installed: unknown;
  /** Whether nothing that was acknowledged waits to be processed. */
  isDrained(): Promise<boolean>;
}

/** What all nodes have in common, beside their stores. */
export const nodeSecret = 'a secret that all nodes of this form share';

/** Starts them, with a template that `initialise` makes. */
export async function startStores(
  initialise: (environment: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'culprit-stores-'));
  opened.defer(() => rm(dir, { recursive: true, force: true }));
  const [postgres, engine, s3, nats] = await Promise.all([
    startPostgres({ connections: 600 }),
    startEngine({ dataDir: join(dir, 'engine') }),
    startS3(),
    // Each log sets aside what it may have at most.
    startNats({ maxFile: '100T' }),
  ]);
  for (const part of [postgres, engine, s3, nats]) opened.use(part);
  const { url, username, password } = engine.address;
  const environment = {
    CULPRIT_STATE_URL: postgres.url(nameWord),
    CULPRIT_EVENTS_URL: `http://${username}:${password}@${new URL(url).host}/${nameWord}`,
    CULPRIT_LOG_URL: nats.url(nameWord),
    CULPRIT_BLOBS_URL: s3.url(nameWord),
  };
  const stores: SharedStores = { environment, buckets: s3.dir, installed: undefined };
  await makeDatabase(stores, template);
  const installed = await initialise({
    ...named(stores, template),
    CULPRIT_DATA_DIR: join(dir, 'init'),
    CULPRIT_SECRET: nodeSecret,
    CULPRIT_SELF_REPORT: 'off',
  });
  process.env[storesVariable] = JSON.stringify({ ...stores, installed });
  opened.defer(() => void delete process.env[storesVariable]);
  return opened.move();
}

/** An own part of them; with an installation in it unless `init` is false. */
export async function takeStores({ init }: { readonly init: boolean }): Promise<OwnStores> {
  const text = process.env[storesVariable];
  if (text === undefined) throw new Error('the stores of the scaled form were not started: e2e/prepare.ts does');
  const stores = JSON.parse(text) as SharedStores;
  // Databases and streams take no other letters, and buckets no capitals.
  const name = `t${randomBytes(8).toString('hex')}`;
  const environment = named(stores, name);
  const bucket = join(stores.buckets, name);
  await Promise.all([makeDatabase(stores, name, init ? template : undefined), mkdir(bucket)]);
  const nats = await openNats({ url: environment.CULPRIT_LOG_URL, name: 'test' });
  const { streams } = await jetstreamManager(nats.connection, { checkAPI: false });
  return {
    environment: { ...environment, CULPRIT_SECRET: nodeSecret },
    installed: init ? stores.installed : undefined,
    async isDrained() {
      const { state } = await streams.info(`${name}-log`);
      return state.messages === 0;
    },
    async [Symbol.asyncDispose]() {
      for (const part of ['log', 'batches', 'large', 'unreadable']) {
        await streams.delete(`${name}-${part}`).catch((error: unknown) => {
          if (!(error instanceof JetStreamApiError)) throw error;
        });
      }
      await nats.close();
      await dropEvents(environment.CULPRIT_EVENTS_URL);
      await askPostgres(stores, `drop database ${name} with (force)`);
      await rm(bucket, { recursive: true, force: true });
    },
  };
}

function named({ environment }: SharedStores, name: string): SharedStores['environment'] {
  return JSON.parse(JSON.stringify(environment).replaceAll(nameWord, name)) as SharedStores['environment'];
}

function makeDatabase(stores: SharedStores, name: string, copyOf?: string): Promise<void> {
  return askPostgres(stores, `create database ${name}${copyOf === undefined ? '' : ` template ${copyOf}`}`);
}

async function askPostgres(stores: SharedStores, statement: string): Promise<void> {
  const client = new Client({ connectionString: named(stores, 'postgres').CULPRIT_STATE_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function dropEvents(url: string): Promise<void> {
  const address = parseEventsUrl(url);
  await using events = openClickHouse({ ...address, database: 'default' });
  // What is dropped without it stays in the engine's hands for minutes.
  await events.command(`DROP DATABASE IF EXISTS ${address.database} SYNC`);
}
