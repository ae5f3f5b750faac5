/** A running installation moves to other stores while events come; the command is killed on the way, and run again. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Events, EventsAddress } from '../src/ports/events/events.ts';
import { connectEvents, parseEventsUrl } from '../src/ports/events/open.ts';
import { payloadColumns, type PayloadColumns, withPayloads } from '../src/ports/events/payload-rows.ts';
import { testErrorRow } from '../src/ports/events/test-rows.ts';
import { startEngine } from '../src/ports/events/supervisor.ts';
import { sharedPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { culprit, endurance, envelopeUrl, errorEnvelope, freePort, newEventId, owner, Server } from './harness.ts';
import { startLoad } from './load.ts';
import { startNats } from './nats/server.ts';
import { sharedS3 } from './s3/server.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-move-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Where the command is killed, ms after its start; each run goes on where the one before was. */
const kills = endurance ? [500, 1_500, 2_500, 3_500, 4_500, 6_000, 8_000] : [2_500];

interface Places extends AsyncDisposable {
  readonly state: string;
  readonly events: string;
  readonly blobs: string;
}

async function openPlaces(): Promise<Places> {
  const engine = await startEngine({ dataDir: await mkdtemp(join(root, 'clickhouse-')) });
  const { url, username, password, database } = engine.address;
  const events = new URL(`/${database}`, url);
  Object.assign(events, { username, password });
  return {
    state: await (await sharedPostgres()).createDatabase(),
    events: events.href,
    blobs: await (await sharedS3()).bucket(),
    [Symbol.asyncDispose]: () => engine.stop(),
  };
}

interface Report {
  readonly startedAt: number;
  readonly movedAt: number;
  readonly frozenMs: number;
  readonly state: { readonly rows: number };
  readonly events: { readonly rows: number; readonly differences: readonly unknown[] };
}

const listOf = (server: Server, path: string) => server.api<readonly Record<string, unknown>[]>(path);

/** What people see, in the order of the ids: the numbers of what still comes left out. */
async function seen(server: Server) {
  const { organization, project } = server.installed;
  const issues = await listOf(server, `/organizations/${organization}/issues/?query=&statsPeriod=24h&limit=100`);
  const keys = await listOf(server, `/projects/${organization}/${project}/keys/`);
  const one = issues.toSorted(byId)[0];
  return {
    issues: issues.map(({ id, shortId, title, status }) => ({ id, shortId, title, status })).toSorted(byId),
    keys: keys.map(({ dsn }) => dsn),
    comments: one ? await listOf(server, `/issues/${String(one.id)}/comments/`) : [],
  };
}
const byId = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): number =>
  Number(a['id']) - Number(b['id']);

async function signIn(server: Server): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(owner),
  });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Each acknowledged event once, with its payload; counts by hour and outcomes say the same. Resolves to their ids. */
async function expectOnce(events: Events, acknowledged: ReadonlySet<string>): Promise<readonly string[]> {
  const rows = await events.query<PayloadColumns & { event_id: string }>(
    `SELECT event_id, ${payloadColumns} FROM errors`,
  );
  const ids = new Set(rows.map((row) => row.event_id));
  const lost = [...acknowledged].flatMap((id, at) => (ids.has(id) ? [] : [at]));
  expect({ of: acknowledged.size, lost, doubled: rows.length - ids.size }).toMatchObject({ lost: [], doubled: 0 });
  for (const { event_id, payload } of await withPayloads(events, rows)) {
    expect(JSON.parse(payload)).toMatchObject({ event_id });
  }
  const [sums] = await events.query<{ hours: number; outcomes: number }>(
    `SELECT (SELECT sum(events) FROM issue_hours) AS hours,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'accepted' AND category = 'error') AS outcomes`,
  );
  expect(sums).toEqual({ hours: rows.length, outcomes: rows.length });
  return [...ids];
}

/** Issues of several kinds, a comment, somebody who is signed in; resolves to what is then seen, and the cookie. */
async function prepare(source: Server) {
  for (const name of ['CartError', 'PriceError', 'StockError']) {
    const exception = {
      values: [{ type: name, value: name, stacktrace: { frames: [{ function: name, in_app: true }] } }],
    };
    const body = errorEnvelope(newEventId(), { exception });
    expect((await fetch(envelopeUrl(source.installed.dsn), { method: 'POST', body })).status).toBe(200);
  }
  await source.until('the first issues', async () => (await seen(source)).issues.length >= 4);
  const cookie = await signIn(source);
  const [first] = (await seen(source)).issues;
  const path = `/issues/${String(first?.id)}/`;
  await source.api(`${path}comments/`, { method: 'POST', body: '{"text":"seen before"}' });
  return { cookie, path, before: await seen(source) };
}

async function expectSignedIn(server: Server, cookie: string, organization: string): Promise<void> {
  const response = await fetch(`${server.url}/api/0/organizations/`, { headers: { cookie } });
  expect([response.status, await response.json()]).toMatchObject([200, [{ slug: organization }]]);
}

/** Killed on the way, and run again. */
async function moveAway(source: Server, targets: readonly string[], path: string): Promise<Report> {
  const settings = { CULPRIT_DATA_DIR: source.dataDir };
  const dry = await culprit(['move', '--to', ...targets, '--dry-run', '--json'], settings);
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  for (const killAfterMs of kills) await culprit(['move', '--to', ...targets], settings, '', { killAfterMs });
  // Whoever is left alone works on.
  await source.api(path, { method: 'PUT', body: '{"isBookmarked":true}' });
  const moved = await culprit(['move', '--to', ...targets, '--json'], settings);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(moved.stdout) as Report;
  expect(report.events).toMatchObject({ differences: [] });
  console.info(`changes waited for ${report.frozenMs} ms, ${report.events.rows} rows of events`);
  return report;
}

test('to all four stores and back; the old server accepts until it is stopped', async () => {
  await using places = await openPlaces();
  await using nats = await startNats();
  const logUrl = nats.url();
  await using source = await Server.create();
  const load = startLoad(source, 4, 20);
  const { cookie, path, before } = await prepare(source);
  const settings = {
    CULPRIT_STATE_URL: places.state,
    CULPRIT_EVENTS_URL: places.events,
    CULPRIT_BLOBS_URL: places.blobs,
    CULPRIT_LOG_URL: logUrl,
    CULPRIT_KEY_FILE: join(source.dataDir, 'secret.key'),
  };
  const targets = [places.state, places.events, places.blobs, logUrl];
  await moveAway(source, targets, path);
  const late = load.acknowledged.size;
  await using target = source.like({ ...settings, CULPRIT_DATA_DIR: join(root, 'node'), ...(await elsewhere()) });
  await target.start();
  await source.until('the old server accepts', () => load.acknowledged.size > late + 20);
  const refused = await fetch(`${source.url}/api/0/organizations/`, { headers: { cookie } });
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'MOVED' }]);
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  await source.stop();
  await target.drained();
  expect(await seen(target)).toMatchObject(before);
  await expectSignedIn(target, cookie, source.installed.organization);
  await using events = connectEvents(parseEventsUrl(places.events));
  const ids = await expectOnce(events, load.acknowledged);

  await target.stop();
  const dir = join(root, 'back');
  const back = await culprit(['move', '--to', dir, '--json'], { ...settings, CULPRIT_DATA_DIR: join(root, 'node') });
  expect(back).toMatchObject({ code: 0, stderr: '' });
  await expect(target.start()).rejects.toThrow('has moved to');
  await using returned = source.like({ CULPRIT_DATA_DIR: dir, CULPRIT_KEY_FILE: settings.CULPRIT_KEY_FILE });
  await returned.start();
  expect(await seen(returned)).toMatchObject(before);
  await expectSignedIn(returned, cookie, source.installed.organization);
  const running = JSON.parse(await readFile(join(dir, 'running.json'), 'utf8')) as { events: EventsAddress };
  await using here = connectEvents(running.events);
  expect((await expectOnce(here, load.acknowledged)).length).toBe(ids.length);
  const { organization } = source.installed;
  const event = await returned.api<{ groupId: string }>(`/organizations/${organization}/eventids/${ids[0]}/`);
  expect(event.groupId).toBeTruthy();
}, 300_000);

/** Another port than that of the server that runs. */
async function elsewhere() {
  return { CULPRIT_PORT: String(await freePort()) };
}

test.runIf(endurance)(
  'to some of the stores: the server stops, and is started again with them',
  async () => {
    await using places = await openPlaces();
    await using source = await Server.create();
    const load = startLoad(source, 4, 20);
    const { cookie, path, before } = await prepare(source);
    await moveAway(source, [places.state, places.events, places.blobs], path);
    await load.stop();
    await source.until('the server has stopped', async () => !(await fetch(source.url).catch(() => undefined)));
    await expect(source.start()).rejects.toThrow('has moved to');
    await using target = source.like({
      CULPRIT_STATE_URL: places.state,
      CULPRIT_EVENTS_URL: places.events,
      CULPRIT_BLOBS_URL: places.blobs,
    });
    await target.start();
    await target.drained();
    expect(await seen(target)).toMatchObject(before);
    await expectSignedIn(target, cookie, source.installed.organization);
    await using events = connectEvents(parseEventsUrl(places.events));
    await expectOnce(events, load.acknowledged);
  },
  300_000,
);

const storedAtOnce = 2_000;

/** Events of many issues, with payloads of about 2 kB in their rows. */
async function fill(events: Events, count: number): Promise<void> {
  const now = Date.now();
  for (let stored = 0; stored < count; stored += storedAtOnce) {
    const rows = Array.from({ length: storedAtOnce }, (_, index) => {
      const id = (stored + index).toString(16).padStart(32, '0');
      return testErrorRow({
        project_id: 1,
        event_id: id,
        group_hash: (index % 500).toString(16).padStart(32, '0'),
        timestamp: now - stored * 30,
        user: `id:${index % 1_000}`,
        payload: JSON.stringify({ event_id: id, extra: `${id} `.repeat(60) }),
        facts: '{}',
      });
    });
    await events.insert('errors', rows, `fill ${stored}`);
  }
}

test.runIf(endurance)(
  'changes wait for less than five seconds with 200,000 events',
  async () => {
    await using places = await openPlaces();
    await using source = await Server.create();
    await using own = await source.events();
    await fill(own, 200_000);
    const load = startLoad(source, 2, 50);
    const moved = await culprit(['move', '--to', places.state, places.events, '--json'], {
      CULPRIT_DATA_DIR: source.dataDir,
    });
    await load.stop();
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    const { frozenMs, startedAt, movedAt } = JSON.parse(moved.stdout) as Report;
    console.info(`200,000 events: ${(movedAt - startedAt) / 1_000} s, changes waited for ${frozenMs} ms`);
    expect(frozenMs).toBeLessThan(5_000);
  },
  600_000,
);

test.runIf(endurance)(
  'a server that is killed while it is left, or just before, goes on with what it was',
  async () => {
    await using places = await openPlaces();
    await using source = await Server.create();
    const settings = { CULPRIT_DATA_DIR: source.dataDir };
    const load = startLoad(source, 2, 20);
    const move = () => culprit(['move', '--to', places.state, places.events, '--json'], settings);
    let moved: Awaited<ReturnType<typeof move>> | undefined;
    for (let afterMs = 2_000; moved?.code !== 0; afterMs += 1_500) {
      const running = move();
      await Promise.race([running, delay(afterMs)]);
      if (afterMs < 12_000) await source.kill();
      moved = await running;
      if (moved.code !== 0 && !(await hasMoved(source))) await source.start();
      if (await hasMoved(source)) break;
    }
    if (moved.code !== 0) moved = await move();
    expect(moved.code).toBe(0);
    await load.stop();
    await source.stop();
    await using target = source.like({ CULPRIT_STATE_URL: places.state, CULPRIT_EVENTS_URL: places.events });
    await target.start();
    await target.drained();
    await using events = connectEvents(parseEventsUrl(places.events));
    const rows = await events.query<{ id: string }>('SELECT event_id AS id FROM errors');
    const ids = new Set(rows.map(({ id }) => id));
    expect([...load.acknowledged].filter((id) => !ids.has(id))).toEqual([]);
    expect(rows.length).toBe(ids.size);
  },
  600_000,
);

const hasMoved = async ({ dataDir }: Server): Promise<boolean> => existsSync(join(dataDir, 'moved.json'));
