/** One project of a backup, restored into an installation that has others: all of it, once, and nobody else notices. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, endurance, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let root: string;
let source: Server;
let target: Server;
let shopDsn: string;
const sent: string[] = [];

const at = (server: Server) => ({ CULPRIT_DATA_DIR: server.dataDir });

async function post(dsn: string, body: string): Promise<void> {
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
  expect(response.status, await response.clone().text()).toBe(200);
}

interface Listed {
  readonly slug: string;
  readonly id: number;
  readonly dsns: readonly string[];
}

const projectOf = async (server: Server, slug: string): Promise<Listed> => {
  const { stdout } = await culprit(['project', 'list', '--json'], at(server));
  const found = (JSON.parse(stdout) as Listed[]).find((one) => one.slug === slug);
  if (!found) throw new Error(`there is no project ${slug}: ${stdout}`);
  return found;
};

/** What people see of a project's issues. */
const issuesOf = async (server: Server, slug: string) => {
  const list = await server.api<readonly Record<string, unknown>[]>(
    `/projects/acme/${slug}/issues/?query=&limit=100&statsPeriod=14d`,
  );
  const comments = await Promise.all(
    list.map((one) => server.api<readonly { data: { text: string } }[]>(`/issues/${String(one['id'])}/comments/`)),
  );
  return Object.fromEntries(
    list.map((one, index) => [
      String(one['title']),
      {
        count: one['count'],
        users: one['userCount'],
        status: one['status'],
        firstSeen: one['firstSeen'],
        lastSeen: one['lastSeen'],
        assignee: (one['assignedTo'] as { email?: string } | null)?.email,
        number: String(one['shortId']).split('-').at(-1),
        comments: comments[index]?.map(({ data }) => data.text),
      },
    ]),
  );
};

/** Rows by table, and what views make of them. */
async function rowsOf(server: Server, projectId: number): Promise<Record<string, number>> {
  await using events = await server.events();
  const counts = ['errors', 'spans', 'logs', 'items', 'segments'].map(
    (table) => `(SELECT count() FROM ${table} WHERE project_id = ${projectId}) AS ${table}`,
  );
  const [found] = await events.query<Record<string, number>>(
    `SELECT ${counts.join(', ')},
       (SELECT sum(events) FROM issue_hours WHERE project_id = ${projectId}) AS hours,
       (SELECT uniqExact(session) FROM sessions WHERE project_id = ${projectId}) AS sessions,
       (SELECT sum(quantity) FROM outcomes WHERE project_id = ${projectId} AND outcome = 'accepted') AS outcomes`,
  );
  return found ?? {};
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-restore-'));
  [source, target] = await Promise.all([
    Server.create({ CULPRIT_SELF_REPORT: 'off' }),
    Server.create({ CULPRIT_SELF_REPORT: 'off' }),
  ]);
  await culprit(['project', 'create', 'Shop'], at(source));
  // Takes the id that the other has there.
  await culprit(['project', 'create', 'Taken'], at(target));
  shopDsn = (await projectOf(source, 'shop')).dsns[0] ?? '';
  await source.until(
    'the key is known',
    async () => (await fetch(envelopeUrl(shopDsn), { method: 'POST' })).status !== 403,
  );
  for (let n = 0; n < 30; n++) {
    const id = newEventId();
    sent.push(id);
    const exception = { values: [{ type: `Error${n % 3}`, value: `broken ${n % 3}` }] };
    await post(shopDsn, errorEnvelope(id, { exception, user: { id: String(n % 4) }, release: 'shop@1.0.0' }));
    if (n < 12) await post(source.installed.dsn, errorEnvelope(newEventId(), { message: 'of another project' }));
    if (n < 12) await post(target.installed.dsn, errorEnvelope(newEventId(), { message: 'was here before' }));
  }
  const [first = ''] = sent;
  const text = 'x'.repeat(50_000);
  await post(
    shopDsn,
    `{"event_id":"${first}"}\n{"type":"attachment","length":${text.length},"filename":"a.log"}\n${text}\n`,
  );
  const transaction = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: 'GET /cart',
    start_timestamp: Date.now() / 1000 - 1,
    timestamp: Date.now() / 1000,
    platform: 'node',
    contexts: { trace: { trace_id: newEventId(), span_id: '0123456789abcdef', op: 'http.server' } },
    spans: [],
  };
  await post(
    shopDsn,
    `{"event_id":"${transaction.event_id}"}\n{"type":"transaction"}\n${JSON.stringify(transaction)}\n`,
  );
  const session = { sid: newEventId(), init: true, started: new Date().toISOString(), status: 'ok', errors: 0 };
  await post(
    shopDsn,
    `{}\n{"type":"session"}\n${JSON.stringify({ ...session, attrs: { release: 'shop@1.0.0', environment: 'production' } })}\n`,
  );
  const logs = JSON.stringify({
    items: [{ timestamp: Date.now() / 1000, trace_id: newEventId(), level: 'info', body: 'hello', attributes: {} }],
  });
  const header = { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' };
  await post(shopDsn, `{}\n${JSON.stringify({ ...header, length: Buffer.byteLength(logs) })}\n${logs}\n`);
  await Promise.all([source.drained(), target.drained()]);
  const [issue] = await source.until('the issues are there', async () => {
    const list = await source.api<readonly { id: string }[]>('/projects/acme/shop/issues/?query=Error1&limit=100');
    return list.length > 0 && list;
  });
  const change = { status: 'resolved', assignedTo: 'owner@example.com' };
  await source.api(`/organizations/acme/issues/${issue?.id}/`, { method: 'PUT', body: JSON.stringify(change) });
  const comment = { method: 'POST', body: JSON.stringify({ text: 'looked at it' }) };
  await source.api(`/issues/${issue?.id}/comments/`, comment);
});
afterAll(async () => {
  await source?.[Symbol.asyncDispose]();
  await target?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

test('all of it, after kills, and no other project is another than before', async () => {
  const shop = await projectOf(source, 'shop');
  const before = { issues: await issuesOf(source, 'shop'), rows: await rowsOf(source, shop.id) };
  const event = await source.api<Record<string, unknown>>(`/projects/acme/shop/events/${sent[0]}/`);
  const others = { issues: await issuesOf(target, 'web'), rows: await rowsOf(target, 1) };
  expect(before.rows).toMatchObject({ errors: 30, spans: 1, logs: 1, hours: 30, sessions: 1 });

  const running = await culprit(['restore', root, '--project', 'shop'], at(target));
  expect(running.code).toBe(1);
  // What is queued by then comes as well.
  const late = newEventId();
  await source.kill();
  await source.start({ ready: false });
  const exception = { values: [{ type: 'Error0', value: 'broken 0' }] };
  await post(shopDsn, errorEnvelope(late, { exception, user: { id: '0' }, release: 'shop@1.0.0' }));
  await source.kill();
  expect(await culprit(['backup', root], at(source))).toMatchObject({ code: 0 });
  await target.stop();
  const args = ['restore', root, '--project', 'shop', '--key-file', join(source.dataDir, 'secret.key'), '--json'];
  const kills = endurance ? Array.from({ length: 16 }, (_, round) => 300 + round * 400) : [1_200, 3_600];
  let code = 1;
  for (const killAfterMs of kills) {
    ({ code } = await culprit(args, at(target), '', { killAfterMs }));
    if (code === 0) break;
  }
  const done = code === 0 ? undefined : await culprit(args.slice(0, -1), at(target));
  if (done) expect(done).toMatchObject({ code: 0, stderr: '' });
  const again = await culprit(args.slice(0, -1), at(target));
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--as acme/SLUG') });
  const copied = await culprit([...args, '--as', 'acme/shop-copy'], at(target));
  expect(copied).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(copied.stdout)).toMatchObject({ slug: 'shop-copy', keysTaken: 1, rows: { errors: 31 } });

  await target.start();
  for (const slug of ['shop', 'shop-copy']) {
    const restored = await projectOf(target, slug);
    const rows = await rowsOf(target, restored.id);
    expect(rows).toEqual({ ...before.rows, errors: 31, hours: 31, outcomes: (before.rows['outcomes'] ?? 0) + 1 });
    const issues = await issuesOf(target, slug);
    expect(Object.keys(issues).toSorted()).toEqual(Object.keys(before.issues).toSorted());
    for (const [title, facts] of Object.entries(before.issues)) {
      if (!title.startsWith('Error0')) expect(issues[title]).toEqual(facts);
    }
    const here = await target.api<Record<string, unknown>>(`/projects/acme/${slug}/events/${sent[0]}/`);
    for (const part of ['eventID', 'entries', 'tags', 'contexts', 'user', 'dateCreated', 'sdk']) {
      expect(here[part], part).toEqual(event[part]);
    }
    const [file] = await target.api<readonly { id: string; size: number }[]>(
      `/projects/acme/${slug}/events/${sent[0]}/attachments/`,
    );
    expect(file?.size).toBe(50_000);
    const bytes = await fetch(
      `${target.url}/api/0/projects/acme/${slug}/events/${sent[0]}/attachments/${file?.id}/?download=1`,
      { headers: { authorization: `Bearer ${target.installed.token}` } },
    );
    expect((await bytes.text()).length).toBe(50_000);
    const releases = await target.api<readonly { version: string }[]>(`/projects/acme/${slug}/releases/`);
    expect(releases.map(({ version }) => version)).toEqual(['shop@1.0.0']);
  }
  expect({ issues: await issuesOf(target, 'web'), rows: await rowsOf(target, 1) }).toEqual(others);

  // Only the host of its DSN is another.
  const { username, pathname } = new URL(shopDsn);
  const restored = await projectOf(target, 'shop');
  expect(String(restored.id)).not.toBe(pathname.slice(1));
  await post(`http://${username}@127.0.0.1:${target.port}${pathname}`, errorEnvelope(newEventId(), { exception }));
  await target.drained();
  await target.until('it is of the issue that was restored', async () => {
    const { 'Error0: broken 0': issue } = await issuesOf(target, 'shop');
    return issue?.count === '12';
  });
});
