/** Classes are kept within their age and size, in whole parts, on an engine; and what a kill broke off goes on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sameDays } from '../../base/retention.ts';
import { openBlobs } from '../../ports/blobs/open.ts';
import { projectPrefix } from '../../ports/blobs/retention.ts';
import type { Events } from '../../ports/events/events.ts';
import { type OpenedEvents, openEvents } from '../../ports/events/open.ts';
import { testErrorRow, testLogRow } from '../../ports/events/test-rows.ts';
import { openMigratedState } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { listDrops, openDrops } from './drops.ts';
import { bytesOf, rowsOf } from './goes.ts';
import { createRetentionKeeper } from './keeper.ts';
import { readRules, type Rules, saveRules } from './settings.ts';
import { readStored } from './stored.ts';

const dayMs = 86_400_000;
const retentionDays = 90;

let dataDir: string;
let store: OpenedEvents;
let events: Events;
let state: State;
const noted: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-retention-'));
  ({ state } = await openMigratedState({ url: '', dataDir }));
  await open();
}, 120_000);
afterAll(async () => {
  await store?.close();
  await state?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await openEvents({ url: '', dataDir });
  ({ events } = store);
  await store.prepare({ retentionDays, keptDays: sameDays(retentionDays) });
}

const blobs = () => openBlobs({ url: '', dataDir });

const openKeeper = (over: Partial<Parameters<typeof createRetentionKeeper>[0]> = {}) =>
  createRetentionKeeper({
    state,
    events,
    blobs: blobs(),
    dataDir,
    retentionDays,
    failures: {
      note: (error: unknown) => {
        noted.push(error instanceof Error ? error.message : '');
        return { digest: '', eventId: undefined };
      },
    },
    ...over,
  });
const keeperOf = (...over: Parameters<typeof openKeeper>) => openKeeper(...over).job;

const run = async (job = keeperOf()): Promise<void> => {
  await job.run({ node: 'test', leaseMs: 60_000, isFresh: true, signal: new AbortController().signal });
};

async function choose(change: Partial<Rules>): Promise<void> {
  await saveRules(state, { ...(await readRules(state)), ...change });
}

const count = async (table: string): Promise<number> =>
  (await events.query<{ n: number }>(`SELECT count() AS n FROM ${table}`))[0]?.n ?? 0;

/** Of each of the weeks before this one, as many logs and errors, and a file. */
async function fill(weeks: number): Promise<void> {
  const writer = events.payloads?.createWriter(() => at);
  let at = 0;
  for (let week = 0; week < weeks; week++) {
    at = Date.now() - week * 7 * dayMs;
    const logs = Array.from({ length: 200 }, (_, index) =>
      testLogRow({
        project_id: 1,
        timestamp: at * 1000 + index,
        body: Array.from({ length: 40 }, () => Math.random().toString(36)).join(' '),
      }),
    );
    await events.insert('logs', logs, `logs:${week}`);
    const batch = writer?.batch();
    const place = batch?.add(JSON.stringify({ week, text: Math.random().toString(36).repeat(50) }), 'kin');
    if (writer && batch) await writer.write(batch);
    const row = testErrorRow({
      project_id: 1,
      timestamp: at,
      event_id: week.toString(16).padStart(32, '0'),
      payload_segment: place?.segment ?? 0,
      payload_ordinal: place?.ordinal ?? 0,
    });
    await events.insert('errors', [row], `errors:${week}`);
    batch?.[Symbol.dispose]();
    await blobs().put(`${projectPrefix(at, 1)}f${week}`, Buffer.alloc(1_000, week));
  }
  await writer?.[Symbol.asyncDispose]();
}

test('nothing is chosen: what is stored is measured by class, and all of it stays', async () => {
  await fill(6);
  await run();
  const stored = await readStored(state);
  expect(rowsOf(stored?.classes.logs ?? { units: [] })).toBe(1_200);
  expect(rowsOf(stored?.classes.errors ?? { units: [] })).toBe(6);
  expect(bytesOf(stored?.classes.attachments ?? { units: [] })).toBeGreaterThan(0);
  expect([await count('logs'), await count('errors')]).toEqual([1_200, 6]);
  expect(await listDrops(state)).toEqual([]);
});

test('each class has its age: logs of 17 days, files of 10, and errors stay', async () => {
  await choose({ logs: { days: 17, limitBytes: null }, attachments: { days: 10, limitBytes: null } });
  await run();
  // Weeks that are wholly older go at once; of the others the engine drops parts.
  expect(await count('logs')).toBeLessThanOrEqual(800);
  const dropped = async (): Promise<number> => {
    await events.command('OPTIMIZE TABLE logs FINAL');
    return count('logs');
  };
  await expect.poll(dropped, { timeout: 15_000 }).toBe(600);
  expect(await count('errors')).toBe(6);
  expect(await blobs().folders('items/')).toHaveLength(2);
  const [table] = await events.query<{ definition: string }>(
    `SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = 'logs'`,
  );
  expect(table?.definition).toContain('toIntervalDay(17)');
  expect(await listDrops(state)).toEqual([]);
});

test('a start with the configuration alone keeps what was chosen', async () => {
  await choose({ logs: { days: 400, limitBytes: null } });
  await run();
  await store.close();
  store = await openEvents({ url: '', dataDir });
  ({ events } = store);
  await store.prepare({ retentionDays });
  const [table] = await events.query<{ definition: string }>(
    `SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = 'logs'`,
  );
  expect(table?.definition).toContain('toIntervalDay(400)');
});

test('above its size the oldest weeks of a class go, and it is said', async () => {
  await run();
  const before = await count('logs');
  const bytes = bytesOf((await readStored(state))?.classes.logs ?? { units: [] });
  await choose({ logs: { days: 400, limitBytes: bytes - 1_000 } });
  await run();
  expect(await count('logs')).toBe(before - 200);
  const [drop, ...more] = await listDrops(state);
  expect(drop).toMatchObject({ name: 'logs', reason: 'size', rows: 200, doneAt: expect.any(Number) as number });
  expect(more).toEqual([]);
  expect(noted.at(-1)).toMatch(/^Deleted logs from before \d{4}-\d\d-\d\d \(.+\)\. Their size exceeded the limit/);
  expect(await count('errors')).toBe(6);
  await run();
  expect(await listDrops(state)).toHaveLength(1);
});

test('this week stays, whatever the limit', async () => {
  await choose({ logs: { days: 400, limitBytes: 1 } });
  await run();
  expect(await count('logs')).toBe(200);
  await choose({ logs: { days: null, limitBytes: null } });
});

test('while it is held nothing goes', async () => {
  await choose({ errors: { days: 1, limitBytes: 1 } });
  await run(keeperOf({ isHeld: async () => true }));
  expect(await count('errors')).toBe(6);
});

test('a kill in the midst of it is made good by the next run, and errors go with their payloads', async () => {
  await choose({ errors: { days: null, limitBytes: 1 } });
  let left = 2;
  const command: Events['command'] = async (sql, ...rest) => {
    if (sql.includes('DROP PARTITION') && left-- === 0) throw new Error('killed');
    return events.command(sql, ...rest);
  };
  const dying = new Proxy(events, {
    get: (target, name) => {
      if (name === 'command') return command;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
  await expect(run(keeperOf({ events: dying }))).rejects.toThrow('killed');
  expect(await count('errors')).toBe(4);
  expect(await openDrops(state)).toHaveLength(1);
  await store.close();
  await open();
  await run();
  expect(await openDrops(state)).toEqual([]);
  expect(await count('errors')).toBe(1);
  const days = [...((await events.payloads?.daySizes()) ?? [])];
  expect(days.length).toBeLessThanOrEqual(2);
  expect((await listDrops(state)).filter(({ name }) => name === 'errors')).toHaveLength(1);
});

test('a longer age holds from when it is saved, before a run', async () => {
  await choose({ logs: { days: 365, limitBytes: null } });
  await openKeeper().changed();
  const [logs] = await events.query<{ definition: string }>(
    `SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = 'logs'`,
  );
  expect(logs?.definition).toContain('toIntervalDay(365)');
});
