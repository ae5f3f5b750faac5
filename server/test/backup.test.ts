/** What was acknowledged before a backup began is there after its restore, exactly once, whatever was killed and whenever. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayloadColumns, payloadColumns, withPayloads } from '../src/ports/events/payload-rows.ts';
import { commandLines, guideText } from './guides.ts';
import { culprit, envelopeUrl, errorEnvelope, freePort, newEventId, Server } from './harness.ts';
import { startLoad } from './load.ts';
import { endurance, lasting } from '../src/base/testing.ts';

/** Kills while a backup runs, and while one is restored. */
const rounds = lasting(1, 12);

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-backup-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Taken {
  readonly id: string;
  readonly added: number;
  readonly newObjects: number;
  readonly objects: number;
  readonly snapshotAt: number;
  readonly key: { readonly isIncluded: boolean };
  readonly counts: Readonly<Record<string, number>>;
}

const at = (server: Server, more: Readonly<Record<string, string>> = {}) => ({
  CULPRIT_DATA_DIR: server.dataDir,
  ...more,
});

async function backUp(server: Server, dir: string, more: Readonly<Record<string, string>> = {}): Promise<Taken> {
  const { code, stdout, stderr } = await culprit(['backup', dir, '--json'], at(server, more));
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Taken;
}

/** A server of its own on a restored data directory. */
async function restoredServer(dir: string, args: readonly string[] = [], more = {}): Promise<Server> {
  const server = await Server.create(more, { init: false, start: false });
  await rm(server.dataDir, { recursive: true });
  const { code, stderr } = await culprit(['restore', dir, ...args], at(server, more));
  expect(stderr).toBe('');
  expect(code).toBe(0);
  await server.start();
  return server;
}

async function send(server: Server, count: number): Promise<Set<string>> {
  const ids = Array.from({ length: count }, newEventId);
  await Promise.all(
    ids.map(async (id, index) => {
      const body = errorEnvelope(id, { transaction: `GET /${index % 5}`, message: `bug ${index % 5}` });
      const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }),
  );
  return new Set(ids);
}

/** Each of them once, with its payload; counts by issue and hour say the same. Events that came later may be there too. */
async function expectOnce(
  server: Server,
  wanted: ReadonlySet<string>,
  { deleted = 0, erased = 0 }: { readonly deleted?: number; readonly erased?: number } = {},
): Promise<void> {
  await server.drained();
  await using events = await server.events();
  const rows = await events.query<PayloadColumns & { event_id: string }>(
    `SELECT event_id, ${payloadColumns} FROM errors`,
  );
  const ids = rows.map((row) => row.event_id);
  expect({ lost: [...wanted].filter((id) => !ids.includes(id)), doubled: ids.length - new Set(ids).size }).toEqual({
    lost: [],
    doubled: 0,
  });
  const whole = await withPayloads(events, rows);
  const right = whole.filter((row) => (JSON.parse(row.payload) as { event_id: string }).event_id === row.event_id);
  expect(right.length).toBe(rows.length);
  const [sums] = await events.query<{ hours: number; outcomes: number }>(
    `SELECT (SELECT sum(events) FROM issue_hours) AS hours,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'accepted' AND category = 'error') AS outcomes`,
  );
  // What was erased of a person stays counted.
  expect(sums).toEqual({ hours: rows.length + erased, outcomes: rows.length + erased + deleted });
}

test('a stopped and a running server are backed up; what was there before is not stored again', async () => {
  await using server = await Server.create();
  const dir = join(root, 'plain');
  const before = await send(server, 40);
  await server.drained();
  const first = await backUp(server, dir);
  expect(first).toMatchObject({ key: { isIncluded: false }, counts: { errors: 40 } });
  const more = await send(server, 10);
  const second = await backUp(server, dir);
  // The tables that no event of ours goes to, among others.
  expect(second.newObjects).toBeLessThan(second.objects);
  await server.stop();
  const third = await backUp(server, dir);
  expect(third.counts.errors).toBeGreaterThanOrEqual(40);

  const verified = await culprit(['backup', 'verify', dir, '--json'], at(server));
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({ damaged: [], backups: [{}, {}, {}] });
  const listed = await culprit(['backup', 'list', dir], at(server));
  expect(listed.stdout).toContain(second.id);

  const refused = await Server.create({}, { init: false, start: false });
  const withoutKey = await culprit(['restore', dir], at(refused));
  expect(withoutKey).toMatchObject({ code: 1, stderr: expect.stringContaining('does not contain the key') });
  const notEmpty = await culprit(['restore', dir], at(server));
  expect(notEmpty).toMatchObject({ code: 1, stderr: expect.stringContaining('it contains') });

  const key = join(server.dataDir, 'secret.key');
  await using latest = await restoredServer(dir, ['--key-file', key]);
  await expectOnce(latest, new Set([...before, ...more]));
  expect(await readFile(join(latest.dataDir, 'secret.key'), 'utf8')).toBe(await readFile(key, 'utf8'));
  // It is known to be of this version.
  expect(await readdir(latest.dataDir)).not.toContain('restore-points');
  if (!endurance) return;
  await using earlier = await restoredServer(dir, [first.id, '--key-file', key]);
  await expectOnce(earlier, before);
});

test('an encrypted one has the key with it, and opens with its passphrase alone', async () => {
  await using server = await Server.create();
  const dir = join(root, 'sealed');
  const passphrase = { CULPRIT_BACKUP_PASSPHRASE: 'four words and a number 7' };
  const ids = await send(server, 20);
  const taken = await backUp(server, dir, passphrase);
  expect(taken.key.isIncluded).toBe(true);
  const wrong = await culprit(['backup', 'verify', dir], at(server, { CULPRIT_BACKUP_PASSPHRASE: 'another one 77' }));
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('the passphrase is wrong') });
  const none = await culprit(['restore', dir], at(server));
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('a passphrase is needed') });
  const secret = (await readFile(join(server.dataDir, 'secret.key'), 'utf8')).trim();
  for (const name of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = await readFile(join(name.parentPath, name.name));
    expect([bytes.includes(secret), bytes.includes('SQLite format')]).toEqual([false, false]);
  }
  await using restored = await restoredServer(dir, [], passphrase);
  await expectOnce(restored, ids);
});

test.runIf(endurance)('what was changed, cut, moved or taken away is found', async () => {
  await using server = await Server.create();
  const dir = join(root, 'damaged');
  await send(server, 5);
  await server.drained();
  await backUp(server, dir);
  const whole = join(root, 'whole');
  await cp(dir, whole, { recursive: true });
  const objects = (await readdir(join(dir, 'objects'), { recursive: true })).filter((name) => name.includes('/'));
  const [first = '', second = '', third = ''] = objects.toSorted();
  const place = (name: string): string => join(dir, 'objects', name);
  const bytes = await readFile(place(first));
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  await writeFile(place(first), bytes);
  await cp(join(whole, 'objects', third), place(second));
  const { code, stdout } = await culprit(['backup', 'verify', dir, '--json'], at(server));
  expect(code).toBe(1);
  const { backups } = JSON.parse(stdout) as { backups: { problems: string[] }[] };
  expect(backups[0]?.problems.length).toBe(2);
  const restored = await Server.create({}, { init: false, start: false });
  await rm(restored.dataDir, { recursive: true });
  const refused = await culprit(['restore', dir, '--key-file', join(server.dataDir, 'secret.key')], at(restored));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('BACKUP_DAMAGED') });
  const started = await culprit(['serve'], at(restored));
  expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining('a restore into it was interrupted') });
});

test.runIf(endurance)('scheduled ones are taken by themselves, and older ones go', async () => {
  const dir = join(root, 'scheduled');
  const file = join(root, 'passphrase');
  await writeFile(file, 'four words and a number 7\n');
  await using server = await Server.create({
    CULPRIT_BACKUP_DIR: dir,
    CULPRIT_BACKUP_SCHEDULE: '* * * * * *',
    CULPRIT_BACKUP_KEEP: 'daily=1',
    CULPRIT_BACKUP_PASSPHRASE_FILE: file,
  });
  await send(server, 10);
  await server.drained();
  const list = async (): Promise<Taken[]> => {
    const { stdout } = await culprit(['backup', 'list', dir, '--passphrase-file', file, '--json'], at(server));
    return (JSON.parse(stdout) as { backups: Taken[] }).backups;
  };
  const first = await server.until('a backup has the events', async () =>
    (await list()).find(({ counts }) => counts.errors === 10),
  );
  const [second] = await server.until('another one stands for it', async () => {
    const backups = await list();
    return backups.length === 1 && backups[0]?.id !== first.id && backups;
  });
  expect(second?.key.isIncluded).toBe(true);
  await server.stop();
  const { code } = await culprit(['backup', 'verify', dir, '--passphrase-file', file], at(server));
  expect(code).toBe(0);
});

test('what people delete and whom they erase after a backup does not come back with it', async () => {
  const dir = join(root, 'deletions');
  const settings = { CULPRIT_BACKUP_DIR: dir, CULPRIT_BACKUP_SCHEDULE: '0 0 1 1 *', CULPRIT_SELF_REPORT: 'off' };
  await using server = await Server.create(settings, { clock: true });
  const { organization, project, token } = server.installed;
  expect(await culprit(['project', 'create', 'Gone'], at(server))).toMatchObject({ code: 0 });
  await send(server, 5);
  await server.drained();
  const [kept, theirs] = [newEventId(), newEventId()];
  const email = 'ada.zquill@mail.example';
  const another = { exception: { values: [{ type: 'RangeError', value: 'another one' }] } };
  for (const body of [errorEnvelope(kept, another), errorEnvelope(theirs, { ...another, user: { email } })])
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  await server.drained();
  expect((await backUp(server, dir)).counts).toMatchObject({ errors: 7, issues: 2 });

  const url = `/organizations/${organization}/erasures/`;
  const post = <T>(path: string, body: object) => server.api<T>(path, { method: 'POST', body: JSON.stringify(body) });
  const { id } = await post<{ id: string }>(url, { reference: 'ticket', person: [{ kind: 'email', value: email }] });
  const is = async (wanted: string): Promise<boolean> =>
    (await server.api<{ status: string }>(`${url}${id}/`)).status === wanted;
  await server.until('the person is found', () => is('found'));
  await post(`${url}${id}/erase/`, { confirm: email });
  await server.until('the person is erased', () => is('done'));

  const remove = async (path: string): Promise<void> => {
    const headers = { authorization: `Bearer ${token}` };
    const { ok } = await fetch(`${server.url}/api/0${path}`, { method: 'DELETE', headers });
    expect(ok).toBe(true);
  };
  await remove(`/projects/${organization}/gone/`);
  const issues = await server.api<{ id: string; title: string }[]>(`/projects/${organization}/${project}/issues/`);
  const [first] = issues.filter(({ title }) => title.startsWith('TypeError'));
  await remove(`/issues/${first?.id}/`);
  // Until then it can be undone.
  await server.moveClock(40_000);
  const list = await server.until('all three are in the list', async () => {
    const text = await readFile(join(dir, 'deletions', 'list'), 'utf8').catch(() => '');
    return text.split('\n').length === 4 && text;
  });
  expect(list).toContain('person');
  expect(list).not.toContain('zquill');
  await server.kill();

  await using restored = await restoredServer(dir, ['--key-file', join(server.dataDir, 'secret.key')]);
  await expectOnce(restored, new Set([kept]), { deleted: 5, erased: 1 });
  const api = (path: string) =>
    fetch(`${restored.url}/api/0${path}`, { headers: { authorization: `Bearer ${token}` } });
  const left = (await (await api(`/projects/${organization}/${project}/issues/`)).json()) as { title: string }[];
  expect(left.map(({ title }) => title)).toEqual(['RangeError: another one']);
  const paths = [`${project}/events/${kept}/`, `${project}/events/${theirs}/`, 'gone/'];
  const answers = await Promise.all(paths.map((path) => api(`/projects/${organization}/${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  await restored.kill();
});

test.runIf(endurance)('one project is restored alone, with its organisation', async () => {
  const dir = join(root, 'projects');
  await using server = await Server.create();
  expect(await culprit(['project', 'create', 'Shop'], at(server))).toMatchObject({ code: 0 });
  const { stdout } = await culprit(['project', 'list', '--json'], at(server));
  const shop = (JSON.parse(stdout) as { slug: string; dsns: string[] }[]).find(({ slug }) => slug === 'shop');
  await send(server, 5);
  const id = newEventId();
  await server.until('the key is known', async () => {
    const response = await fetch(envelopeUrl(shop?.dsns[0] ?? ''), { method: 'POST', body: errorEnvelope(id) });
    return response.ok;
  });
  await server.drained();
  await backUp(server, dir);
  await server.kill();
  const key = ['--key-file', join(server.dataDir, 'secret.key')];
  const unknown = await Server.create({}, { init: false, start: false });
  await rm(unknown.dataDir, { recursive: true });
  const refused = await culprit(['restore', dir, '--project', 'none', ...key], at(unknown));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('NOT_FOUND') });
  await using restored = await restoredServer(dir, ['--project', 'shop', ...key]);
  await using events = await restored.events();
  await restored.until('its events are all that there are', async () => {
    const rows = await events.query<{ event_id: string }>('SELECT event_id FROM errors');
    return rows.length === 1 && rows[0]?.event_id === id;
  });
  const { stdout: left } = await culprit(['project', 'list', '--json'], at(restored));
  expect((JSON.parse(left) as { slug: string }[]).map(({ slug }) => slug).filter((slug) => slug !== 'culprit')).toEqual(
    ['shop'],
  );
  expect(left).toContain(new URL(shop?.dsns[0] ?? '').username);
});

test.runIf(endurance)('each command of the guide does what it says', async () => {
  const guide = await guideText('backup');
  const commands = commandLines(guide, '');
  expect(commands.length).toBeGreaterThan(6);
  await using server = await Server.create();
  await send(server, 5);
  const places = {
    '/mnt/backups/': `${join(root, 'guide')}/`,
    '/var/lib/': `${join(root, 'guide-data')}/`,
    '/tmp/': `${join(root, 'guide-drill')}/`,
    '/etc/culprit/secret.key': join(server.dataDir, 'secret.key'),
    '/etc/culprit/backup-passphrase': join(root, 'guide-passphrase'),
  };
  await writeFile(join(root, 'guide-passphrase'), 'four words and a number 7\n');
  for (const command of commands) {
    const [name, ...args] = Object.entries(places)
      .reduce((text, [there, here]) => text.replace(there, here), command)
      .split(' ');
    expect(name).toBe('culprit');
    expect(await culprit(args, at(server)), command).toMatchObject({ code: 0, stderr: '' });
  }
  // What was restored is started beside the server, and told to keep quiet.
  const drill = /`culprit (serve --data-dir \/tmp\/\S+ .*?)`/.exec(guide)?.[1] ?? '';
  const port = await freePort();
  const words = drill
    .replace('/tmp/', places['/tmp/'])
    .replace(/--port \d+/, `--port ${port}`)
    .split(' ');
  const done = new AbortController();
  const serving = culprit(
    words.map((word) => (word === "''" ? '' : word)),
    {},
    '',
    done,
  );
  await server.until('the drill answers', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
  done.abort();
  expect((await serving).code).toBe(0);
  await server.stop();
});

/** A backup is under way: what it has to say lies in the state store. */
async function running(server: Server): Promise<void> {
  const database = new DatabaseSync(join(server.dataDir, 'state.db'), { readOnly: true, timeout: 5_000 });
  try {
    await server.until('a backup runs', () =>
      Boolean(database.prepare("select 1 from backup_run where state = 'running'").get()),
    );
  } finally {
    database.close();
  }
}

test(
  'under load, with kills in the middle of backups and of restores: all once',
  { timeout: rounds * 150_000 },
  async () => {
    await using server = await Server.create();
    const dir = join(root, 'killed');
    await send(server, 50);
    const load = startLoad(server, 4, 20);
    try {
      for (let round = 0; round < rounds; round++) {
        const asked = culprit(['backup', dir, '--json', '--rate', '600k'], at(server));
        await running(server);
        await delay((round % 5) * 700);
        await server.kill();
        await server.start();
        // The new process takes up what the old one was asked for.
        expect((await asked).code).toBe(0);
      }
      const acknowledged = new Set(load.acknowledged);
      const taken = await backUp(server, dir);
      await delay(300);
      await load.stop();
      expect(taken.counts.errors).toBeGreaterThan(0);
      const verified = await culprit(['backup', 'verify', dir], at(server));
      expect(verified.code).toBe(0);

      const target = await Server.create({}, { init: false, start: false });
      await rm(target.dataDir, { recursive: true });
      const args = ['restore', dir, '--key-file', join(server.dataDir, 'secret.key')];
      let isWhole = false;
      for (let round = 1; round <= rounds && !isWhole; round++) {
        isWhole = (await culprit(args, at(target), '', { killAfterMs: 200 + round * 80 })).code === 0;
      }
      if (!isWhole) expect(await culprit(args, at(target))).toMatchObject({ code: 0 });
      await target.start();
      await expectOnce(target, acknowledged);
      await target[Symbol.asyncDispose]();
    } finally {
      await load.stop();
    }
  },
);
