/**
 * A whole Culprit in processes of its own, as a user starts it, on a free port with a data directory of its own; or in the
 * scaled form, where `CULPRIT_TEST_FORM` says so (`form/scaled.ts`).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Events } from '../src/ports/events/events.ts';
import { connectEvents } from '../src/ports/events/open.ts';
import { openState } from '../src/ports/state/open.ts';
import type { State } from '../src/ports/state/state.ts';
import { dsn } from '../src/base/dsn.ts';
import { Clock } from './clock.ts';
import { nodeOptions, Served } from './form/process.ts';
import { isScaled, layScaled, type ScaledForm } from './form/scaled.ts';
import { startStores } from './form/stores.ts';

const bin = fileURLToPath(new URL('../bin/culprit.js', import.meta.url));
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));

/** Paths that are handed to the processes that run tests. */
const programVariable = 'CULPRIT_TEST_PROGRAM';
const templateVariable = 'CULPRIT_TEST_TEMPLATE';

export { endurance } from '../src/base/testing.ts';

/** From now on, here and in processes started from here, this module is run in place of the bundle; none: the bundle. */
export function useProgram(path?: string): void {
  if (path === undefined) delete process.env[programVariable];
  else process.env[programVariable] = path;
}

const program = (): string => process.env[programVariable] ?? bin;

/** For programs that hash passwords as they do in life, or read such hashes; see `cheap-hashes.js`. */
export const realHashes = { CULPRIT_TEST_HASHES: 'real' };

/** Where an installation lies elsewhere, at least in part. */
const places = ['DATA_DIR', 'STATE_URL', 'EVENTS_URL', 'LOG_URL', 'BLOBS_URL'].map((name) => `CULPRIT_${name}`);
/** Where what `culprit init` makes lies elsewhere, there is nothing to copy; logs and blobs are made by who writes them. */
const madeByInit = ['DATA_DIR', 'STATE_URL', 'EVENTS_URL'].map((name) => `CULPRIT_${name}`);

export interface Installed {
  readonly url: string;
  readonly dsn: string;
  readonly token: string;
  readonly organization: string;
  readonly project: string;
}

export const owner = { email: 'owner@example.com', password: 'correct horse battery' };

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

/**
 * Runs a command of the CLI to its end, until `signal` asks it to stop, or to when it is killed: so long after its start, or
 * after it has said that.
 */
export async function culprit(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
  {
    killAfterMs,
    killWhen,
    signal,
  }: {
    readonly killAfterMs?: number;
    readonly killWhen?: (said: string) => boolean;
    readonly signal?: AbortSignal;
  } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...nodeOptions, program(), ...args], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), killAfterMs ?? 0).unref();
  child.stdout.on('data', (chunk: Buffer) => {
    const before = killWhen?.(stdout);
    stdout += chunk.toString();
    if (before === false && killWhen?.(stdout)) kill();
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(input);
  if (killAfterMs !== undefined && !killWhen) kill();
  signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

async function initialise(environment: Readonly<Record<string, string>>): Promise<Installed> {
  const words = ['init', '--email', owner.email, '--password-stdin', '--org', 'Acme', '--project', 'Web', '--json'];
  const { code, stdout, stderr } = await culprit(words, environment, owner.password);
  if (code !== 0) throw new Error(`culprit init failed: ${stderr}`);
  return JSON.parse(stdout) as Installed;
}

/** Whether the bundle was run before, and what Node compiled of it is kept. */
const compiled = fileURLToPath(new URL('../dist/.compiled-for-tests', import.meta.url));

/**
 * Makes an installation as `culprit init` and a first start leave it, of which those of `Server.create` are copies.
 * Resolves to its directory.
 */
export async function makeTemplate(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-template-'));
  // Without the internal project, which a first start makes where it is wanted. What Node keeps compiled of a file is what
  // the first program used of it, and that is to be a server at work.
  const settings = {
    CULPRIT_DATA_DIR: join(dir, 'data'),
    CULPRIT_SELF_REPORT: 'off',
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const server = await Server.create(settings);
  await server.stop();
  await writeFile(join(dir, 'installed.json'), JSON.stringify(server.installed), { mode: 0o600 });
  process.env[templateVariable] = dir;
  await compile();
  return dir;
}

/** Runs what most tests need of a server, once for each bundle. */
async function compile(): Promise<void> {
  const sources = await readFile(fileURLToPath(new URL('../dist/.sources', import.meta.url)), 'utf8');
  // What is kept is of these options alone.
  const bundle = [sources, ...nodeOptions].join(' ');
  if ((await readFile(compiled, 'utf8').catch(() => '')) === bundle) return;
  await using server = await Server.create();
  const { dsn, organization } = server.installed;
  await fetch(envelopeUrl(dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
  await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(owner),
  });
  await server.drained();
  for (const what of ['issues', 'projects', 'members']) await server.api(`/organizations/${organization}/${what}/`);
  // As it ends it writes down what was compiled.
  await server.stop();
  await writeFile(compiled, bundle);
}

/** Whether an installation was made that those of this run are copies of. */
export const isPrepared = (): boolean => process.env[templateVariable] !== undefined;

/** Starts what nodes of the scaled form share, with such an installation. */
export const startScaledStores = (): Promise<AsyncDisposable> => startStores(initialise);

/** A copy of the template, under an address of its own. */
async function copyTemplate(template: string, dataDir: string, url: string): Promise<Installed> {
  // By a program, which keeps modes, unlike `cpSync`, and takes a tenth of the processor time of `cp` of Node.
  execFileSync('cp', ['-a', `${join(template, 'data')}/.`, dataDir]);
  return moved(JSON.parse(await readFile(join(template, 'installed.json'), 'utf8')) as Installed, url);
}

function moved(installed: Installed, url: string): Installed {
  const { username, pathname } = new URL(installed.dsn);
  return { ...installed, url, dsn: dsn(url, username, Number(pathname.slice(1))) };
}

/** Where a server's processes lie, and what they are. */
interface ServerParts {
  /** What goes with the server. */
  readonly dir: string;
  readonly dataDir: string;
  readonly port: number;
  readonly installed: Installed | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock | undefined;
  readonly program: string;
  readonly isPlain: boolean;
  readonly scaled?: ScaledForm | undefined;
}

export class Server implements AsyncDisposable {
  /** Where commands of the CLI work on the installation. */
  readonly dataDir: string;
  readonly port: number;
  /** What such a command is given. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #parts: ServerParts;
  /** One, or the nodes of the scaled form. */
  readonly #processes: readonly Served[];
  /** What they wrote so far, all starts together. */
  output = '';

  private constructor(parts: ServerParts) {
    const { dataDir, port, environment, program, isPlain, scaled } = parts;
    this.#parts = parts;
    this.dataDir = dataDir;
    this.port = port;
    this.environment = environment;
    const onOutput = (text: string): void => {
      this.output += text;
    };
    this.#processes = (scaled?.nodes ?? [{ port, environment }]).map(
      (node) => new Served({ program, isPlain, onOutput, ...node }),
    );
  }

  /** Initialises an installation and starts it, unless told otherwise; with `clock` its time can be moved; from its sources, or plainly as people do, if told so. */
  static async create(
    environment: Readonly<Record<string, string>> = {},
    { init = true, start = true, clock = false, fromSources = false, isPlain = false } = {},
  ): Promise<Server> {
    const movable = clock ? await Clock.create() : undefined;
    const dir = await mkdtemp(join(tmpdir(), 'culprit-test-'));
    const port = await freePort();
    const all = {
      CULPRIT_DATA_DIR: dir,
      CULPRIT_PORT: String(port),
      CULPRIT_URL: `http://127.0.0.1:${port}`,
      CULPRIT_LOG_LEVEL: 'warn',
      // A test sends in a second what a project sends in a day, and counts what is stored.
      CULPRIT_STORM_GUARD: 'off',
      // Each page of the console would load an SDK, and send what is stored beside what is tested.
      ...(!isPlain && { CULPRIT_SELF_REPORT: 'off' }),
      ...movable?.environment,
      ...environment,
    };
    const url = all.CULPRIT_URL || `http://localhost:${port}`;
    const common = { dir, port, clock: movable, program: fromSources ? main : program(), isPlain };
    const isElsewhere = places.some((name) => name in environment);
    const parts = { ...common, ...(await (isScaled && !isElsewhere ? layNodes() : layAlone())) };
    const server = new Server(parts);
    try {
      if (start) await server.start();
      return server;
    } catch (error) {
      // Nobody else has it.
      await server[Symbol.asyncDispose]();
      throw error;
    }

    async function layAlone() {
      const isMadeElsewhere = madeByInit.some((name) => name in environment);
      const template = isMadeElsewhere ? undefined : process.env[templateVariable];
      const lay = () => (template ? copyTemplate(template, dir, url) : initialise(all));
      return { dataDir: dir, environment: all, installed: init ? await lay() : undefined };
    }

    async function layNodes() {
      const scaled = await layScaled(dir, port, all, { init });
      const made = scaled.installed as Installed | undefined;
      const installed = made && moved(made, url);
      return { dataDir: scaled.dataDir, environment: scaled.environment, installed, scaled };
    }
  }

  /** The same installation with other settings. To be started. */
  like(environment: Readonly<Record<string, string>>): Server {
    if (this.#parts.scaled) throw new Error('the nodes of a scaled form are not made anew');
    const all = { ...this.environment, ...environment };
    const { CULPRIT_DATA_DIR: dataDir = this.dataDir, CULPRIT_PORT: port } = all;
    return new Server({ ...this.#parts, dir: dataDir, dataDir, port: Number(port), environment: all });
  }

  get installed(): Installed {
    const { installed } = this.#parts;
    if (!installed) throw new Error('this installation was not initialised');
    return installed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the server takes for now, ms since the epoch; events are sent with this. */
  now(): number {
    return this.#parts.clock?.now() ?? Date.now();
  }

  /** Moves the server's time forward, in all its threads. Only of one that was created with `clock`. */
  async moveClock(byMs: number): Promise<void> {
    const { clock } = this.#parts;
    if (!clock) throw new Error('this server goes by the real time');
    await clock.move(byMs);
  }

  get pid(): number {
    const [only, other] = this.#processes;
    if (!only || other) throw new Error('the server consists of several processes');
    return only.pid;
  }

  /** Resolves when requests are answered; with `ready` also when the engine is. */
  async start({ ready = true } = {}): Promise<void> {
    const path = ready ? '/readyz' : '/healthz';
    for (const one of this.#processes) one.start();
    await Promise.all(
      this.#processes.map((one) =>
        this.until(
          `${path} answers`,
          async () => {
            if (one.exitCode !== undefined) throw new Error(`the server ended with ${one.exitCode}:\n${this.output}`);
            return (await fetch(one.url + path).catch(() => undefined))?.ok ?? false;
          },
          // They begin at the same time.
          30_000 * (1 + this.#processes.length),
        ),
      ),
    );
  }

  /** SIGKILL, then waits for the end. */
  async kill(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.end('SIGKILL')));
  }

  /** SIGTERM; resolves to the milliseconds that stopping took. */
  async stop(): Promise<number> {
    const started = performance.now();
    await Promise.all(this.#processes.map((one) => one.end('SIGTERM')));
    return performance.now() - started;
  }

  /** GET (or other) of the API with the owner's token; throws unless it succeeds. */
  async api<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`${this.url}/api/0${path}`, {
      ...init,
      headers: { authorization: `Bearer ${this.installed.token}`, 'content-type': 'application/json', ...init.headers },
    });
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** A client of the running server's events store, as the pipeline has. */
  async events(): Promise<Events> {
    const running = JSON.parse(await readFile(join(this.dataDir, 'running.json'), 'utf8')) as {
      events: Events['address'];
    };
    return connectEvents(running.events);
  }

  /** The state store, whether the server runs or not. */
  state(): Promise<State> {
    return openState({ url: this.environment['CULPRIT_STATE_URL'] ?? '', dataDir: this.dataDir });
  }

  /** Takes a table of the state store away; what it resolves to brings it back. */
  async takeTable(table: string): Promise<() => Promise<void>> {
    const state = await this.state();
    const { db, capabilities } = state;
    // What refers to it goes on doing so.
    if (capabilities.dialect === 'sqlite') await sql`PRAGMA legacy_alter_table = ON`.execute(db);
    const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute();
    await rename(table, `${table}_away`);
    let isBack = false;
    return async () => {
      if (isBack) return;
      isBack = true;
      await rename(`${table}_away`, table);
      await state.close();
    };
  }

  /** Of all its processes, one after the other. */
  async metrics(): Promise<string> {
    const ask = async ({ url }: Served): Promise<string> => (await fetch(`${url}/metrics`)).text();
    return (await Promise.all(this.#processes.map(ask))).join('');
  }

  /** Tries until it is true or defined, at most 60 s; more seldom the longer it takes, since each try keeps the machine from what is waited for. */
  async until<T>(
    what: string,
    probe: () => Promise<T | undefined | false> | T | undefined | false,
    limitMs = 60_000,
  ): Promise<T> {
    const deadline = Date.now() + limitMs;
    let last: unknown;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 1.5, 500)) {
      try {
        const value = await probe();
        if (value !== undefined && value !== false) return value;
      } catch (error) {
        last = error;
        if (this.#processes.some(({ exitCode }) => exitCode !== undefined)) throw error;
      }
      if (Date.now() > deadline)
        throw new Error(`not within ${limitMs} ms: ${what}\n${this.output.slice(-4_000)}`, { cause: last });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** Resolves when everything that was acknowledged has been processed. */
  async drained(): Promise<void> {
    await this.until(
      'the log is empty',
      // What a node knows of the log of all may be some moments old.
      () => this.#parts.scaled?.isDrained() ?? this.metrics().then((text) => /^culprit_log_records 0$/m.test(text)),
      120_000,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    const { clock, scaled, dir } = this.#parts;
    await clock?.[Symbol.asyncDispose]();
    await scaled?.[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The parts of a DSN that a request needs. */
export function envelopeUrl(dsn: string): string {
  const { protocol, host, username, pathname } = new URL(dsn);
  return `${protocol}//${host}/api${pathname}/envelope/?sentry_version=7&sentry_key=${username}`;
}

export function newEventId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** One error event in an envelope as a Node SDK would send it. */
export function errorEnvelope(eventId: string, event: Readonly<Record<string, unknown>> = {}): string {
  const body = {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'node',
    level: 'error',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'Cannot read properties of null',
          stacktrace: {
            frames: [
              { filename: '/app/node_modules/express/router.js', function: 'next', lineno: 3, colno: 1, in_app: false },
              {
                filename: '/app/src/price.js',
                function: 'getPrice',
                lineno: 42,
                colno: 7,
                in_app: true,
                context_line: '  return item.price;',
              },
            ],
          },
          mechanism: { type: 'generic', handled: false },
        },
      ],
    },
    ...event,
  };
  return `${JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() })}\n{"type":"event"}\n${JSON.stringify(body)}\n`;
}
