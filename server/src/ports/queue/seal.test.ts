import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { secretsOf } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openLmdbLog } from './lmdb.ts';
import type { EventLog } from './log.ts';
import { encodeReceived } from './received.ts';
import { createReader } from './seal.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-sealed-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const fresh = (): Promise<string> => mkdtemp(join(root, 'case-'));

const limitBytes = 2 ** 30;
const box = testSecrets.boxSetup('log record');
const otherBox = secretsOf('another secret of thirty-two letters', 'a test').boxSetup('log record');
const all = { maxRecords: 1_000, maxBytes: limitBytes };

async function take(log: EventLog): Promise<{ readonly texts: string[]; readonly unreadable: number[] }> {
  const batch = await log.lease(all);
  if (!batch) return { texts: [], unreadable: [] };
  const { records, unreadable } = createReader(log.reader)(batch.records);
  await log.acknowledge(batch, unreadable);
  return { texts: records.map(({ value }) => Buffer.from(value).toString()), unreadable };
}

/** As the version before records were sealed wrote it. */
async function writeEarlierLog(dir: string, values: readonly Uint8Array[], leased = 0): Promise<void> {
  const store = openLmdb({ path: join(dir, 'log.mdb'), overlappingSync: false });
  const records = store.openDB<Uint8Array, number>({ name: 'records', encoding: 'binary' });
  const batches = store.openDB<unknown, number>({ name: 'batches', encoding: 'json' });
  const facts = store.openDB<unknown, string>({ name: 'facts', encoding: 'json' });
  facts.putSync('id', '0123456789abcdef');
  const bytes = values.reduce((sum, { length }) => sum + length, 0);
  facts.putSync('head', { next: values.length + 1, records: values.length, bytes });
  for (const [index, value] of values.entries()) records.putSync(index + 1, value);
  if (leased > 0) batches.putSync(1, { to: leased, records: leased, bytes: leased * values[0]!.length });
  await store.close();
}

test('nothing that waits can be read in the file, and it comes out as it went in', async () => {
  const dir = await fresh();
  await using log = await openLmdbLog({ dir, limitBytes, box });
  await Promise.all(Array.from({ length: 50 }, (_, index) => log.append(Buffer.from(`secret-${index}-hunter2`))));
  expect((await readFile(join(dir, 'log.mdb'))).includes('hunter2')).toBe(false);
  expect((await take(log)).texts.slice(0, 2)).toEqual(['secret-0-hunter2', 'secret-1-hunter2']);
});

test('a record does not open at another position', async () => {
  await using log = await openLmdbLog({ dir: await fresh(), limitBytes, box });
  await log.append(Buffer.from('a'));
  const [record] = (await log.lease(all))?.records ?? [];
  const open = createReader(log.reader);
  expect(open([record!]).records).toHaveLength(1);
  expect(open([{ ...record!, position: 2 }])).toEqual({ records: [], unreadable: [2] });
});

test('what an earlier version left is read as it is, and not in the clear any more', async () => {
  const dir = await fresh();
  const value = encodeReceived(
    { kind: 'envelope', projectId: 1, keyId: 1, receivedAt: 0, encoding: '' },
    Buffer.from('password=hunter2'),
  );
  await writeEarlierLog(
    dir,
    Array.from({ length: 30 }, () => value),
    10,
  );
  expect((await readFile(join(dir, 'log.mdb'))).includes('hunter2')).toBe(true);

  await using log = await openLmdbLog({ dir, limitBytes, box });
  expect((await readFile(join(dir, 'log.mdb'))).includes('hunter2')).toBe(false);
  expect(log.stats()).toMatchObject({ records: 30, unreadable: 0 });
  const first = await log.lease(all);
  expect(first).toMatchObject({ token: '0123456789abcdef:1-10', redelivered: true });
  await log.acknowledge(first!);
  const { texts } = await take(log);
  expect(texts).toHaveLength(20);
  expect(texts[0]).toBe(Buffer.from(value).toString());
  expect(log.stats()).toMatchObject({ records: 0, bytes: 0 });
  expect(await log.append(value)).toBe(31);
});

test('pages that an earlier version had freed go, too', async () => {
  const dir = await fresh();
  await writeEarlierLog(dir, []);
  const store = openLmdb({ path: join(dir, 'log.mdb') });
  const records = store.openDB<Uint8Array, number>({ name: 'records', encoding: 'binary' });
  records.putSync(1, Buffer.alloc(50_000, 'hunter2 '));
  records.removeSync(1);
  await store.close();
  expect((await readFile(join(dir, 'log.mdb'))).includes('hunter2')).toBe(true);
  await using log = await openLmdbLog({ dir, limitBytes, box });
  expect((await readFile(join(dir, 'log.mdb'))).includes('hunter2')).toBe(false);
  expect(log.stats().records).toBe(0);
});

test('with another key, records are kept aside and counted, and come back with theirs', async () => {
  const dir = await fresh();
  const said: string[] = [];
  const warn = (sentence: string): void => void said.push(sentence);
  const first = await openLmdbLog({ dir, limitBytes, box });
  for (const text of ['a', 'b', 'c']) await first.append(Buffer.from(text));
  await first.close();

  const lost = await openLmdbLog({ dir, limitBytes, box: otherBox, warn });
  await lost.append(Buffer.from('new'));
  expect(await take(lost)).toEqual({ texts: ['new'], unreadable: [1, 2, 3] });
  expect(lost.stats()).toMatchObject({ records: 0, bytes: 0, unreadable: 3 });
  expect(said.join()).toContain('3 requests in the log cannot be opened with this key');
  await lost.close();

  const still = await openLmdbLog({ dir, limitBytes, box: otherBox });
  expect(still.stats()).toMatchObject({ records: 0, unreadable: 3 });
  expect(await still.lease(all)).toBeUndefined();
  await still.close();

  await using again = await openLmdbLog({ dir, limitBytes, box });
  expect(again.stats()).toMatchObject({ records: 3, unreadable: 0 });
  expect((await take(again)).texts).toEqual(['a', 'b', 'c']);
});
