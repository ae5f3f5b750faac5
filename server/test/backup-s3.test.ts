/** Backups in a bucket of S3 are what they are in a directory; and an installation whose blobs lie in one is backed up. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseS3Address } from '../src/base/s3/address.ts';
import { createObjects } from '../src/base/s3/objects.ts';
import { culprit, endurance, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { type S3Server, startS3 } from './s3/server.ts';

let root: string;
let s3: S3Server;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-backup-s3-'));
  s3 = await startS3();
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const passphrase = { CULPRIT_BACKUP_PASSPHRASE: 'four words and a number 7' };
const at = (server: Server, more: Readonly<Record<string, string>> = {}) => ({
  CULPRIT_DATA_DIR: server.dataDir,
  ...more,
});

async function send(server: Server, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const body = errorEnvelope(newEventId(), { message: `bug ${index % 5}` });
    const { ok } = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect(ok).toBe(true);
  }
  await server.drained();
}

async function errorsOf(server: Server): Promise<number> {
  await using events = await server.events();
  return Number((await events.query<{ n: number }>('SELECT count() AS n FROM errors'))[0]?.n);
}

describe.sequential('of an installation', () => {
  let server: Server;
  beforeAll(async () => {
    server = await Server.create();
    await send(server, 12);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test('one is taken, verified, listed and restored; nothing tells the secret', async () => {
    const url = (await s3.bucket()).replace('?', '/nightly?');
    const environment = at(server, passphrase);
    const first = await culprit(['backup', url, '--json'], environment);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const { newObjects, objects, key } = JSON.parse(first.stdout) as Record<string, number> & { key: object };
    expect(newObjects).toBe(objects);
    expect(key).toMatchObject({ isIncluded: true });
    const again = await culprit(['backup', url, '--json'], environment);
    expect(JSON.parse(again.stdout)).toMatchObject({ counts: { errors: 12 } });
    expect((JSON.parse(again.stdout) as { newObjects: number }).newObjects).toBeLessThan(objects! / 2);

    // What a command asked of the server has its secret sealed.
    await server.stop();
    for (const name of ['state.db', 'state.db-wal']) {
      expect((await readFile(join(server.dataDir, name)).catch(() => Buffer.alloc(0))).includes(s3.secret)).toBe(false);
    }
    const verified = await culprit(['backup', 'verify', url, '--json'], environment);
    expect(JSON.parse(verified.stdout)).toMatchObject({ damaged: [], backups: [{}, {}] });
    const listed = await culprit(['backup', 'list', url, '--json'], environment);
    expect(JSON.parse(listed.stdout)).toMatchObject({ dir: parseS3Address(url).place, backups: [{}, {}] });
    const wrong = await culprit(['backup', 'list', url], at(server, { CULPRIT_BACKUP_PASSPHRASE: 'another one 77' }));
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('the passphrase is wrong') });
    for (const { stdout, stderr } of [first, again, verified, listed, wrong]) {
      expect(`${stdout}${stderr}`).not.toContain(s3.secret);
      expect(`${stdout}${stderr}`).not.toContain(encodeURIComponent(s3.secret));
    }

    await using restored = await Server.create(passphrase, { init: false, start: false });
    await rm(restored.dataDir, { recursive: true });
    expect(await culprit(['restore', url], at(restored, passphrase))).toMatchObject({ code: 0, stderr: '' });
    await restored.start();
    await restored.drained();
    expect(await errorsOf(restored)).toBe(12);

    // Damage is found, and named by where it lies.
    const dir = join(s3.dir, parseS3Address(url).bucket, 'nightly/objects');
    const names = (await readdir(dir, { recursive: true })).filter((name) => name.includes('/')).toSorted();
    await rm(join(dir, names[0]!));
    await writeFile(join(dir, names[1]!), 'changed');
    const damaged = await culprit(['backup', 'verify', url], environment);
    expect(damaged.code).toBe(1);
    for (const name of names.slice(0, 2)) expect(damaged.stdout).toContain(`nightly/objects/${name}`);
  });

  test('one of a stopped server goes on where it was when S3 was away', async () => {
    const url = await s3.bucket();
    await server.stop();
    // So slowly that most of it is still to come on a fast machine, too.
    const slow = culprit(['backup', url, '--rate', '100k'], at(server));
    const objects = createObjects(parseS3Address(url));
    await server.until('some of it is there', async () => {
      let count = 0;
      for await (const _ of objects.list('objects/')) count++;
      return count > 1;
    });
    await s3.stop('SIGKILL');
    const failed = await slow;
    await s3.start();
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses connections') });
    // The process that had it is gone.
    expect(await culprit(['backup', url], at(server))).toMatchObject({ code: 0, stderr: '' });
    expect(await culprit(['backup', 'verify', url], at(server))).toMatchObject({ code: 0 });
  });
});

// In a directory that is tried in each run, and each kind of place by the tests of shelves.
test.runIf(endurance)('scheduled ones are taken, older ones go, and what people delete is in the list', async () => {
  const url = await s3.bucket();
  const settings = {
    CULPRIT_BACKUP_DIR: url,
    CULPRIT_BACKUP_SCHEDULE: '* * * * * *',
    CULPRIT_BACKUP_KEEP: 'daily=1',
    ...passphrase,
  };
  await using server = await Server.create(settings, { clock: true });
  const objects = createObjects(parseS3Address(url));
  const summaries = async (): Promise<string[]> => {
    const names = [];
    for await (const { key } of objects.list('backups/')) if (key.endsWith('.json')) names.push(key);
    return names;
  };
  const first = await server.until('one is taken', async () => (await summaries())[0]);
  await server.until('another one stands for it', async () => {
    const names = await summaries();
    return names.length === 1 && names[0] !== first;
  });
  expect(await culprit(['project', 'create', 'Gone'], at(server))).toMatchObject({ code: 0 });
  const { organization, token } = server.installed;
  const removed = await fetch(`${server.url}/api/0/projects/${organization}/gone/`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(removed.ok).toBe(true);
  await server.moveClock(40_000);
  await server.until('the deletion is in the list', async () => (await objects.head('deletions/list'))?.size);
  const shown = await culprit(['config'], at(server, settings));
  expect(shown.stdout).not.toContain(s3.secret);
  expect(shown.stdout).toContain(':***@127.0.0.1');
});

test('of an installation with its blobs on S3 all else is backed up, and that is said', async () => {
  const url = await s3.bucket();
  const settings = { CULPRIT_BLOBS_URL: url };
  await using server = await Server.create(settings);
  const id = newEventId();
  const text = 'a line of a log\n'.repeat(5000);
  const body = [
    JSON.stringify({ event_id: id }),
    JSON.stringify({ type: 'attachment', filename: 'app.log', content_type: 'text/plain', length: text.length }),
    text,
    JSON.stringify({ type: 'event' }),
    JSON.stringify({ event_id: id, platform: 'node', message: 'with a file' }),
    '',
  ].join('\n');
  expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).ok).toBe(true);
  await server.drained();
  const { organization, project } = server.installed;
  const path = `/projects/${organization}/${project}/events/${id}/attachments/`;
  const [file] = await server.api<{ id: string; name: string }[]>(path);
  const headers = { authorization: `Bearer ${server.installed.token}` };
  const got = await fetch(`${server.url}/api/0${path}${file?.id}/?download`, { headers });
  expect(await got.text()).toBe(text);
  // Made where an installation was made before it got a bucket.
  const here = await readdir(join(server.dataDir, 'blobs')).catch(() => []);
  expect(here.filter((name) => name !== '.incoming')).toEqual([]);

  const dir = join(root, 'elsewhere');
  const taken = await culprit(['backup', dir], at(server, settings));
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('Not in this backup: blobs on S3') });
  const refused = await culprit(['backup', url.replace('?', '/backups?')], at(server, settings));
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Use another bucket or prefix') });
});
