/** The shop of `apps/trace`: four programs of three SDKs, each with a project of its own, before a real PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../server/src/ports/state/testing/postgres-server.ts';
import type { Server } from '../server/test/harness.ts';

const app = (name: string): string => fileURLToPath(new URL(`apps/trace/${name}`, import.meta.url));

type ProgramName = 'page' | 'api' | 'stock' | 'billing';

interface Project {
  readonly id: string;
  readonly slug: string;
  readonly dsn: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Eight products, so that asking for the price of each is worth a complaint. */
const tables = `
  create table products (id int primary key, name text, category text);
  create table prices (product_id int, amount int);
  create table stock (category text, pieces int);
  insert into products select n, 'Tea no. ' || n, 'tea' from generate_series(1, 8) n;
  insert into prices select n, n * 3 from generate_series(1, 8) n;
  insert into stock select 'tea', n from generate_series(1, 8) n;`;

export class TraceShop implements AsyncDisposable {
  readonly url: string;
  readonly projects: Readonly<Record<ProgramName, Project>>;
  readonly #running: readonly Running[];
  readonly #database: PostgresServer;
  readonly #dir: string;

  private constructor(
    projects: TraceShop['projects'],
    running: readonly Running[],
    database: PostgresServer,
    dir: string,
  ) {
    this.projects = projects;
    this.url = running[0]?.url ?? '';
    this.#running = running;
    this.#database = database;
    this.#dir = dir;
  }

  static async create(server: Server): Promise<TraceShop> {
    const dir = await mkdtemp(join(tmpdir(), 'culprit-trace-shop-'));
    const [projects, database] = await Promise.all([createProjects(server), startPostgres()]);
    const running: Running[] = [];
    try {
      const databaseUrl = await withTables(database);
      await buildPage(dir, projects.page.dsn);
      const billing = await start('billing.ts', exporterSettings(server, projects.billing));
      running.push(billing);
      const stock = await start('stock.ts', {
        DSN: projects.stock.dsn,
        DATABASE_URL: databaseUrl,
        BILLING_URL: billing.url,
      });
      running.unshift(stock);
      const api = await start('api.ts', {
        DSN: projects.api.dsn,
        DATABASE_URL: databaseUrl,
        STOCK_URL: stock.url,
        PAGE_SCRIPT: join(dir, 'page.js'),
      });
      return new TraceShop(projects, [api, ...running], database, dir);
    } catch (error) {
      await Promise.all(running.map((each) => end(each)));
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Resolves when all programs have ended; before that they send what they hold. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map((each) => end(each)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#database[Symbol.asyncDispose]();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

async function createProjects(server: Server): Promise<TraceShop['projects']> {
  const path = `/organizations/${server.installed.organization}/projects/`;
  const create = (name: ProgramName): Promise<Project> =>
    server.api(path, { method: 'POST', body: JSON.stringify({ name: `shop ${name}` }) });
  return {
    page: await create('page'),
    api: await create('api'),
    stock: await create('stock'),
    billing: await create('billing'),
  };
}

/** What the guide on OpenTelemetry says. */
function exporterSettings(server: Server, { dsn }: Project): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
    OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${new URL(dsn).username}`,
    OTEL_SERVICE_NAME: 'billing',
    OTEL_RESOURCE_ATTRIBUTES: 'service.version=billing@3.1.1,deployment.environment.name=production',
  };
}

async function withTables(database: PostgresServer): Promise<string> {
  const url = await database.createDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(tables);
  await client.end();
  return url;
}

async function buildPage(dir: string, dsn: string): Promise<void> {
  await build({
    entryPoints: [app('page.tsx')],
    define: { DSN: JSON.stringify(dsn) },
    bundle: true,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    outfile: join(dir, 'page.js'),
    logLevel: 'silent',
  });
}

async function start(name: string, environment: Readonly<Record<string, string>>): Promise<Running> {
  const child = spawn(process.execPath, [app(name)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${said}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('http://')) resolve(line);
    });
  });
  return { child, url };
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
