/** Two real servers side by side: one forwards to the other what it receives, through crashes of both, and in no circle. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { argumentsOf, guideText } from './guides.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let here: Server;
let there: Server;

const settings = { CULPRIT_OUTBOUND_ALLOW: '127.0.0.1', CULPRIT_SELF_REPORT: 'off' };

beforeAll(async () => {
  [here, there] = await Promise.all([Server.create(settings), Server.create(settings)]);
});
afterAll(() => Promise.all([here, there].map((server) => server?.[Symbol.asyncDispose]())));

interface Mirror {
  readonly target: string;
  readonly forwarded: number;
  readonly refused: number;
  readonly dropped: number;
  readonly waiting: number;
  readonly refusal: string;
  readonly problem: string;
  readonly failingSince: string | null;
}

const mirrorOf = async (server: Server): Promise<Mirror> => {
  const { mirror } = await server.api<{ mirror: Mirror }>('/projects/acme/web/mirror/');
  return mirror;
};

async function metric(name: string): Promise<number> {
  const body = await (await fetch(`${here.url}/metrics`)).text();
  return Number(new RegExp(`^culprit_mirror_${name} (\\S+)$`, 'm').exec(body)?.[1]);
}

const command = (server: Server, ...words: string[]) =>
  culprit(['mirror', ...words], { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_URL: server.url });

const keyOf = (server: Server): string => new URL(server.installed.dsn).username;
const project = (server: Server): string => new URL(server.installed.dsn).pathname.slice(1);

const has = (server: Server, id: string): Promise<boolean> =>
  server.api(`/projects/acme/web/events/${id}/`).then(
    () => true,
    () => false,
  );

async function send(url: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { method: 'POST', body: body as never, headers });
  expect(response.status, await response.clone().text()).toBe(200);
  return response;
}

/** What follows `culprit mirror` in the guide, line by line. */
async function guideCommands(): Promise<string[][]> {
  return argumentsOf(await guideText('mirror'), 'mirror')
    .map((words) => words.replace('https://key@sentry.example/1', there.installed.dsn).split(' '))
    .filter(([action]) => action !== 'compare');
}

const isMirrored = (): Promise<boolean> =>
  send(envelopeUrl(here.installed.dsn), errorEnvelope(newEventId())).then(
    async () => (await mirrorOf(here)).forwarded > 0,
  );

test('all that comes arrives on both sides under its own ids, whichever way it came', async () => {
  const made = await command(here, 'set', 'web', '--to', there.installed.dsn);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain(`web forwards to http://…${keyOf(there).slice(-4)}@127.0.0.1:${there.port}/`);
  // The running server hears of what a command did within seconds.
  await here.until('the mirror is on', isMirrored);
  const [plain, zipped, tunnelled, stored] = [newEventId(), newEventId(), newEventId(), newEventId()];
  await send(envelopeUrl(here.installed.dsn), errorEnvelope(plain), { 'user-agent': 'sentry.python/2.0' });
  await send(envelopeUrl(here.installed.dsn), gzipSync(errorEnvelope(zipped)), { 'content-encoding': 'gzip' });
  const [header = '', ...rest] = errorEnvelope(tunnelled).split('\n');
  const named = JSON.stringify({ ...(JSON.parse(header) as object), dsn: here.installed.dsn });
  await send(`${here.url}/monitoring`, gzipSync([named, ...rest].join('\n')), { 'content-encoding': 'gzip' });
  const event = JSON.stringify({ event_id: stored, message: 'by the old way', platform: 'other' });
  await send(`${here.url}/api/${project(here)}/store/?sentry_key=${keyOf(here)}`, event);
  for (const id of [plain, zipped, tunnelled, stored]) {
    await here.until(`${id} is here`, () => has(here, id));
    await there.until(`${id} is there`, () => has(there, id));
  }
  const csp = JSON.stringify({
    'csp-report': { 'document-uri': 'https://shop.example/', 'blocked-uri': 'https://evil.example/x.js' },
  });
  const security = `${here.url}/api/${project(here)}/security/?sentry_key=${keyOf(here)}&sentry_release=shop@1`;
  await send(security, csp, { 'content-type': 'application/csp-report' });
  const traceId = newEventId();
  const span = {
    traceId,
    spanId: '0123456789abcdef',
    name: 'GET /',
    kind: 2,
    startTimeUnixNano: `${Date.now() - 5}000000`,
    endTimeUnixNano: `${Date.now()}000000`,
  };
  const traces = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const otlp = `${here.url}/api/${project(here)}/integration/otlp/v1/traces`;
  await send(otlp, traces, { 'content-type': 'application/json', authorization: `Bearer ${keyOf(here)}` });
  await there.until('the span is there', async () => {
    const spans = await there.api<readonly unknown[]>(`/organizations/acme/trace/${traceId}/`);
    return spans.length > 0;
  });
  await there.until('the report is there', async () => {
    const issues = await there.api<readonly { title: string }[]>('/projects/acme/web/issues/?query=evil.example');
    return issues.length === 1;
  });
  expect(await mirrorOf(here)).toMatchObject({ refused: 0, dropped: 0, waiting: 0, failingSince: null });
});

test('a target that is down costs nothing, and gets all of it afterwards, also where this side was killed', async () => {
  await there.kill();
  const ids = Array.from({ length: 60 }, newEventId);
  await Promise.all(ids.map((id) => send(envelopeUrl(here.installed.dsn), errorEnvelope(id))));
  await here.until('they wait', async () => {
    const { waiting, problem } = await mirrorOf(here);
    return waiting === 60 && problem.includes('ECONNREFUSED');
  });
  expect(await metric('waiting_records')).toBe(60);
  expect(await metric('waiting_bytes')).toBeGreaterThan(60 * 200);
  await here.until('the age of the oldest is told', async () => (await metric('oldest_seconds')) > 0);
  await here.kill();
  await Promise.all([here.start(), there.start()]);
  await here.until('all of it was forwarded', async () => (await mirrorOf(here)).waiting === 0);
  expect(await metric('waiting_records')).toBe(0);
  expect(await metric('oldest_seconds')).toBe(0);
  await here.until('it is counted', async () => (await metric('forwarded')) >= 60);
  expect({ active: await metric('active'), dropped: await metric('dropped') }).toEqual({ active: 1, dropped: 0 });
  await there.drained();
  expect(await Promise.all(ids.map((id) => has(there, id)))).not.toContain(false);
  expect(await mirrorOf(here)).toMatchObject({ refused: 0, dropped: 0, failingSince: null, problem: '' });
});

interface Compared {
  readonly events: number;
  readonly groups: readonly { kind: string; ours: readonly Shown[]; theirs: readonly Shown[]; events: number }[];
  readonly missingHere: readonly { eventId: string }[];
  readonly missingThere: readonly { eventId: string }[];
}
interface Shown {
  readonly title: string;
  readonly events: number;
  readonly url: string;
}

test('a comparison tells which issues are the same, split, merged or missing', async () => {
  const fingerprintingRules = [
    'error.type:MergedError -> all-of-them',
    'error.type:SplitError -> {{ default }} {{ transaction }}',
  ].join('\n');
  const change = (server: Server, path: string, body: object) =>
    server.api(`/projects/acme/web/${path}`, { method: 'PUT', body: JSON.stringify(body) });
  await change(there, '', { fingerprintingRules });
  // A thread reads rules again behind an event that comes when its memory of them is old.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  await send(envelopeUrl(there.installed.dsn), errorEnvelope(newEventId()));
  await there.drained();
  const at = Date.now() / 1000 - 600;
  const sendError = async (server: Server, type: string, place: string, transaction = 'GET /'): Promise<string> => {
    const id = newEventId();
    const frames = [{ filename: `/app/${place}.js`, function: place, lineno: 1, colno: 1, in_app: true }];
    const exception = { values: [{ type, value: `at ${place}`, stacktrace: { frames } }] };
    await send(envelopeUrl(server.installed.dsn), errorEnvelope(id, { timestamp: at, exception, transaction }));
    return id;
  };
  for (const place of ['one', 'two', 'two']) await sendError(here, 'MergedError', place);
  for (const transaction of ['GET /', 'POST /', 'POST /']) await sendError(here, 'SplitError', 'three', transaction);
  for (const place of ['four', 'five', 'five']) await sendError(here, 'SameError', place);
  const thereOnly = await sendError(there, 'ThereError', 'six');
  await change(here, 'mirror/', { enabled: false });
  const hereOnly = await sendError(here, 'HereError', 'seven');
  await change(here, 'mirror/', { enabled: true });
  await Promise.all([here.drained(), here.until('sent', async () => (await mirrorOf(here)).waiting === 0)]);
  await there.drained();
  const since = new Date(Date.now() - 1_200_000).toISOString();
  const words = ['mirror', 'compare', 'web', '--since', since, '--events', '5'];
  const environment = { CULPRIT_DATA_DIR: here.dataDir, CULPRIT_URL: here.url, CULPRIT_OUTBOUND_ALLOW: '127.0.0.1' };
  const withToken = { ...environment, CULPRIT_MIRROR_TOKEN: there.installed.token };
  const { code, stdout, stderr } = await culprit([...words, '--json'], withToken);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const found = JSON.parse(stdout) as Compared;
  const shape = (titles: RegExp) =>
    found.groups
      .filter(({ ours }) => ours.some(({ title }) => titles.test(title)))
      .map(({ kind, ours, theirs }) => [kind, ours.map(({ events }) => events), theirs.map(({ events }) => events)]);
  expect(shape(/^Merged/)).toEqual([['merged', [2, 1], [3]]]);
  expect(shape(/^Split/)).toEqual([['split', [3], [2, 1]]]);
  expect(shape(/^Same/)).toEqual([
    ['same', [2], [2]],
    ['same', [1], [1]],
  ]);
  expect(found.missingHere.map(({ eventId }) => eventId)).toContain(thereOnly);
  expect(found.missingThere.map(({ eventId }) => eventId)).toContain(hereOnly);
  for (const { ours, theirs } of found.groups) {
    expect(ours.every(({ url }) => url.startsWith(`${here.url}/issues/`))).toBe(true);
    expect(theirs.every(({ url }) => url.startsWith(there.url))).toBe(true);
  }
  const text = await culprit(words, withToken);
  expect(text.stdout).toMatch(/Several here, one there\n {2}here {3}WEB-\d+ {2}2 events {2}MergedError/);
  const asked = { token: there.installed.token, since, events: 5 };
  const answer = await here.api<Compared>('/projects/acme/web/mirror/compare/', {
    method: 'POST',
    body: JSON.stringify(asked),
  });
  expect(answer.groups.map(({ kind }) => kind)).toEqual(found.groups.map(({ kind }) => kind));
  for (const line of (await guideText('mirror')).match(/^culprit mirror compare .+$/gm) ?? []) {
    const asGuided = line.replace('https://sentry.example', there.url).split(' ').slice(1);
    expect(await culprit(asGuided, withToken), line).toMatchObject({ stderr: '' });
  }
  const wrong = await culprit(words, { ...environment, CULPRIT_MIRROR_TOKEN: 'wrong' });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/REMOTE_API/) as string });
  expect(await culprit(words, environment)).toMatchObject({ code: 2 });
});

test('no circle: neither to itself nor through another', async () => {
  const own = await command(here, 'set', 'web', '--to', here.installed.dsn);
  expect(own).toMatchObject({ code: 1 });
  expect(own.stderr).toContain('leads to this installation');
  expect(await command(there, 'set', 'web', '--to', here.installed.dsn)).toMatchObject({ code: 0 });
  await there.until('the way back is refused', async () => {
    await send(envelopeUrl(here.installed.dsn), errorEnvelope(newEventId()));
    return (await mirrorOf(there)).refusal.includes('MIRROR_LOOP');
  });
  // What there came first goes here, and not back again.
  const id = newEventId();
  await send(envelopeUrl(there.installed.dsn), errorEnvelope(id));
  await here.until('it is here', () => has(here, id));
  await here.until('it is not taken there again', async () => (await mirrorOf(here)).refusal.includes('MIRROR_LOOP'));
  expect(await command(there, 'remove', 'web', '--yes')).toMatchObject({ code: 0 });
});

test('a mirror is paused, tested and removed, and the audit log says by whom', async () => {
  const tested = await here.api<{ eventId: string; accepted: boolean }>('/projects/acme/web/mirror/test/', {
    method: 'POST',
    body: '{}',
  });
  expect(tested.accepted).toBe(true);
  await there.until('the test is there', () => has(there, tested.eventId));
  expect(await command(here, 'remove', 'web')).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const said: string[] = [];
  for (const words of await guideCommands()) {
    const { code, stdout, stderr } = await command(here, ...words);
    expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
    said.push(stdout);
  }
  expect(said.join('')).toMatch(/web forwards to.*forwarded \d+.*Paused.*Resumed.*Removed/s);
  expect(await command(here, 'list')).toMatchObject({ stdout: 'No project has a mirror.\n' });
  const log = await here.api<readonly { action: string; details?: Record<string, string> }[]>(
    '/organizations/acme/audit-log/?action=mirror',
  );
  expect(new Set(log.map(({ action }) => action))).toEqual(
    new Set(['mirror.delete', 'mirror.update', 'mirror.create']),
  );
  expect(JSON.stringify(log)).not.toContain(keyOf(there));
});
