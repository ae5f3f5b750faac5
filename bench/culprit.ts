/** Culprit under measurement: started as its users start it, with a data directory of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { projectDir, startNode } from './child.ts';
import { stopProcess } from './cleanup.ts';
import { connectEngine, type Engine, type EngineAddress } from './engine.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { isAlive, processTree, processUse } from './processes.ts';

const cli = join(projectDir, 'server/bin/culprit.js');
const readyWithinMs = 60_000;
export const organization = 'bench';
/** Who may sign in. */
export const owner = { email: 'bench@example.com', password: 'correct horse battery staple' };

/** What `culprit init --json` prints. */
export interface Account {
  readonly token: string;
  readonly organization: string;
  readonly project: string;
  readonly projectId: string;
  readonly key: string;
}

/** `running.json` in the data directory. */
interface RunningFile {
  readonly pid: number;
  readonly url: string;
  readonly events: EngineAddress;
}

export interface Culprit {
  readonly pid: number;
  readonly url: string;
  /** From the start of the process until `/readyz` says so. */
  readonly readyMs: number;
  /** The server's processes: itself first, then the engine and what else it started. */
  tree(): { readonly server: number[]; readonly engine: number[] };
  /** Runs SQL in the engine as the server would; returns rows of JSONEachRow. */
  readonly engine: Engine['rows'];
  /** Asks the engine as the server did. */
  readonly ask: Engine['ask'];
  stop(): Promise<void>;
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function readRunningFile(dataDir: string): RunningFile | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as RunningFile;
  } catch {
    return undefined;
  }
}

export async function startCulprit(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Culprit> {
  const started = performance.now();
  const logFile = `${dataDir}.log`;
  const child = startNode(cli, ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'warn', '--json'], {
    logFile,
    // What is measured is every event, not those that stand for others.
    environment: { CULPRIT_STORM_GUARD: 'off', ...environment },
  });
  child.stdout?.resume();
  const fail = (what: string): Error =>
    new Error(`Culprit ${what}; the end of its log:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
  let running: RunningFile | undefined;
  let probe: HttpClient | undefined;
  for (;;) {
    if (!isAlive(child.pid) || child.exitCode !== null) throw fail('ended while starting');
    if (performance.now() - started > readyWithinMs) throw fail(`was not ready within ${readyWithinMs} ms`);
    running ??= readRunningFile(dataDir);
    if (running?.pid !== child.pid) running = undefined;
    if (running) {
      probe ??= createHttpClient(`http://127.0.0.1:${new URL(running.url).port}`);
      const answer = await probe.get('/readyz').catch(() => undefined);
      if (answer?.status === 200) break;
    }
    await delay(10);
  }
  const readyMs = performance.now() - started;
  probe?.close();
  const { events, url } = running;
  const engine = connectEngine(events);

  return {
    pid: child.pid,
    url: `http://127.0.0.1:${new URL(url).port}`,
    readyMs,
    tree() {
      const [server = child.pid, ...below] = processTree(child.pid);
      const isEngine = (pid: number): boolean => /events[/-]engine/.test(processUse(pid).name);
      return { server: [server, ...below.filter((pid) => !isEngine(pid))], engine: below.filter(isEngine) };
    },
    engine: engine.rows,
    ask: engine.ask,
    async stop() {
      engine.close();
      await stopProcess(child.pid);
    },
  };
}

/** Makes the account that the benchmarks use. */
export async function initCulprit(dataDir: string): Promise<Account> {
  const child = startNode(cli, [
    'init',
    '--email',
    owner.email,
    '--password-stdin',
    '--org',
    organization,
    '--project',
    'shop',
    '--json',
    '--data-dir',
    dataDir,
  ]);
  child.stdin?.end(`${owner.password}\n`);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`culprit init failed (${child.exitCode})`);
  const made = JSON.parse(text) as { dsn: string; token: string; organization: string; project: string };
  const dsn = new URL(made.dsn);
  return {
    token: made.token,
    organization: made.organization,
    project: made.project,
    projectId: dsn.pathname.slice(1),
    key: dsn.username,
  };
}

/** The API as the account's token sees it. */
export function createApi(culprit: Culprit, { token }: Account): HttpClient {
  return createHttpClient(culprit.url, { authorization: `Bearer ${token}`, 'content-type': 'application/json' });
}

export async function getJson<T>(api: HttpClient, path: string): Promise<T> {
  const { status, text } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
