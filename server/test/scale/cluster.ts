/**
 * Several nodes of one installation on this machine, with what they share: a real PostgreSQL, the engine in a process of
 * its own behind its HTTP interface (as a ClickHouse would be), a real S3 server, and NATS; each behind a proxy.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EngineSupervisor, startEngine } from '../../src/ports/events/supervisor.ts';
import { type PostgresServer, startPostgres } from '../../src/ports/state/testing/postgres-server.ts';
import { culprit, type Installed, owner, Server } from '../harness.ts';
import { type NatsServer, startNats } from '../nats/server.ts';
import { type S3Server, startS3 } from '../s3/server.ts';
import { type Proxy, startProxy } from './proxy.ts';

export interface ClusterOptions {
  /** Whether nodes share a log: each has one of its own unless told, and then all roles. */
  readonly nats?: boolean;
  /** Of all nodes, beside what they share. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Parameters of the address of NATS, such as `ack_wait=2`. */
  readonly natsParameters?: string;
}

/** Between the nodes and each store. */
export interface StoreProxies {
  readonly log: Proxy | undefined;
  readonly state: Proxy;
  readonly events: Proxy;
  readonly blobs: Proxy;
}

export type StoreName = keyof StoreProxies;

export class Cluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly proxies: StoreProxies;
  /** Of PostgreSQL, not through its proxy. */
  readonly databaseUrl: string;
  readonly engine: EngineSupervisor;
  readonly s3: S3Server;
  readonly nats: NatsServer | undefined;
  readonly installed: Installed;
  /** Of each node; a command of the CLI needs a data directory beside. */
  readonly environment: Readonly<Record<string, string>>;
  readonly nodes: Server[] = [];
  readonly #starting = new Set<Promise<Server>>();
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<
      Cluster,
      'postgres' | 'proxies' | 'databaseUrl' | 'engine' | 's3' | 'nats' | 'installed' | 'environment'
    >,
    opened: AsyncDisposableStack,
  ) {
    this.postgres = parts.postgres;
    this.proxies = parts.proxies;
    this.databaseUrl = parts.databaseUrl;
    this.engine = parts.engine;
    this.s3 = parts.s3;
    this.nats = parts.nats;
    this.installed = parts.installed;
    this.environment = parts.environment;
    this.#opened = opened;
  }

  /** Starts what nodes share and makes an installation, without nodes. */
  static async create(options: ClusterOptions = {}): Promise<Cluster> {
    const { nats: hasNats = false, natsParameters = '', environment: own = {} } = options;
    await using opened = new AsyncDisposableStack();
    const dir = await mkdtemp(join(tmpdir(), 'culprit-cluster-'));
    opened.defer(() => rm(dir, { recursive: true, force: true }));
    const [postgres, engine, s3, nats] = await Promise.all([
      startPostgres(),
      startEngine({ dataDir: join(dir, 'engine') }),
      startS3(),
      hasNats ? startNats() : undefined,
    ]);
    for (const part of [postgres, engine, s3, nats]) if (part) opened.use(part);
    const proxyTo = async (address: string): Promise<{ proxy: Proxy; address: string }> => {
      // Secrets may have what a URL must not.
      const target = Number(/127\.0\.0\.1:(\d+)/.exec(address)?.[1]);
      const proxy = opened.use(await startProxy(() => [target]));
      return { proxy, address: address.replace(`127.0.0.1:${target}`, `127.0.0.1:${proxy.port}`) };
    };
    const { url, username, password, database: events } = engine.address;
    const databaseUrl = await postgres.createDatabase();
    const state = await proxyTo(databaseUrl);
    const store = await proxyTo(`http://${username}:${password}@${new URL(url).host}/${events}`);
    const blobs = await proxyTo(await s3.bucket());
    const log = nats && (await proxyTo(nats.url()));
    const environment = {
      CULPRIT_STATE_URL: state.address,
      CULPRIT_EVENTS_URL: store.address,
      CULPRIT_BLOBS_URL: blobs.address,
      CULPRIT_SECRET: 'a secret that all nodes of this cluster share',
      CULPRIT_SELF_REPORT: 'off',
      ...(log && { CULPRIT_LOG_URL: log.address + (natsParameters && `?${natsParameters}`) }),
      ...own,
    };
    const words = ['init', '--email', owner.email, '--password-stdin', '--org', 'Acme', '--project', 'Web', '--json'];
    const alone = { ...environment, CULPRIT_DATA_DIR: join(dir, 'init') };
    const { code, stdout, stderr } = await culprit(words, alone, owner.password);
    if (code !== 0) throw new Error(`culprit init failed: ${stderr}`);
    const installed = JSON.parse(stdout) as Installed;
    const proxies = { log: log?.proxy, state: state.proxy, events: store.proxy, blobs: blobs.proxy };
    return new Cluster({ postgres, proxies, databaseUrl, engine, s3, nats, installed, environment }, opened.move());
  }

  /** Starts a node: with `roles` of its own, separated by commas, or all. Resolves when it is ready. */
  async start(roles?: string, environment: Readonly<Record<string, string>> = {}): Promise<Server> {
    const own = { ...this.environment, ...(roles !== undefined && { CULPRIT_ROLE: roles }), ...environment };
    const starting = Server.create(own, { init: false });
    this.#starting.add(starting);
    const node = await starting;
    this.nodes.push(node);
    return node;
  }

  /** What is to be closed with the cluster, before what nodes share. */
  use<Part extends AsyncDisposable>(part: Part): Part {
    return this.#opened.use(part);
  }

  /** Shares connections out among nodes; among those that are there at each moment. */
  async balance(nodes: () => readonly Server[]): Promise<Proxy> {
    return this.#opened.use(await startProxy(() => nodes().map(({ port }) => port)));
  }

  /** Where SDKs send, at a node or a balancer. */
  envelopeUrl({ port }: { readonly port: number }): string {
    const { username, pathname } = new URL(this.installed.dsn);
    return `http://127.0.0.1:${port}/api${pathname}/envelope/?sentry_key=${username}`;
  }

  /** A call of the API at a node or a balancer, with the owner's token. */
  call({ port }: { readonly port: number }, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.installed.token}`, 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${port}/api/0${path}`, { ...init, headers: { ...headers, ...init.headers } });
  }

  async api<T>(at: { readonly port: number }, path: string, init: RequestInit = {}): Promise<T> {
    const response = await this.call(at, path, init);
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Of the state store, whether nodes reach it or not. */
  async query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** Signs the owner in at a node, and resolves to the cookies. */
  async signIn({ url }: Server): Promise<string> {
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    });
    if (!answer.ok) throw new Error(`${answer.status} for the sign-in: ${await answer.text()}`);
    const cookies = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
    return cookies.join('; ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Also those that start beside one that could not.
    await Promise.allSettled(this.#starting);
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.#opened.disposeAsync();
  }
}
