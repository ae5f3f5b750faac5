import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectEvents, type OpenedEvents } from '../open.ts';
import { testErrorRow } from '../test-rows.ts';
import { openPreparedEvents } from '../testing/prepared.ts';
import { fillIndex, hasIndex, type IndexedEvents, startIndex, weeksToFill } from './fill.ts';
import { createFillJob } from './job.ts';

let dir: string;
let opened: OpenedEvents;
let events: IndexedEvents;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'culprit-fill-'));
  opened = await openPreparedEvents(dir);
  if (!hasIndex(opened.events)) throw new Error('the embedded engine has an index');
  events = opened.events;
});
afterAll(async () => {
  await opened.close();
  rmSync(dir, { recursive: true, force: true });
});

const now = Date.now();
const weekMs = 7 * 86_400_000;
const idOf = (index: number): string => index.toString(16).padStart(32, '0');
const groups = (digit: string) => ({ projectId: 1, hashes: [digit.repeat(32)] });
const placeOf = (index: number) => ({ segment: 64 * now, ordinal: index });

/** As an earlier version did, which knew no index. */
async function store(from: number, count: number, columns: Parameters<typeof testErrorRow>[0] = {}): Promise<void> {
  await using unindexed = connectEvents(events.address);
  const rows = Array.from({ length: count }, (_, index) =>
    testErrorRow({
      event_id: idOf(from + index),
      group_hash: 'ab'[index % 2]?.repeat(32) ?? '',
      // Many of one time.
      timestamp: now - (index % 3) * weekMs,
      payload_segment: placeOf(0).segment,
      payload_ordinal: from + index,
      ...columns,
    }),
  );
  // Within one time they lie as they came.
  await unindexed.insert('errors', rows.toReversed(), `fill ${from}`);
}

test('an empty store is complete; one that has more than was told is filled, page by page, but for problems', async () => {
  const { index } = events;
  const job = createFillJob({ events, logger: pino({ level: 'silent' }), isBusy: async () => false });
  const run = () => job.run({ signal: new AbortController().signal } as Parameters<typeof job.run>[0]);
  expect(index.filling.isComplete()).toBe(true);
  expect(await weeksToFill(events)).toEqual([]);
  await index.lose();
  await store(1, 13_000);
  await store(15_001, 2, { digest: '42', trace_id: idOf(9), group_hash: 'd'.repeat(32), issue_type: '' });
  await store(20_001, 5, { issue_type: 'performance_slow_db_query', group_hash: 'c'.repeat(32) });
  await startIndex(events);
  expect(index.filling.isComplete()).toBe(false);
  expect(index.newest(groups('a'), 1)).toBeUndefined();
  const weeks = await weeksToFill(events);
  expect(weeks).toHaveLength(3);
  // The first week, and then it is ended.
  const ending = new AbortController();
  const rest = async (): Promise<void> => {
    if (index.filling.isFilled(weeks[0] ?? '')) ending.abort();
  };
  await expect(fillIndex(events, { signal: ending.signal, rest })).rejects.toThrow('abort');
  expect(index.filling.isComplete()).toBe(false);
  expect(await weeksToFill(events)).toEqual(weeks.slice(1));
  await run();
  expect(index.filling.isComplete()).toBe(true);
  // Weeks that are over.
  expect(index.weeksToPack()).toEqual([]);
  for (const digit of ['a', 'b']) expect(index.newest(groups(digit), 20_000)).toHaveLength(6_500);
  expect(index.newest(groups('c'), 1)).toEqual([]);
  const { events: tagged } = index.withDigest('42', { projectIds: [1] }, 9) ?? {};
  expect(tagged?.map(({ idEnd, traceId }) => [idEnd, traceId])).toEqual(
    [15_001, 15_002].map((number) => [idOf(number).slice(16), idOf(9)]),
  );
  expect([1, 7_777, 13_000].map((number) => index.placesOf(idOf(number)))).toEqual(
    [1, 7_777, 13_000].map((number) => [placeOf(number)]),
  );
}, 60_000);

test('where places changed the week is filled again, and nothing else', async () => {
  const { index } = events;
  await store(30_001, 3, { timestamp: now });
  await store(40_001, 3, { timestamp: now - weekMs });
  const [week = ''] = await events
    .query<{ week: string }>(`SELECT max(partition_id) AS week FROM system.parts WHERE table = 'errors' AND active`)
    .then((rows) => rows.map((row) => row.week));
  await index.filling.again(week);
  expect(await weeksToFill(events)).toEqual([week]);
  await fillIndex(events, { signal: new AbortController().signal, rest: async () => {} });
  expect(await weeksToFill(events)).toEqual([]);
  expect(index.placesOf(idOf(30_001))).toHaveLength(1);
  expect(index.placesOf(idOf(40_001))).toHaveLength(0);
});

test('which projects have revised events it is told at the start, and as they are revised', async () => {
  await using unindexed = connectEvents(events.address);
  const revision = (project_id: number) => ({
    project_id,
    event_id: idOf(1),
    timestamp: now,
    revised_at: now,
    title: '',
    culprit: '',
    payload: '{}',
  });
  expect(events.index.mayBeRevised(4)).toBe(false);
  await unindexed.insert('revisions', [revision(4)], 'of 4');
  await startIndex(events);
  await events.insert('revisions', [revision(5)], 'of 5');
  expect([3, 4, 5].map((project) => events.index.mayBeRevised(project))).toEqual([false, true, true]);
});
