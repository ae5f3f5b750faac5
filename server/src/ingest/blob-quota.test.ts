import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BlobQuota, openBlobQuota } from './blob-quota.ts';
import { scannedItem } from './scan.ts';
import { testKey } from './test-server.ts';

const { log: logger } = fastify();
const day = 20_000;
const noon = (day + 0.5) * 86_400_000;
/** As the state store has it. */
let stored: { day: number; bytes: number };
let isAway: boolean;
let calls: number;

async function add(_keyId: number, on: number, bytes: number): Promise<number> {
  calls++;
  if (isAway) throw new Error('away');
  if (on > stored.day) stored = { day: on, bytes };
  else if (on === stored.day) stored.bytes += bytes;
  return stored.bytes;
}

beforeEach(() => {
  stored = { day: 0, bytes: 0 };
  isAway = false;
  calls = 0;
  vi.useFakeTimers({ now: noon, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const open = (): BlobQuota => openBlobQuota(add, logger, 1e9);
const item = (type: string, bytes: number) => Object.assign(scannedItem({ type }), { bytes });
const key = testKey({ blobBytesPerDay: 1_000_000 });
const passes = async (quota: BlobQuota, type: string, bytes: number, at = noon): Promise<boolean> =>
  (await quota.stopped([item(type, bytes)], key, at)).length === 0;

test('blobs up to the limit, rows without end', async () => {
  await using quota = open();
  expect(await passes(quota, 'attachment', 600_000)).toBe(true);
  expect(await passes(quota, 'replay_recording', 500_000)).toBe(false);
  expect(await passes(quota, 'attachment', 400_000)).toBe(true);
  expect(await passes(quota, 'attachment', 1)).toBe(false);
  for (const type of ['event', 'transaction', 'span', 'log', 'session', 'sessions', 'client_report', 'raw_security']) {
    expect(await passes(quota, type, 900_000), type).toBe(true);
  }
  // Small text lies in a row.
  expect(await passes(quota, 'feedback', 60_000)).toBe(true);
  expect(await passes(quota, 'feedback', 70_000)).toBe(false);
});

test('what belongs together passes together', async () => {
  await using quota = open();
  const items = [
    item('replay_event', 1000),
    item('replay_recording', 2_000_000),
    item('event', 1000),
    item('attachment', 5),
  ];
  const stopped = await quota.stopped(items, key, noon);
  expect(stopped.map(({ type }) => type.name)).toEqual(['replay_event', 'replay_recording']);
});

test('only the first of a key asks the state store', async () => {
  await using quota = open();
  await Promise.all(Array.from({ length: 100 }, () => passes(quota, 'attachment', 10)));
  for (let count = 0; count < 100; count++) await passes(quota, 'event', 10);
  expect(calls).toBe(1);
  await quota.flush();
  expect([calls, stored.bytes]).toEqual([2, 1000]);
  await quota.flush();
  expect(calls).toBe(2);
});

test('a restart goes on from what was taken', async () => {
  {
    await using quota = open();
    expect(await passes(quota, 'attachment', 900_000)).toBe(true);
  }
  await using quota = open();
  expect(await passes(quota, 'attachment', 200_000)).toBe(false);
  expect(await passes(quota, 'attachment', 100_000)).toBe(true);
});

test('several processes hear of each other', async () => {
  await using one = open();
  await using other = open();
  for (const quota of [one, other]) expect(await passes(quota, 'attachment', 450_000)).toBe(true);
  for (const quota of [one, other, one]) await quota.flush();
  await passes(one, 'attachment', 1);
  await one.flush();
  expect(await passes(one, 'attachment', 150_000)).toBe(false);
  expect(await passes(other, 'attachment', 150_000)).toBe(false);
});

test('a new day begins anew, and none has no limit', async () => {
  await using quota = open();
  expect(await passes(quota, 'attachment', 1_000_000)).toBe(true);
  expect(await passes(quota, 'attachment', 1)).toBe(false);
  expect(await passes(quota, 'attachment', 1_000_000, noon + 86_400_000)).toBe(true);
  const free = testKey({ keyId: 2, blobBytesPerDay: null });
  expect(await quota.stopped([item('attachment', 1e12)], free, noon)).toEqual([]);
});

test('while the state store is away, what comes is counted here and written later', async () => {
  await using quota = open();
  isAway = true;
  expect(await passes(quota, 'attachment', 700_000)).toBe(true);
  await quota.flush();
  expect(await passes(quota, 'attachment', 700_000)).toBe(false);
  isAway = false;
  await quota.flush();
  expect(stored.bytes).toBe(700_000);
});
