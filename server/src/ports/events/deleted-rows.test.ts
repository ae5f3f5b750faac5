/** Deleted rows are given back to the disk by the real engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDeletedRows, isWorth, markedPartitions } from './deleted-rows.ts';
import type { OpenedEvents } from './open.ts';
import { openPreparedEvents } from './testing/prepared.ts';

const mb = 1e6;
const never = new AbortController().signal;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-deleted-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Log entries of two projects, as one part of two weeks ago. */
async function fill({ events }: OpenedEvents): Promise<void> {
  await events.command(
    `INSERT INTO logs (project_id, timestamp, received_at, body)
     SELECT 1 + number % 2, now64(3) - INTERVAL 14 DAY, now64(3), randomPrintableASCII(400) FROM numbers(60000)`,
  );
  await events.command('OPTIMIZE TABLE logs FINAL');
}

const countOf = async ({ events }: OpenedEvents): Promise<number> =>
  (await events.query<{ count: number }>('SELECT count() AS count FROM logs'))[0]?.count ?? 0;

/** Parts that another stands for are removed in some minutes: `deleted-rows.endurance.test.ts` waits for that. */
const bytesOf = async ({ events }: OpenedEvents): Promise<number> => {
  const [row] = await events.query<{ bytes: number }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table = 'logs'`,
  );
  return row?.bytes ?? 0;
};

test('rows that were deleted leave their parts', async () => {
  await using store = await openPreparedEvents(join(root, 'deleted'));
  await fill(store);
  expect(await bytesOf(store)).toBeGreaterThan(18 * mb);
  await store.events.command('DELETE FROM logs WHERE project_id = 1');
  expect(await bytesOf(store)).toBeGreaterThan(18 * mb);
  expect(await markedPartitions(store.events)).toMatchObject([{ table: 'logs' }]);
  expect(await clearDeletedRows(store.events, never)).toBeGreaterThan(9 * mb);
  expect(await bytesOf(store)).toBeLessThan(11 * mb);
  expect(await countOf(store)).toBe(30_000);
  expect(await markedPartitions(store.events)).toEqual([]);
  expect(await clearDeletedRows(store.events, never)).toBe(0);
}, 120_000);

test('a small share of a large part is left until it is worth it', () => {
  const of = (mib: number, share: number) => ({
    table: 'errors',
    partition: '20261123',
    bytes: mib * 2 ** 20,
    markedBytes: mib * 2 ** 20 * share,
  });
  expect([of(10, 0.001), of(1_000, 0.01), of(1_000, 0.06), of(1_000, 1), of(10, 0)].map(isWorth)).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
