/** One project of a backup from before an erasure, restored: who was erased does not come back with it. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf, filesOf, type Found, rowsOfEvents, rowsOfState } from './attacks/secrets/search.ts';
import { ada, bob, placesOf, sendAll } from './erasing.ts';
import { culprit, endurance, Server } from './harness.ts';

let root: string;
let server: Server;
let other: Server;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-erase-restore-'));
  [server, other] = await Promise.all([
    Server.create({ CULPRIT_SELF_REPORT: 'off' }),
    Server.create({ CULPRIT_SELF_REPORT: 'off' }, { start: false }),
  ]);
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await other?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const url = '/organizations/acme/erasures/';
const post = <T>(path: string, body: object): Promise<T> =>
  server.api<T>(path, { method: 'POST', body: JSON.stringify(body) });

async function until(id: string, wanted: string): Promise<void> {
  await server.until(`the request is ${wanted}`, async () => {
    const { status, detail } = await server.api<{ status: string; detail: string }>(`${url}${id}/`);
    expect([status, detail]).not.toContain('failed');
    return status === wanted;
  });
}

async function collected(of: Server): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of rowsOfEvents(of)) all.push(found);
  for await (const found of rowsOfState(of)) all.push(found);
  for await (const found of blobsOf(of)) all.push(found);
  for await (const found of filesOf(of)) all.push(found);
  return all;
}

/** As `web-back`, with the key of where the backup is of. */
const restoreInto = (target: Server, dir: string, ...more: string[]) =>
  culprit(
    [
      'restore',
      dir,
      ...more,
      '--project',
      'web',
      '--as',
      'acme/web-back',
      '--key-file',
      join(server.dataDir, 'secret.key'),
    ],
    { CULPRIT_DATA_DIR: target.dataDir },
  );

test('neither into another installation, nor into the one that erased them', async () => {
  for (const [person, tag] of [
    [ada, 'Ada'],
    [bob, 'Bob'],
  ] as const)
    await sendAll(server, person, tag);
  await server.drained();
  const listed = join(root, 'listed');
  const backup = (dir: string) => culprit(['backup', dir, '--json'], { CULPRIT_DATA_DIR: server.dataDir });
  const taken = await backup(listed);
  expect(taken).toMatchObject({ code: 0, stderr: '' });
  const { id: first } = JSON.parse(taken.stdout) as { id: string };
  // Nobody tells it what was erased since.
  const unlisted = join(root, 'unlisted');
  await cp(listed, unlisted, { recursive: true });

  const person = [
    { kind: 'id', value: ada.id },
    { kind: 'email', value: ada.email },
    { kind: 'name', value: ada.username },
    { kind: 'ip', value: ada.ip_address },
  ];
  const { id } = await post<{ id: string }>(url, { person, reference: 'restored' });
  await until(id, 'found');
  await post(`${url}${id}/erase/`, { confirm: ada.email });
  await until(id, 'done');
  if (endurance) expect(await backup(listed)).toMatchObject({ code: 0, stderr: '' });
  await server.stop();

  // What a list of deletions keeps away is tested in each run with a whole backup (`backup.test.ts`).
  const targets = [
    [other, listed, [first]],
    [server, unlisted, []],
  ] as const;
  for (const [target, dir, more] of endurance ? targets : targets.slice(1)) {
    expect(await restoreInto(target, dir, ...more)).toMatchObject({ code: 0, stderr: '' });
    await target.start();
    const all = await collected(target);
    expect(placesOf(all, ada)).toEqual([]);
    expect(placesOf(all, bob)).toEqual(
      expect.arrayContaining(['blobs', 'errors.user_email', 'logs.attributes', 'spans.user', 'state.feedback.email']),
    );
    const events = await target.api<{ title: string }[]>('/projects/acme/web-back/events/');
    const titles = events.map(({ title }) => title).join('\n');
    expect(titles).toContain('FailureBob');
    expect(titles).not.toContain('FailureAda');
    await target.stop();
  }
}, 240_000);
