/** Backups in a bucket of S3: the next one after an erasure does not have the person, and an older one does not bring them back. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf, filesOf, type Found, rowsOfEvents, rowsOfState } from './attacks/secrets/search.ts';
import { ada, bob, placesOf, sendAll } from './erasing.ts';
import { culprit, Server } from './harness.ts';
import { sharedS3 } from './s3/server.ts';

const settings = { CULPRIT_SELF_REPORT: 'off' };
let bucket: string;
let server: Server;
beforeAll(async () => {
  const s3 = await sharedS3();
  bucket = (await s3.bucket()).replace('?', '/nightly?');
  server = await Server.create(settings);
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const url = '/organizations/acme/erasures/';
const post = <T>(path: string, body: object): Promise<T> =>
  server.api<T>(path, { method: 'POST', body: JSON.stringify(body) });

const statusIs = (id: string, wanted: string): Promise<unknown> =>
  server.until(`the request is ${wanted}`, async () => {
    const { status, detail } = await server.api<{ status: string; detail: string }>(`${url}${id}/`);
    expect([status, detail]).not.toContain('failed');
    return status === wanted;
  });

/** Resolves to its id. */
async function backUp(): Promise<string> {
  const taken = await culprit(['backup', bucket, '--json'], { CULPRIT_DATA_DIR: server.dataDir });
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  return (JSON.parse(taken.stdout) as { id: string }).id;
}

async function restored(id: string): Promise<Server> {
  const other = await Server.create(settings, { init: false, start: false });
  await rm(other.dataDir, { recursive: true });
  const words = ['restore', bucket, id, '--key-file', join(server.dataDir, 'secret.key')];
  expect(await culprit(words, { CULPRIT_DATA_DIR: other.dataDir })).toMatchObject({ code: 0, stderr: '' });
  return other;
}

async function collected(of: Server): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of rowsOfEvents(of)) all.push(found);
  for await (const found of rowsOfState(of)) all.push(found);
  for await (const found of blobsOf(of)) all.push(found);
  for await (const found of filesOf(of)) all.push(found);
  return all;
}

const kept = ['blobs', 'errors.user_email', 'logs.attributes', 'spans.user', 'state.feedback.email'];

test('neither the next one nor one from before has the person', async () => {
  for (const [person, tag] of [
    [ada, 'Ada'],
    [bob, 'Bob'],
  ] as const)
    await sendAll(server, person, tag);
  await server.drained();
  const before = await backUp();

  const person = [
    { kind: 'id', value: ada.id },
    { kind: 'email', value: ada.email },
    { kind: 'name', value: ada.username },
    { kind: 'ip', value: ada.ip_address },
  ];
  const { id } = await post<{ id: string }>(url, { person, reference: 'on S3' });
  await statusIs(id, 'found');
  await post(`${url}${id}/erase/`, { confirm: ada.email });
  await statusIs(id, 'done');
  const after = await backUp();
  expect(after).not.toBe(before);

  for (const backup of [after, before]) {
    await using other = await restored(backup);
    // As it was restored, byte by byte: nobody has started it, and nothing was erased since.
    if (backup === after) {
      const files: Found[] = [];
      for await (const found of filesOf(other)) files.push(found);
      expect(placesOf(files, ada)).toEqual([]);
    }
    await other.start();
    await other.drained();
    // Whoever was erased after the backup is erased again by the server, too: of what waited in its log.
    await other.until('nobody is left to be erased', async () => {
      await using state = await other.state();
      const rows = await state.db.selectFrom('erasure').select('state').execute();
      return rows.every((row) => row.state === 'done');
    });
    const all = await collected(other);
    expect([backup === after, placesOf(all, ada)]).toEqual([backup === after, []]);
    expect(placesOf(all, bob)).toEqual(expect.arrayContaining(kept));
  }
}, 240_000);
