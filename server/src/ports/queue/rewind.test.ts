/** A downgrade's log: what waited at a mark, and all that came since, whatever was acknowledged meanwhile. */
import { appendFile, mkdir, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openLmdbLog } from './lmdb.ts';
import { openLmdbStore } from './lmdb-store.ts';
import type { EmbeddedLog } from './log.ts';
import { listRecordFiles } from './record-files.ts';
import { retainedDir } from './retained.ts';
import { markLog, returning, rewindLog } from './rewind.ts';
import { readable } from './testing/readable.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-rewind-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const box = testSecrets.boxSetup('log record');
const limitBytes = 2 ** 28;
const all = { maxRecords: 1000, maxBytes: 1e9 };
const fresh = (): Promise<string> => mkdtemp(join(root, 'case-'));
const open = async (dir: string, from?: number, maxBytes = 1e9): Promise<EmbeddedLog> =>
  readable(await openLmdbLog({ dir, box, limitBytes, ...(from !== undefined && { retain: { from, maxBytes } }) }));
const append = (log: EmbeddedLog, ...values: readonly string[]) =>
  Promise.all(values.map((value) => log.append(Buffer.from(value))));

async function drain(log: EmbeddedLog): Promise<string[]> {
  const values: string[] = [];
  for (let batch; (batch = await log.lease({ maxRecords: 3, maxBytes: 1e9 }));) {
    values.push(...batch.records.map(({ value }) => Buffer.from(value).toString()));
    await log.acknowledge(batch);
  }
  return values;
}

/** A log with a batch that was leased and one that was not, and the mark of it. */
async function marked() {
  const dir = await fresh();
  const waiting = join(dir, 'waiting');
  {
    await using log = await open(dir);
    await append(log, 'gone');
    await log.acknowledge((await log.lease(all))!);
    await append(log, 'leased 1', 'leased 2');
    await log.lease(all);
    await append(log, 'waits');
  }
  return { dir, waiting, mark: await markLog({ dir, limitBytes, box }, waiting) };
}

async function rewound(place: Awaited<ReturnType<typeof marked>>) {
  const to = await fresh();
  const result = await rewindLog({ ...place, limitBytes, box, to });
  return { to, result };
}

test('what waited comes in its batch, what came since comes once, acknowledged or not', async () => {
  const place = await marked();
  {
    await using log = await open(place.dir, place.mark.next);
    expect(await drain(log)).toEqual(['leased 1', 'leased 2', 'waits']);
    await append(log, 'new 1', 'new 2');
    expect(await drain(log)).toEqual(['new 1', 'new 2']);
    await append(log, 'new 3');
  }
  expect(await returning({ ...place, limitBytes }, place.mark)).toMatchObject({
    stopped: undefined,
    since: 3,
    gone: 0,
  });
  const { to, result } = await rewound(place);
  expect(result).toMatchObject({ records: 6, unreadable: 0 });
  await using log = await open(to);
  expect(log.stats()).toMatchObject({ records: 6, bytes: result.bytes });
  expect(await log.lease(all)).toMatchObject({ from: 2, to: 3, redelivered: true, token: `${place.mark.logId}:2-3` });
  expect(await drain(log)).toEqual(['waits', 'new 1', 'new 2', 'new 3']);
  expect(await append(log, 'later')).toEqual([8]);
});

test('the log itself stays as it is', async () => {
  const place = await marked();
  await rewound(place);
  await using log = await open(place.dir);
  expect(await drain(log)).toEqual(['leased 1', 'leased 2', 'waits']);
});

test('what is retained survives a torn end, which the log still has', async () => {
  const place = await marked();
  {
    await using log = await open(place.dir, place.mark.next);
    await append(log, 'one');
    await append(log, 'two');
  }
  const [file] = await listRecordFiles(retainedDir(place.dir));
  await truncate(file!.path, file!.bytes - 3);
  {
    await using log = await open(place.dir, place.mark.next);
    await drain(log);
  }
  await appendFile(file!.path, 'not a record');
  const { to } = await rewound(place);
  await using log = await open(to);
  expect(await drain(log)).toEqual(['leased 1', 'leased 2', 'waits', 'one', 'two']);
});

test('at its limit it stops, takes events all the same, and says what is gone', async () => {
  const place = await marked();
  {
    await using log = await open(place.dir, place.mark.next, 200);
    await append(log, 'kept');
    await append(log, 'x'.repeat(200));
    await append(log, 'after');
    expect(log.stats().retained).toMatchObject({ stopped: { position: 6 } });
    await drain(log);
    await append(log, 'still waits');
  }
  const back = await returning({ ...place, limitBytes }, place.mark);
  expect(back).toMatchObject({ stopped: { position: 6 }, since: 4, gone: 2 });
  const { to } = await rewound(place);
  await using log = await open(to);
  expect(await drain(log)).toEqual(['leased 1', 'leased 2', 'waits', 'kept', 'still waits']);
});

test('a version that knew no seal gets its log in the clear', async () => {
  const dir = await fresh();
  const waiting = join(dir, 'waiting');
  const store = openLmdbStore({ dir, limitBytes });
  const value = Buffer.from('in the clear');
  await store.write({
    head: { next: 2, records: 1, bytes: value.length },
    append: [{ position: 1, value }],
    lease: [],
    acknowledge: [],
  });
  await store.close();
  const mark = { ...(await markLog({ dir, limitBytes, box }, waiting)), isSealed: false };
  {
    await using log = await open(dir, mark.next);
    await append(log, 'sealed by now');
    await drain(log);
  }
  const { to } = await rewound({ dir, waiting, mark });
  const then = openLmdbStore({ dir: to, limitBytes });
  expect([...then.read(1)].map(({ value }) => Buffer.from(value).toString())).toEqual([
    'in the clear',
    'sealed by now',
  ]);
  await then.close();
});

test('what is retained goes file by file, and all of it without a restore point', async () => {
  const place = await marked();
  const dir = retainedDir(place.dir);
  {
    await using log = await open(place.dir, place.mark.next);
    for (const name of ['a', 'b']) await append(log, name.repeat(40 * 2 ** 20));
    await append(log, 'c');
    await log.forgetRetained(place.mark.next + 1);
    expect(await readdir(dir)).toEqual(['5.records', '7.records']);
    await log.forgetRetained(place.mark.next + 2);
    expect(await readdir(dir)).toEqual(['7.records']);
  }
  await using log = await open(place.dir);
  await mkdir(dir);
  expect(await readdir(dir)).toEqual([]);
  expect(log.stats().retained).toBeUndefined();
});
