/** Moving in from a real Bugsink into a real Culprit on PostgreSQL, while one thing after another goes wrong. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sharedPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { culprit, endurance, Server } from './harness.ts';
import { Bugsink } from './imports/bugsink.ts';
import { importInto } from './imports/moved.ts';
import { Turnstile } from './imports/turnstile.ts';

/** Of four issues; four are from more than a year ago. */
const events = endurance ? 48 : 16;
const kept = events - 4;
/** Requests for single events, of which that many are asked for at least. */
const kills = endurance ? [5, 40, 60] : [3, 9];
const inTheMidst = endurance ? 20 : 6;

let server: Server;
let bugsink: Bugsink;
let turnstile: Turnstile;
let stateUrl: string;
let sends = 0;

beforeAll(async () => {
  stateUrl = await (await sharedPostgres()).createDatabase();
  // A log that is full after some of the events.
  const limit = endurance ? '60k' : '20k';
  const settings = { CULPRIT_STATE_URL: stateUrl, CULPRIT_SELF_REPORT: 'off', CULPRIT_LOG_MAX_BYTES: limit };
  [server, bugsink] = await Promise.all([Server.create(settings), Bugsink.start()]);
  turnstile = await Turnstile.before(bugsink.url);
}, 240_000);
afterEach(() => turnstile.reset());
afterAll(async () => {
  await turnstile?.[Symbol.asyncDispose]();
  await bugsink?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const environment = () => ({ CULPRIT_STATE_URL: stateUrl });
const moveIn = (...more: string[]) =>
  importInto(server, ['bugsink', '--url', turnstile.url, ...more], bugsink.token, environment());

async function send(): Promise<void> {
  await bugsink.send(events);
  sends += 1;
}

/** As `culprit import status` tells it. */
async function status(): Promise<string> {
  const { stdout } = await culprit(['import', 'status'], { CULPRIT_DATA_DIR: server.dataDir, ...environment() });
  return stdout;
}

/** Of the engine: the server has no other child. */
async function enginePid(): Promise<number> {
  const tasks = `/proc/${server.pid}/task`;
  const threads = await readdir(tasks);
  const children = threads.map((thread) => readFile(`${tasks}/${thread}/children`, 'utf8').catch(() => ''));
  return Number((await Promise.all(children)).find((pids) => pids !== '')?.split(' ')[0]);
}

/** Each event that was sent so far, once; the issues with their comments and their origin, once. */
async function expectAllOnce(): Promise<void> {
  await using store = await server.events();
  const rows = await store.query<{ id: string; n: string }>(
    'SELECT event_id AS id, count() AS n FROM errors GROUP BY event_id',
  );
  expect(rows.filter(({ n }) => Number(n) !== 1)).toEqual([]);
  expect(rows).toHaveLength(sends * kept);
  const issues = await server.api<{ id: string }[]>('/projects/acme/web-shop/issues/?query=&statsPeriod=90d');
  expect(issues).toHaveLength(4);
  for (const { id } of issues) {
    const { activity } = await server.api<{ activity: { type: string }[] }>(`/organizations/acme/issues/${id}/`);
    expect(activity.map(({ type }) => type).toSorted()).toEqual(['imported', 'note']);
  }
}

test('kill -9 again and again: it goes on by itself, nothing comes twice, nothing is missing', async () => {
  await send();
  for (const { id } of await bugsink.issues())
    await bugsink.api('issue-comments/', { issue: id, comment: 'We know of it.' });
  const killed: number[] = [];
  for (const number of kills) {
    turnstile.at(number, async () => {
      killed.push(number);
      await server.kill();
      await server.start({ ready: false });
    });
  }
  const { code, outcome } = await moveIn();
  expect({ code, state: outcome?.state, detail: outcome?.detail }).toEqual({ code: 0, state: 'done', detail: '' });
  expect(killed.length).toBeGreaterThan(1);
  await expectAllOnce();
});

// It waits as long as it is told to.
test.runIf(endurance)(
  'the tracker limits the rate, and is away for a while: it waits, says so, and goes on',
  async () => {
    await send();
    turnstile.refusals = 3;
    let said = '';
    turnstile.at(inTheMidst, async () => {
      await bugsink.stop();
      void server
        .until('it is said', async () => (said = await status()).includes('does not respond'))
        .finally(() => bugsink.resume());
    });
    const { outcome } = await moveIn();
    expect(outcome).toMatchObject({ state: 'done', detail: '', report: { kinds: { event: { made: kept } } } });
    expect(said).toMatch(/: running\n.*The tracker does not respond\. Next attempt in \d+ s\./s);
    await expectAllOnce();
  },
);

test.runIf(endurance)('a log that is full: it waits, says so, and goes on once there is room', async () => {
  await send();
  let said = '';
  turnstile.at(1, async () => {
    const pid = await enginePid();
    process.kill(pid, 'SIGSTOP');
    void server
      .until('it is said', async () => (said = await status()).includes('log of Culprit is full'))
      .finally(() => process.kill(pid, 'SIGCONT'));
  });
  const { outcome } = await moveIn();
  expect(outcome).toMatchObject({ state: 'done', detail: '', report: { kinds: { event: { made: kept } } } });
  expect(said).toMatch(/: running\n.*log of Culprit is full/s);
  await expectAllOnce();
});

// One that ends half way is tested in each run with Sentry (`import-sentry.test.ts`).
test.runIf(endurance)(
  'a token that is revoked: the import says so, and --resume with another one brings the rest',
  async () => {
    await send();
    const model = 'from bsmain.models import AuthToken\n';
    turnstile.at(inTheMidst, () => bugsink.shell(`${model}AuthToken.objects.all().delete()`));
    const broken = await moveIn();
    expect(broken).toMatchObject({ code: 1, outcome: { state: 'failed' } });
    expect(broken.outcome?.detail).toMatch(/token is wrong, expired or revoked.*new one/);
    const token = await bugsink.shell(`${model}print(AuthToken.create_full_access().token)`);
    const words = ['bugsink', '--url', turnstile.url, '--resume'];
    const { outcome, stderr } = await importInto(server, words, token, environment());
    expect({ state: outcome?.state, detail: outcome?.detail, stderr }).toEqual({
      state: 'done',
      detail: '',
      stderr: '',
    });
    await expectAllOnce();
  },
);
