/** What the running program tells of itself: the project for it, the way through /monitoring, and the switch. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, errorEnvelope, newEventId, Server } from './harness.ts';

interface Event {
  readonly id: string;
  readonly title: string;
  readonly traceId: string | null;
  readonly digest: string | null;
  readonly level: string;
}

/** Makes the server throw where nothing catches it, when it is told so. */
const accident = `process.on('SIGUSR2', () => { throw new TypeError('bad luck'); })`;

let server: Server;

const self = async (at: Server): Promise<{ consoleDsn?: string }> =>
  (await (await fetch(`${at.url}/api/0/`)).json()) as { consoleDsn?: string };
const eventsOf = (project: string): Promise<Event[]> =>
  server.api<Event[]>(`/projects/${server.installed.organization}/${project}/events/`);

beforeAll(async () => {
  const code = Buffer.from(accident).toString('base64');
  server = await Server.create({
    CULPRIT_SELF_REPORT: 'on',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=data:text/javascript;base64,${code}`.trim(),
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test('an installation that was set up before has the project after its next start, marked and last', async () => {
  const { organization, project } = server.installed;
  const { consoleDsn = '' } = await self(server);
  expect(consoleDsn).toMatch(new RegExp(`^http://[0-9a-f]{32}@127\\.0\\.0\\.1:${server.port}/\\d+$`));
  const projects = await server.api<{ slug: string; isInternal: boolean; dsn: string; firstEvent: string | null }[]>(
    `/organizations/${organization}/projects/`,
  );
  expect(projects.map(({ slug, isInternal }) => [slug, isInternal])).toEqual([
    [project, false],
    ['culprit', true],
  ]);
  expect(projects.map(({ firstEvent }) => firstEvent === null)).toEqual([true, false]);
  expect(projects[1]?.dsn).toBe(consoleDsn);
  // Made for the address under which it is asked.
  const forwarded = await fetch(`${server.url}/api/0/`, {
    headers: { 'x-forwarded-host': 'culprit.example.com', 'x-forwarded-proto': 'https' },
  });
  expect(((await forwarded.json()) as { consoleDsn: string }).consoleDsn).toMatch(
    /^https:\/\/[0-9a-f]{32}@culprit\.example\.com\/\d+$/,
  );
});

describe('through /monitoring', () => {
  const post = async (dsn: string, headers: Record<string, string>): Promise<{ id: string; answer: Response }> => {
    const id = newEventId();
    const [, ...rest] = errorEnvelope(id, { platform: 'javascript' }).split('\n');
    const header = JSON.stringify({ event_id: id, sent_at: new Date().toISOString(), dsn });
    const body = new TextEncoder().encode([header, ...rest].join('\n'));
    return { id, answer: await fetch(`${server.url}/monitoring`, { method: 'POST', headers, body }) };
  };

  test('whatever content type a browser gives it, with the page as origin, and cookies that mean nothing', async () => {
    const { consoleDsn = '' } = await self(server);
    const ids: string[] = [];
    for (const type of ['text/plain;charset=UTF-8', 'application/x-sentry-envelope', 'application/json', 'odd', '']) {
      const { id, answer } = await post(consoleDsn, {
        ...(type && { 'content-type': type }),
        origin: server.url,
        cookie: 'culprit.session_token=x',
        'sec-fetch-site': 'same-origin',
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-sentry-error')).toBeNull();
      ids.push(id);
    }
    await server.until('all are there', async () => {
      const events = new Set((await eventsOf('culprit')).map(({ id }) => id));
      return ids.every((id) => events.has(id));
    });
  });

  test("a limit is passed back in the SDK's words", async () => {
    const { organization } = server.installed;
    const { consoleDsn = '' } = await self(server);
    const [key] = await server.api<{ id: string }[]>(`/projects/${organization}/culprit/keys/`);
    const limit = (rateLimit: object | null): Promise<unknown> =>
      server.api(`/projects/${organization}/culprit/keys/${key?.id}/`, {
        method: 'PUT',
        body: JSON.stringify({ rateLimit }),
      });
    await limit({ count: 1, window: 86_400 });
    await post(consoleDsn, {});
    const { answer } = await post(consoleDsn, {});
    expect(answer.status).toBe(429);
    expect(answer.headers.get('x-sentry-rate-limits')).toMatch(/^\d+:[^:]*error[^:]*:key/);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await limit(null);
  });

  test('a DSN that is none of ours goes nowhere', async () => {
    const foreign = await post(`http://${'f'.repeat(32)}@o1.ingest.example.com/1`, {});
    expect(foreign.answer.status).toBe(403);
  });
});

test('an engine that dies is reported once it is back', async () => {
  const pids = await childrenOf(server.pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const event = await server.until('it is reported', async () =>
    (await eventsOf('culprit')).find(({ title }) => title.includes('the events engine stopped')),
  );
  expect(event.level).toBe('error');
  expect(server.output).toContain(`"digest":"${event.digest}"`);
});

test('a crash is reported before the process ends', async () => {
  const { pid } = server;
  process.kill(pid, 'SIGUSR2');
  await server.until('it has ended', async () => !(await childExists(pid)));
  await server.start();
  const event = await server.until('it is reported', async () =>
    (await eventsOf('culprit')).find(({ title }) => title === 'TypeError: bad luck'),
  );
  expect(event.level).toBe('fatal');
  expect(server.output).toContain(`"digest":"${event.digest}"`);
});

test('switched off: nothing is made, nothing is offered, and failures still have a digest in the log', async () => {
  await using quiet = await Server.create({
    CULPRIT_SELF_REPORT: 'off',
    CULPRIT_CONSOLE_DIR: '/nonexistent',
  });
  expect(await self(quiet)).not.toHaveProperty('consoleDsn');
  const projects = await quiet.api<{ slug: string }[]>(`/organizations/${quiet.installed.organization}/projects/`);
  expect(projects.map(({ slug }) => slug)).toEqual([quiet.installed.project]);
  const page = await fetch(quiet.url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toMatch(/Digest: \d+<\/p>\n<\/div>\n<p><a/);
  await quiet.until('the line', async () =>
    quiet.output.includes(`"digest":"${String(page.headers.get('x-error-digest'))}"`),
  );
  await quiet.drained();
  const environment = { CULPRIT_DATA_DIR: quiet.dataDir, CULPRIT_SELF_REPORT: 'off' };
  const config = await culprit(['config', '--json'], environment);
  expect(JSON.parse(config.stdout)).toMatchObject({ CULPRIT_SELF_REPORT: 'off' });
  const doctor = await culprit(['doctor'], environment);
  expect(doctor.stdout).toMatch(/^ok {7}self-report +off/m);
});

/** False also for one that has ended and is not yet taken note of. */
async function childExists(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^State:\t[^ZX]/m.test(status);
}

/** Pids of the processes that a process started. */
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return /^PPid:\t(\d+)$/m.exec(status)?.[1] === String(parent) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
