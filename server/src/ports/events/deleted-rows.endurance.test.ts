/** Deleted rows are given back to the disk, though the real engine is killed meanwhile. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeOfFolder } from '../../base/disk-usage.ts';
import { clearDeletedRows, markedPartitions } from './deleted-rows.ts';
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
  // Each second from the next start on, in place of some minutes.
  await events.command('ALTER TABLE logs MODIFY SETTING cleanup_delay_period = 1, max_cleanup_delay_period = 1');
  await events.command(
    `INSERT INTO logs (project_id, timestamp, received_at, body)
     SELECT 1 + number % 2, now64(3) - INTERVAL 14 DAY, now64(3), randomPrintableASCII(400) FROM numbers(60000)`,
  );
  await events.command('OPTIMIZE TABLE logs FINAL');
}

const countOf = async ({ events }: OpenedEvents): Promise<number> =>
  (await events.query<{ count: number }>('SELECT count() AS count FROM logs'))[0]?.count ?? 0;

/** Parts that another stands for are removed now and then. */
const settled = (dir: string, below: number): Promise<void> =>
  expect.poll(() => sizeOfFolder(dir), { timeout: 60_000, interval: 200 }).toBeLessThan(below);

test('an engine that is killed meanwhile goes on with it, and leaves nothing of before', async () => {
  const dir = join(root, 'killed');
  await using store = await openPreparedEvents(dir, { isWhole: true });
  await fill(store);
  await store.events.command('DELETE FROM logs WHERE project_id = 1');
  const clearing = clearDeletedRows(store.events, never).catch((error: unknown) => error);
  await expect
    .poll(() => store.events.query(`SELECT 1 FROM system.mutations WHERE command LIKE '%APPLY DELETED%'`), {
      interval: 5,
    })
    .toHaveLength(1);
  const lost = once(store.engine!, 'lost');
  process.kill(store.engine?.pid ?? 0, 'SIGKILL');
  await lost;
  await clearing;
  await store.engine?.whenReady();
  await clearDeletedRows(store.events, never);
  await expect.poll(() => markedPartitions(store.events), { timeout: 60_000 }).toEqual([]);
  expect(await countOf(store)).toBe(30_000);
  await settled(dir, 16 * mb);
}, 240_000);
