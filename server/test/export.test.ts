/** Everything out again: each event once, nothing secret, and the same issues on another server that is sent the envelopes. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { argumentsOf, codeBlocks, guideText } from './guides.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;
let dir: string;
/** What was sent, by id. */
const sent: string[] = [];
const secretUrl = 'https://hooks.example.com/services/very-secret-path';

const settings = { CULPRIT_SELF_REPORT: 'off' };

async function post(to: Server, body: string | Buffer): Promise<void> {
  const response = await fetch(envelopeUrl(to.installed.dsn), { method: 'POST', body: body as never });
  expect(response.status, await response.clone().text()).toBe(200);
}

/** Issues, their events and their people. */
const issuesOf = async (of: Server): Promise<Record<string, [string, number]>> => {
  const listed = await of.api<readonly { title: string; culprit: string; count: string; userCount: number }[]>(
    '/projects/acme/web/issues/?query=&limit=100&statsPeriod=14d',
  );
  return Object.fromEntries(listed.map((one) => [`${one.title} in ${one.culprit}`, [one.count, one.userCount]]));
};

beforeAll(async () => {
  server = await Server.create(settings);
  dir = await mkdtemp(join(tmpdir(), 'culprit-export-'));
  const frame = (name: string) => ({ filename: `/app/${name}.js`, function: name, lineno: 3, colno: 7, in_app: true });
  const make = (n: number): string => {
    const id = newEventId();
    sent.push(id);
    const name = `place${n % 7}`;
    const value = `Cannot read ${name} of "ünïcode\u2028"`;
    const exception = {
      values: [{ type: `Error${n % 7}`, value, stacktrace: { frames: [frame('main'), frame(name)] } }],
    };
    const event = { exception, user: { id: String(n % 5) }, timestamp: Date.now() / 1000 - (n % 3) };
    return errorEnvelope(id, n % 7 === 6 ? { ...event, exception: undefined, message: 'plain' } : event);
  };
  // More than a page has.
  const envelopes = Array.from({ length: 350 }, (_, n) => make(n));
  while (envelopes.length > 0) await Promise.all(envelopes.splice(0, 50).map((each) => post(server, each)));
  const [first = ''] = sent;
  const attachment = 'line one\nline two\n';
  await post(
    server,
    `{"event_id":"${first}"}\n{"type":"attachment","length":${attachment.length},"filename":"a.log"}\n${attachment}\n`,
  );
  const traceId = newEventId();
  const at = Date.now() / 1000;
  const transaction = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: 'GET /cart',
    start_timestamp: at - 1,
    timestamp: at,
    platform: 'node',
    contexts: { trace: { trace_id: traceId, span_id: '0123456789abcdef', op: 'http.server' } },
    spans: [],
  };
  const line = JSON.stringify(transaction);
  await post(server, `{"event_id":"${transaction.event_id}"}\n{"type":"transaction"}\n${line}\n`);
  const session = { sid: newEventId(), init: true, started: new Date().toISOString(), status: 'ok', errors: 0 };
  const ofRelease = { ...session, attrs: { release: 'shop@1', environment: 'production' } };
  await post(server, `{}\n{"type":"session"}\n${JSON.stringify(ofRelease)}\n`);
  const log = { timestamp: at, trace_id: traceId, level: 'info', body: 'hello', attributes: {} };
  const logs = JSON.stringify({ items: [log] });
  const header = { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' };
  await post(server, `{}\n${JSON.stringify({ ...header, length: Buffer.byteLength(logs) })}\n${logs}\n`);
  await server.drained();
  const [issue] = await server.until('the issues are there', async () => {
    const listed = await server.api<readonly { id: string }[]>('/projects/acme/web/issues/?query=Error1&limit=100');
    return listed.length > 0 && listed;
  });
  const url = `/organizations/acme/issues/${issue?.id}/`;
  await server.api(url, {
    method: 'PUT',
    body: JSON.stringify({ status: 'resolved', assignedTo: 'owner@example.com' }),
  });
  await server.api(`/issues/${issue?.id}/comments/`, {
    method: 'POST',
    body: JSON.stringify({ text: 'looked at it' }),
  });
  const channel = { type: 'mattermost', name: 'Chat', config: { url: secretUrl } };
  await server.api('/organizations/acme/channels/', { method: 'POST', body: JSON.stringify(channel) });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

interface Manifest {
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly { name: string; kind: string; records: number; bytes: number; sha256: string }[];
}

const run = (...words: string[]) => culprit(words, { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_URL: server.url });

const inflated = (name: string, bytes: Buffer): Buffer =>
  name.endsWith('.zst') ? zstdDecompressSync(bytes) : name.endsWith('.gz') ? gunzipSync(bytes) : bytes;

function envelopesIn(bytes: Buffer): string[] {
  const all: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = bytes.indexOf('\n', at) + 1;
    at = start + Number(bytes.toString('latin1', at, start));
    all.push(bytes.toString('utf8', start, at));
  }
  return all;
}

/** Reads all of it as its guide says, and holds it against its manifest. */
async function readExport(from: string): Promise<{ manifest: Manifest; records: Map<string, string[]> }> {
  const manifest = JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8')) as Manifest;
  const records = new Map<string, string[]>();
  for (const { name, kind, records: count, bytes, sha256 } of manifest.files) {
    const file = await readFile(join(from, name));
    expect({ bytes: file.length, sha256: hash('sha256', file) }, name).toEqual({ bytes, sha256 });
    const whole = inflated(name, file);
    const found = name.includes('.envelopes') ? envelopesIn(whole) : whole.toString().trimEnd().split('\n');
    expect(found, name).toHaveLength(count);
    records.set(kind, [...(records.get(kind) ?? []), ...found]);
  }
  for (const [kind, count] of Object.entries(manifest.counts)) expect(records.get(kind) ?? []).toHaveLength(count);
  return { manifest, records };
}

const objects = (records: Map<string, string[]>, kind: string): Record<string, unknown>[] =>
  (records.get(kind) ?? []).map((line) => JSON.parse(line) as Record<string, unknown>);

test('each event is there once, with all that belongs to it, and no secret', async () => {
  const out = join(dir, 'running');
  const { code, stdout, stderr } = await run('export', out, '--zstd', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { manifest, records } = await readExport(out);
  expect(JSON.parse(stdout)).toMatchObject({ counts: manifest.counts, files: manifest.files.length });
  const events = (records.get('events') ?? []).map((text) => text.split('\n'));
  expect(events.map(([header = '']) => (JSON.parse(header) as { event_id: string }).event_id).toSorted()).toEqual(
    sent.toSorted(),
  );
  expect(events.every(([header = '', , event = '']) => event.includes(JSON.parse(header).event_id as string))).toBe(
    true,
  );
  expect(records.get('items')).toEqual([expect.stringMatching(/"filename":"a\.log"[^]*line one\nline two/)]);
  expect(manifest.counts).toMatchObject({ organizations: 1, members: 1, projects: 1, spans: 1, logs: 1, sessions: 1 });
  expect(objects(records, 'spans')[0]).toMatchObject({ project: 'web', name: 'GET /cart' });
  expect(objects(records, 'logs')[0]).toMatchObject({ project: 'web', body: 'hello' });
  expect(objects(records, 'projects')[0]).toMatchObject({
    slug: 'web',
    keys: [{ publicKey: new URL(server.installed.dsn).username, isActive: true }],
  });
  expect(objects(records, 'issues').find(({ title }) => String(title).startsWith('Error1'))).toMatchObject({
    status: 'resolved',
    assignee: { user: 'owner@example.com' },
    activity: expect.arrayContaining([expect.objectContaining({ type: 'note', user: 'owner@example.com' })]) as unknown,
  });
  expect(objects(records, 'channels')).toEqual([{ id: 1, type: 'mattermost', name: 'Chat', enabled: true }]);
  const all = [...records.values()].flat().join('\n');
  for (const secret of [secretUrl, server.installed.token, 'token_hash', 'password', 'sealed:']) {
    expect(all).not.toContain(secret);
  }
});

test('a tar, a part, and an export of a stopped installation say the same', async () => {
  const { counts } = (await readExport(join(dir, 'running'))).manifest;
  const tar = join(dir, 'all.tar');
  const command = `"${process.execPath}" "$CULPRIT" export - --gzip > "${tar}"`;
  const bin = new URL('../bin/culprit.js', import.meta.url).pathname;
  const env = { ...process.env, CULPRIT: bin, CULPRIT_DATA_DIR: server.dataDir };
  execFileSync('sh', ['-c', command], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const unpacked = join(dir, 'unpacked');
  await mkdir(unpacked);
  execFileSync('tar', ['-xf', tar, '-C', unpacked]);
  expect((await readExport(unpacked)).manifest.counts).toEqual(counts);
  const none = join(dir, 'none');
  const before = await run('export', none, '--project', 'web', '--until', '2020-01-01T00:00:00Z');
  expect(before).toMatchObject({ code: 0 });
  expect((await readExport(none)).manifest.counts).toMatchObject({ issues: counts['issues'], events: 0, spans: 0 });
  expect(await run('export', none)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') as string });
  for (const words of [[], [none, '--gzip', '--zstd'], [none, '--since', 'yesterday']]) {
    expect(await run('export', ...words)).toMatchObject({ code: 2 });
  }
  expect(await run('export', join(dir, 'x'), '--project', 'nope')).toMatchObject({ code: 1 });
  await server.stop();
  const stopped = join(dir, 'stopped');
  expect(await run('export', stopped)).toMatchObject({ code: 0 });
  expect((await readExport(stopped)).manifest.counts).toEqual(counts);
  await server.start();
});

test('its envelopes, sent as the guide says, give another server the same issues', async () => {
  await using other = await Server.create(settings);
  const [script = ''] = codeBlocks(await guideText('export'), 'js');
  const path = join(dir, 'send.mjs');
  await writeFile(path, script);
  const said = execFileSync(process.execPath, [path, join(dir, 'running'), other.installed.dsn]).toString();
  expect(said).toBe(`sent ${sent.length + 1} envelopes\n`);
  await other.drained();
  const expected = await issuesOf(server);
  expect(Object.keys(expected)).toHaveLength(7);
  await other.until('all issues are there', async () => Object.keys(await issuesOf(other)).length === 7);
  expect(await issuesOf(other)).toEqual(expected);
  const attached = await other.api<readonly { name: string }[]>(`/projects/acme/web/events/${sent[0]}/attachments/`);
  expect(attached).toMatchObject([{ name: 'a.log' }]);
});

test('commands of the guide run as they stand', async () => {
  const lines = argumentsOf(await guideText('export'), 'export');
  expect(lines).toHaveLength(3);
  for (const line of lines.filter((each) => !each.startsWith('-'))) {
    const words = line.replaceAll('/tmp/', `${dir}/`).split(' ');
    expect(await run('export', ...words), line).toMatchObject({ code: 0, stderr: '' });
  }
});
