/** On real stores: what was measured adds up to what lies on the disk. */
import { link, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeOfFolder } from '../../base/disk-usage.ts';
import { openLog } from '../../ports/queue/open.ts';
import { testErrorRow } from '../../ports/events/test-rows.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createDiskUsage, usedBytes } from './index.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores({ isWhole: true });
});
afterAll(() => stores?.[Symbol.asyncDispose]());

const never = { node: 'n', leaseMs: 1_000, isFresh: true, signal: new AbortController().signal };

async function usageOf(noted: string[] = []) {
  const { state, events, dataDir } = stores;
  const log = await openLog({ url: '', dataDir, limitBytes: 2 ** 30, box: testSecrets.boxSetup('log record') });
  const failures = {
    note: (error: unknown) => {
      noted.push(String(error));
      return { digest: '', eventId: undefined };
    },
  };
  const usage = createDiskUsage({ node: 'n', dataDir, retentionDays: 90, state, log, events, failures });
  return { usage, [Symbol.asyncDispose]: () => log.close() };
}

test('what is measured is what lies there, by store and project', async () => {
  const { events, dataDir } = stores;
  const rows = Array.from({ length: 300 }, (_, number) =>
    testErrorRow({ project_id: number % 3 === 0 ? 8 : 9, event_id: String(number).padStart(32, '0') }),
  );
  await events.insert('errors', rows, 'some');
  const kept = join(dataDir, 'blobs', 'items', '2026-11-20', '9');
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, 'file'), Buffer.alloc(2_000_000, 'x'));
  // What a restore point shares with others counts as theirs.
  const point = join(dataDir, 'restore-points', '1', 'data');
  await mkdir(join(point, 'more'), { recursive: true });
  await writeFile(join(point, 'own'), Buffer.alloc(1_000_000, 'x'));
  await link(join(kept, 'file'), join(point, 'shared'));
  await link(join(point, 'own'), join(point, 'more', 'own'));
  await using opened = await usageOf();
  await mkdir(join(dataDir, 'log', 'retained'), { recursive: true });
  await writeFile(join(dataDir, 'log', 'retained', '1.records'), Buffer.alloc(1_000_000, 'x'));
  await opened.usage.job.run(never);
  const status = await opened.usage.status();
  const report = status?.report;
  expect(report && usedBytes(report)).toBeGreaterThan((await sizeOfFolder(dataDir)) * 0.8);
  expect(report && usedBytes(report)).toBeLessThan((await sizeOfFolder(dataDir)) * 1.2);
  const of = (store: string) => report?.stores.find((one) => one.store === store);
  expect(of('attachments')).toMatchObject({
    bytes: expect.any(Number) as number,
    oldest: { at: Date.parse('2026-11-20'), leavesAt: Date.parse('2026-11-20') + 91 * dayMs },
  });
  expect(of('attachments')?.bytes).toBeGreaterThanOrEqual(2_000_000);
  expect(of('restorePoints')?.bytes).toBe(of('retained')?.bytes);
  expect(of('retained')?.bytes).toBeGreaterThanOrEqual(1_000_000);
  expect(of('retained')?.bytes).toBeLessThan(1_100_000);
  expect(of('events')?.oldest?.at).toBeLessThanOrEqual(Date.now());
  expect(of('state')?.isHere).toBe(true);
  expect(report?.projects.map(({ projectId }) => projectId)).toEqual([9, 8]);
  expect(report?.projects[0]?.bytes).toBeGreaterThan(2_000_000);
  expect(status).toMatchObject({ forecast: { kind: 'unknown' } });
});

test('a start knows what the last one has measured, and when the disk will be full', async () => {
  const { state } = stores;
  const first = await usageOf();
  const space = await first.usage.status();
  await first[Symbol.asyncDispose]();
  const free = space?.freeBytes ?? 0;
  const used = (space?.totalBytes ?? 0) - free;
  // Three days, in which a share of what is free now was taken.
  const samples = Array.from({ length: 72 }, (_, hour) => ({
    node: 'n',
    at: Date.now() - (72 - hour) * hourMs,
    used_bytes: Math.round(used - (72 - hour) * (free / 24 / 4)),
    free_bytes: Math.round(free),
  }));
  await state.db.insertInto('disk_sample').values(samples).execute();
  const noted: string[] = [];
  await using opened = await usageOf(noted);
  const status = await opened.usage.status();
  expect(status?.report?.at).toBe(space?.report?.at);
  expect(status?.forecast.kind).toBe('full');
  if (status?.forecast.kind !== 'full') return;
  const days = (status.forecast.at - Date.now()) / dayMs;
  expect(days).toBeGreaterThan(2);
  expect(days).toBeLessThan(4.1);
  expect(status.alarm).toMatch(/^The disk (will be full in about \d days?|has \d+.% left)\.$/);
  await opened.usage.job.run(never);
  expect(noted).toEqual([`Error: ${(await opened.usage.status())?.alarm}`]);
});
