/**
 * Every route of the running program with its stores made to fail: whatever is answered with 5xx has one digest, the
 * same in the header, in the body, in the log line with the full error and in the event of the internal project.
 *
 * The stores fail for real: the way to the engine is cut, and the tables of the state store are renamed.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/base/config.ts';
import { type EngineSupervisor, startEngine } from '../src/ports/events/supervisor.ts';
import { type Program, startProgram } from '../src/program.ts';
import { culprit, envelopeUrl, errorEnvelope, type Installed, newEventId, owner } from './harness.ts';
import { routesOf } from './routes.ts';

interface Line {
  readonly digest?: string;
  readonly msg: string;
  readonly err?: { readonly stack: string };
}

interface Failure {
  readonly request: string;
  readonly status: number;
  readonly header: string | null;
  readonly body: string;
}

let dataDir: string;
let engine: EngineSupervisor;
let cable: Cable;
let program: Program;
let installed: Installed;
const lines: Line[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-failures-'));
  const consoleDir = join(dataDir, 'console');
  await mkdir(join(consoleDir, 'assets'), { recursive: true });
  await writeFile(join(consoleDir, 'index.html'), '<!doctype html><script src="/guard.js" data-dsn=""></script>');
  engine = await startEngine({ dataDir: join(dataDir, 'engine') });
  cable = await openCable(Number(new URL(engine.address.url).port));
  const { username, password } = engine.address;
  const environment = {
    CULPRIT_DATA_DIR: join(dataDir, 'data'),
    CULPRIT_EVENTS_URL: `http://${username}:${password}@127.0.0.1:${cable.port}/${engine.address.database}`,
    CULPRIT_CONSOLE_DIR: consoleDir,
    CULPRIT_PORT: '0',
  };
  const words = ['init', '--email', owner.email, '--password-stdin', '--org', 'Acme', '--project', 'Web', '--json'];
  const { stdout } = await culprit(words, environment, owner.password);
  installed = JSON.parse(stdout) as Installed;
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  program = await startProgram(readConfig({}, environment), logger);
  await until('ready', async () => (await fetch(`${program.listening}/readyz`)).ok);
  await culprit(['project', 'create', 'Doomed'], environment);
  await send();
  await until('the first issue', async () => (await issues()).length > 0);
});

afterAll(async () => {
  await program?.close();
  await cable?.close();
  await engine?.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

test('every route, without the events store', async () => {
  cable.cut();
  const failures = await walk().finally(cable.mend);
  expect(failures.length).toBeGreaterThan(15);
  expect(failures.map(({ request }) => request)).toEqual(expect.arrayContaining(['GET /readyz']));
  await expectOneDigestEach(failures);
});

test('every route, without the state store', async () => {
  const restore = hideTables(join(dataDir, 'data', 'state.db'));
  const [failures, page] = await Promise.all([walk(), fetch(program.listening)]).finally(restore);
  // What the console is made of is known by then.
  expect(page.status).toBe(200);
  expect(failures.length).toBeGreaterThan(40);
  expect(failures.map(({ request }) => request)).toEqual(
    expect.arrayContaining([
      'GET /api/0/setup',
      'POST /api/auth/sign-in/email',
      'POST /api/:project/envelope',
      'POST /monitoring',
    ]),
  );
  await expectOneDigestEach(failures);
});

test('the shell of the console: the screen itself, under a policy, for the host that was asked for', async () => {
  const page = await fetch(`${program.listening}/issues`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toMatch(/data-dsn="http:\/\/[0-9a-f]{32}@localhost:\d+\/\d+"/);

  await rm(join(dataDir, 'console', 'index.html'));
  const failed = await fetch(`${program.listening}/issues`, { headers: { accept: 'text/html,*/*' } });
  const html = await failed.text();
  const digest = failed.headers.get('x-error-digest') ?? '';
  expect(failed.status).toBe(503);
  expect(html).toContain(
    'Application error: a server-side exception has occurred while loading 127.0.0.1 (see the server logs for more information).',
  );
  expect(html).toContain(`Digest: ${digest}`);
  expect(failed.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(failed.headers.get('cache-control')).toBe('no-store');

  await mkdir(join(dataDir, 'console', 'index.html'));
  const unreadable = await program.app.inject({
    url: '/issues/WEB-1',
    headers: { accept: 'text/html', host: 'shop.example.com:8443' },
  });
  expect(unreadable.statusCode).toBe(500);
  expect(unreadable.body).toContain('while loading shop.example.com (see the server logs');
  const hostile = await program.app.inject({
    url: '/issues/WEB-1',
    headers: { accept: 'text/html', host: '"><script>alert(1)</script>' },
  });
  expect(hostile.statusCode).toBe(500);
  expect(hostile.body).not.toContain('alert(1)');
  for (const answer of [unreadable, hostile]) {
    expect(answer.body).toContain(`Digest: ${String(answer.headers['x-error-digest'])}`);
  }
  const asProgram = await fetch(`${program.listening}/issues`);
  expect(asProgram.headers.get('content-type')).toContain('application/problem+json');
  const asHeader = await fetch(`${program.listening}/issues`, { method: 'HEAD' });
  expect(asHeader.headers.get('x-error-digest')).toMatch(/^\d{1,10}$/);
  await expectOneDigestEach([{ request: 'GET /issues', status: 503, header: digest, body: html }]);
});

/** Those that a browser sends. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Asks every route once, and returns those that the server failed. */
async function walk(): Promise<Failure[]> {
  const values: Readonly<Record<string, string>> = {
    org: installed.organization,
    project: installed.project,
    issue: 'WEB-1',
    event: 'latest',
  };
  // One that ingestion has not looked up before.
  const unknownKey = newEventId();
  const failures: Failure[] = [];
  const apps = [program.app, await program.pages?.()].filter((app) => app !== undefined);
  for (const { method, url: pattern } of apps.flatMap((app) => routesOf(app))) {
    if (!methods.has(method)) continue;
    const url = pattern === '/api/auth/*' ? '/api/auth/sign-in/email' : pattern;
    const ingest = /^\/api\/(?::project\/)?(?:envelope|store|security|csp-report)|^\/monitoring/.test(url);
    const deletes = method === 'DELETE' && url.endsWith('/:project');
    const path = (deletes ? url.replace(':project', 'doomed') : url)
      .replace(/:(\w+)/g, (_, name: string) => (ingest ? '1' : (values[name] ?? '999999')))
      .replace('*', 'some/page');
    const signIn = url.startsWith('/api/auth/');
    const unknown = `${JSON.stringify({ dsn: `http://${unknownKey}@localhost/1` })}\n{"type":"event"}\n{}\n`;
    const answer = await fetch(`${program.listening}${path}`, {
      method,
      headers: ingest
        ? { 'x-sentry-auth': `Sentry sentry_key=${unknownKey}` }
        : {
            'content-type': 'application/json',
            ...(signIn ? { origin: program.listening } : { authorization: `Bearer ${installed.token}` }),
          },
      ...(['GET', 'HEAD'].includes(method)
        ? {}
        : { body: ingest ? unknown : signIn ? JSON.stringify({ email: owner.email, password: 'not this' }) : '{}' }),
      signal: AbortSignal.timeout(20_000),
    }).catch((error: unknown) => {
      throw new Error(`${method} ${url} was not answered`, { cause: error });
    });
    if (answer.status >= 500) {
      const header = answer.headers.get('x-error-digest');
      failures.push({ request: `${method} ${url}`, status: answer.status, header, body: await answer.text() });
    } else {
      await answer.body?.cancel();
    }
  }
  return failures;
}

async function expectOneDigestEach(failures: readonly Failure[]): Promise<void> {
  for (const { request, header, body } of failures) {
    expect([request, header]).toEqual([request, expect.stringMatching(/^\d{1,10}$/)]);
    const shown = body.startsWith('{')
      ? (JSON.parse(body) as { digest?: string }).digest
      : /Digest: (\d+)/.exec(body)?.[1];
    if (!request.startsWith('HEAD ')) expect([request, shown]).toEqual([request, header]);
    const line = lines.find(({ digest }) => digest === header);
    expect([request, line?.err?.stack]).toEqual([request, expect.stringContaining('at ')]);
  }
  const wanted = new Set(failures.map(({ header }) => String(header)));
  await until(
    `${wanted.size} digests are reported`,
    async () => {
      const found = await digestsOf('culprit');
      return [...wanted].every((digest) => found.has(digest));
    },
    () => digestsOf('culprit').then((found) => [...wanted].filter((digest) => !found.has(digest))),
  );
}

async function digestsOf(project: string): Promise<Set<string>> {
  const found = new Set<string>();
  let url: string | undefined = `${program.listening}/api/0/projects/acme/${project}/events/?limit=100`;
  while (url) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${installed.token}` } });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    for (const { digest } of (await answer.json()) as { digest: string | null }[]) if (digest) found.add(digest);
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(answer.headers.get('link') ?? '')?.[1];
    url = next && `${program.listening}${new URL(next).pathname}${new URL(next).search}`;
  }
  return found;
}

async function send(): Promise<void> {
  const url = new URL(envelopeUrl(installed.dsn));
  const { status } = await fetch(`${program.listening}${url.pathname}${url.search}`, {
    method: 'POST',
    body: errorEnvelope(newEventId()),
  });
  expect(status).toBe(200);
}

async function issues(): Promise<unknown[]> {
  const url = `${program.listening}/api/0/projects/acme/web/issues/`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${installed.token}` } });
  return answer.ok ? ((await answer.json()) as unknown[]) : [];
}

async function until(
  what: string,
  probe: () => Promise<boolean>,
  tell: () => Promise<unknown> = async () => lines.slice(-5),
): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await probe().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}; ${JSON.stringify(await tell())}`);
    // Each look reads all that is reported, and keeps the machine from what is waited for.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The tables as they were, under other names; the returned function gives them back. */
function hideTables(file: string): () => void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON');
  const names = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map((row) => String(row['name']));
  for (const name of names) db.exec(`ALTER TABLE "${name}" RENAME TO "${name}_away"`);
  return () => {
    for (const name of names) db.exec(`ALTER TABLE "${name}_away" RENAME TO "${name}"`);
    db.close();
  };
}

interface Cable {
  readonly port: number;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Passes bytes on to a port of this machine, unless it is cut. */
async function openCable(to: number): Promise<Cable> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: TcpServer = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const other = connect(to, '127.0.0.1');
    for (const end of [socket, other]) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => sockets.delete(end));
    }
    socket.pipe(other).pipe(socket);
    socket.on('close', () => other.destroy());
    other.on('close', () => socket.destroy());
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
