/** What tests of `culprit move` share: where to, what is sent before, what must be there afterwards. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import type { Events } from '../src/ports/events/events.ts';
import { connectEvents, parseEventsUrl } from '../src/ports/events/open.ts';
import { startEngine } from '../src/ports/events/supervisor.ts';
import { payloadColumns, type PayloadColumns, withPayloads } from '../src/ports/events/payload-rows.ts';
import { sharedPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { culpritRuns, guideText } from './guides.ts';
import { culprit, envelopeUrl, errorEnvelope, freePort, newEventId, owner, Server } from './harness.ts';
import { startLoad } from './load.ts';
import { startNats } from './nats/server.ts';
import { sharedS3 } from './s3/server.ts';

export interface Places extends AsyncDisposable {
  /** For data directories, gone with the rest. */
  readonly dir: string;
  readonly state: string;
  readonly events: string;
  readonly blobs: string;
  readonly log: string;
}

export async function openPlaces(): Promise<Places> {
  await using opened = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'culprit-move-'));
  opened.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const [engine, postgres, s3, nats] = await Promise.all([
    startEngine({ dataDir: join(dir, 'clickhouse') }),
    sharedPostgres(),
    sharedS3(),
    startNats(),
  ]);
  opened.use(nats);
  opened.defer(() => engine.stop());
  const { url, username, password, database } = engine.address;
  const events = new URL(`/${database}`, url);
  Object.assign(events, { username, password });
  const closing = opened.move();
  return {
    dir,
    state: await postgres.createDatabase(),
    events: events.href,
    blobs: await s3.bucket(),
    log: nats.url(),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export interface Report {
  readonly startedAt: number;
  readonly movedAt: number;
  readonly frozenMs: number;
  readonly state: { readonly rows: number };
  readonly events: { readonly rows: number; readonly differences: readonly unknown[] };
}

const listOf = (server: Server, path: string) => server.api<readonly Record<string, unknown>[]>(path);

/** What people see, in the order of the ids: the numbers of what still comes left out. */
export async function seen(server: Server) {
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
export async function expectOnce(events: Events, acknowledged: ReadonlySet<string>): Promise<readonly string[]> {
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

const traceId = newEventId();

/** A file with an event, spans and log entries. */
async function sendOthers(dsn: string): Promise<void> {
  const id = newEventId();
  const text = 'a line of a log\n'.repeat(5_000);
  const at = Date.now() / 1_000;
  const trace = { trace_id: traceId, span_id: '0123456789abcdef', op: 'http.server' };
  const span = (index: number) => ({
    trace_id: traceId,
    span_id: String(index).padStart(16, 'a'),
    parent_span_id: trace.span_id,
    op: 'function',
    description: `step ${index}`,
    start_timestamp: at - 0.9 + index / 100,
    timestamp: at - 0.8 + index / 100,
    data: { rows: index },
  });
  const transaction = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: 'GET /cart',
    start_timestamp: at - 1,
    timestamp: at,
    platform: 'node',
    contexts: { trace },
    spans: Array.from({ length: 20 }, (_, index) => span(index)),
  };
  const entry = (index: number) => ({
    timestamp: at + index / 1_000,
    trace_id: traceId,
    level: 'info',
    body: `entry ${index}`,
    attributes: { order: { value: index, type: 'integer' } },
  });
  const items = Array.from({ length: 20 }, (_, index) => entry(index));
  const logs = { type: 'log', item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' };
  const file = { type: 'attachment', filename: 'app.log', content_type: 'text/plain', length: text.length };
  const lines = (...parts: readonly (object | string)[]): string =>
    `${parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n')}\n`;
  for (const body of [
    errorEnvelope(id).trimEnd() + '\n' + lines(file, text),
    lines({ event_id: transaction.event_id }, { type: 'transaction' }, transaction),
    lines({}, logs, { items }),
  ])
    expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).status).toBe(200);
}

/** Spans, log entries and kept items, each column of each; the files of events, and what pages say of the trace. */
export async function others(server: Server, events: Events) {
  const { organization, project, token } = server.installed;
  const rows = async (table: string): Promise<Record<string, unknown>[]> => {
    const found = await events.query<Record<string, unknown>>(`SELECT * FROM ${table}`);
    return found.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  };
  const items = await rows('items');
  const files: Record<string, string> = {};
  for (const { event_id: event } of items) {
    const path = `/projects/${organization}/${project}/events/${String(event)}/attachments/`;
    for (const { id, name } of await server.api<{ id: string; name: string }[]>(path)) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.url}/api/0${path}${id}/?download`, { headers });
      files[name] = await answer.text();
    }
  }
  const trace = await server.api<unknown>(`/organizations/${organization}/trace/${traceId}/`);
  return { spans: await rows('spans'), logs: await rows('logs'), items, files, trace };
}

/** Issues of several kinds, a comment, somebody who is signed in; resolves to what is then seen, and the cookie. */
export async function prepare(source: Server) {
  for (const name of ['CartError', 'PriceError', 'StockError']) {
    const exception = {
      values: [{ type: name, value: name, stacktrace: { frames: [{ function: name, in_app: true }] } }],
    };
    const body = errorEnvelope(newEventId(), { exception });
    expect((await fetch(envelopeUrl(source.installed.dsn), { method: 'POST', body })).status).toBe(200);
  }
  await sendOthers(source.installed.dsn);
  await source.until('the first issues', async () => (await seen(source)).issues.length >= 4);
  const cookie = await signIn(source);
  const [first] = (await seen(source)).issues;
  const path = `/issues/${String(first?.id)}/`;
  await source.api(`${path}comments/`, { method: 'POST', body: '{"text":"seen before"}' });
  await using events = await source.events();
  const sent = await source.until('what was sent with them', async () => {
    const found = await others(source, events);
    const { spans, logs, items, files } = found;
    const isThere = spans.length === 21 && logs.length === 20 && items.length > 0 && Object.keys(files).length === 1;
    return isThere && found;
  });
  return { cookie, path, before: await seen(source), sent };
}

export async function expectSignedIn(server: Server, cookie: string, organization: string): Promise<void> {
  const response = await fetch(`${server.url}/api/0/organizations/`, { headers: { cookie } });
  expect([response.status, await response.json()]).toMatchObject([200, [{ slug: organization }]]);
}

export interface Trip {
  /** Of the load: how many send, each with a pause after each event, ms. */
  readonly connections: number;
  readonly pauseMs: number;
  readonly kills: readonly Kill[];
  readonly killsBack: readonly Kill[];
}

/** To all four stores and back, while events come; the command is killed on the way, and run again. */
export async function moveThereAndBack({ connections, pauseMs, kills, killsBack }: Trip): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const [places, source] = await Promise.all([openPlaces(), Server.create()]);
  opened.use(places);
  opened.use(source);
  const load = startLoad(source, connections, pauseMs);
  const { cookie, path, before, sent } = await prepare(source);
  const dir = join(places.dir, 'back');
  const [dry, out, back] = culpritRuns(await guideText('move-to-scaled'), {
    STATE_URL: places.state,
    EVENTS_URL: places.events,
    BLOBS_URL: places.blobs,
    LOG_URL: places.log,
    SECRET: (await readFile(join(source.dataDir, 'secret.key'), 'utf8')).trim(),
    DIR: dir,
  });
  if (!dry || !out || !back) throw new Error('the guide lacks a command');
  const settings: Record<string, string> = { ...back.environment, CULPRIT_DATA_DIR: join(places.dir, 'node') };
  const here = { CULPRIT_DATA_DIR: source.dataDir };
  expect(await culprit([...dry.words, '--json'], here)).toMatchObject({ code: 0, stderr: '' });
  await moveAway(source, out.words, { kills, path });
  const late = load.acknowledged.size;
  const target = opened.use(source.like({ ...settings, CULPRIT_PORT: String(await freePort()) }));
  await target.start();
  await source.until('the old server accepts', () => load.acknowledged.size > late);
  const refused = await fetch(`${source.url}/api/0/organizations/`, { headers: { cookie } });
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'MOVED' }]);
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  await source.stop();
  await target.drained();
  expect(await seen(target)).toMatchObject(before);
  await expectSignedIn(target, cookie, source.installed.organization);
  const there = opened.use(connectEvents(parseEventsUrl(places.events)));
  const ids = await expectOnce(there, load.acknowledged);
  expect(await others(target, there)).toEqual(sent);

  await target.stop();
  for (const { when, afterMs } of killsBack) {
    const killWhen = (said: string): boolean => said.includes(when);
    const { code } = await culprit(back.words, settings, '', { killWhen, killAfterMs: afterMs });
    expect(code).not.toBe(0);
  }
  expect(await culprit([...back.words, '--json'], settings)).toMatchObject({ code: 0, stderr: '' });
  await expect(target.start()).rejects.toThrow('has moved to');
  const { CULPRIT_SECRET: secret = '' } = settings;
  const returned = opened.use(source.like({ CULPRIT_DATA_DIR: dir, CULPRIT_SECRET: secret }));
  await returned.start();
  expect(await seen(returned)).toMatchObject(before);
  await expectSignedIn(returned, cookie, source.installed.organization);
  const events = opened.use(await returned.events());
  expect((await expectOnce(events, load.acknowledged)).length).toBe(ids.length);
  expect(await others(returned, events)).toEqual(sent);
  const { organization } = source.installed;
  const event = await returned.api<{ groupId: string }>(`/organizations/${organization}/eventids/${ids[0]}/`);
  expect(event.groupId).toBeTruthy();

  expect(await culprit(['move', '--undo'], here)).toMatchObject({ code: 0, stderr: '' });
  expect(hasMoved(source)).toBe(false);
}

export interface Kill {
  readonly when: string;
  readonly afterMs: number;
}

/**
 * Each run of `culprit WORDS` is killed once it has said that, and the next one goes on where it was; the last one ends.
 * `path`: of an issue that is changed in between.
 */
export async function moveAway(
  source: Server,
  words: readonly string[],
  { kills, path }: { readonly kills: readonly Kill[]; readonly path: string },
): Promise<Report | undefined> {
  const settings = { CULPRIT_DATA_DIR: source.dataDir };
  let killed = 0;
  for (const { when, afterMs } of kills) {
    const killWhen = (said: string): boolean => said.includes(when);
    const { code } = await culprit(words, settings, '', { killWhen, killAfterMs: afterMs });
    killed++;
    // Whoever is left alone works on, but for one that has moved already.
    const change = { method: 'PUT', body: '{"isBookmarked":true}' };
    await source.until('changes are taken', () => hasMoved(source) || source.api(path, change));
    if (hasMoved(source)) break;
    expect(code).not.toBe(0);
  }
  const moved = await culprit([...words, '--json'], settings);
  expect(moved).toMatchObject({ code: 0, stderr: '' });
  // One that is killed after the last stage has nothing left to report to the next.
  const report = JSON.parse(moved.stdout) as Partial<Report>;
  console.info(
    `killed ${killed} times; changes waited for ${report.frozenMs} ms, ${report.events?.rows} rows of events`,
  );
  if (!report.events) return undefined;
  expect(report.events).toMatchObject({ differences: [] });
  return report as Report;
}

export const hasMoved = ({ dataDir }: Server): boolean => existsSync(join(dataDir, 'moved.json'));
