/**
 * Several nodes of one installation on this machine, with what they share: a real PostgreSQL behind a proxy, the engine
 * in a process of its own behind its HTTP interface (as a ClickHouse would be), a real S3 server, and NATS.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
}

export class Cluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  /** Between the nodes and PostgreSQL. */
  readonly toPostgres: Proxy;
  readonly engine: EngineSupervisor;
  readonly s3: S3Server;
  readonly nats: NatsServer | undefined;
  readonly installed: Installed;
  /** Of each node; a command of the CLI needs a data directory beside. */
  readonly environment: Readonly<Record<string, string>>;
  readonly nodes: Server[] = [];
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<Cluster, 'postgres' | 'toPostgres' | 'engine' | 's3' | 'nats' | 'installed' | 'environment'>,
    opened: AsyncDisposableStack,
  ) {
    this.postgres = parts.postgres;
    this.toPostgres = parts.toPostgres;
    this.engine = parts.engine;
    this.s3 = parts.s3;
    this.nats = parts.nats;
    this.installed = parts.installed;
    this.environment = parts.environment;
    this.#opened = opened;
  }

  /** Starts what nodes share and makes an installation, without nodes. */
  static async create({ nats: hasNats = false, environment: own = {} }: ClusterOptions = {}): Promise<Cluster> {
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
    const database = new URL(await postgres.createDatabase());
    const toPostgres = opened.use(await startProxy(() => [Number(database.port)]));
    const { url, username, password, database: events } = engine.address;
    const stateUrl = new URL(database);
    stateUrl.port = String(toPostgres.port);
    const environment = {
      CULPRIT_STATE_URL: stateUrl.href,
      CULPRIT_EVENTS_URL: `http://${username}:${password}@${new URL(url).host}/${events}`,
      CULPRIT_BLOBS_URL: await s3.bucket(),
      CULPRIT_SECRET: 'a secret that all nodes of this cluster share',
      CULPRIT_SELF_REPORT: 'off',
      ...(nats && { CULPRIT_LOG_URL: nats.url() }),
      ...own,
    };
    const words = ['init', '--email', owner.email, '--password-stdin', '--org', 'Acme', '--project', 'Web', '--json'];
    const alone = { ...environment, CULPRIT_DATA_DIR: join(dir, 'init') };
    const { code, stdout, stderr } = await culprit(words, alone, owner.password);
    if (code !== 0) throw new Error(`culprit init failed: ${stderr}`);
    const installed = JSON.parse(stdout) as Installed;
    return new Cluster({ postgres, toPostgres, engine, s3, nats, installed, environment }, opened.move());
  }

  /** Starts a node: with `roles` of its own, separated by commas, or all. Resolves when it is ready. */
  async start(roles?: string, environment: Readonly<Record<string, string>> = {}): Promise<Server> {
    const own = { ...this.environment, ...(roles !== undefined && { CULPRIT_ROLE: roles }), ...environment };
    const node = await Server.create(own, { init: false });
    this.nodes.push(node);
    return node;
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

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
    await this.#opened.disposeAsync();
  }
}
