/** When an order that is known still holds, and who is looked at beside it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive, type Live } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { KnownRankings } from './known-rankings.ts';

let live: Live;
let rankings: KnownRankings;
let reads: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  live = createLive();
  rankings = new KnownRankings({ live });
  reads = 0;
});

afterEach(() => {
  rankings[Symbol.dispose]();
  vi.useRealTimers();
});

const read = async () => {
  reads += 1;
  return [{ project_id: 1, group_hash: 'a', bound: reads }];
};

const ask = (key = 'by events') => rankings.ask(key, read);

const happen = (issueIds: readonly number[]): void =>
  live.publish({ type: 'events', projectId: 1, issueIds, newIssueIds: [], count: 1, first: false });

test('an order is read once, with those that got events since beside it', async () => {
  expect(await ask()).toMatchObject({ hashes: [{ bound: 1 }], gained: new Set() });
  happen([3, 4]);
  happen([4]);
  expect(await ask()).toMatchObject({ hashes: [{ bound: 1 }], gained: new Set([3, 4]) });
  expect(await ask('another')).toMatchObject({ hashes: [{ bound: 2 }], gained: new Set() });
  expect(reads).toBe(2);
});

test('events that were stored before it was read, and are told of later, are in it', async () => {
  const gained = { issues: new Map(), fromMs: steadyMs(), untilMs: steadyMs() };
  await vi.advanceTimersByTimeAsync(1);
  await ask();
  const common = { type: 'events', projectId: 1, newIssueIds: [], count: 1, first: false } as const;
  live.publish({ ...common, issueIds: [3], gained });
  expect((await ask()).gained.size).toBe(0);
});

test('what happens while it is read may not be in it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = rankings.ask('by events', async () => {
    await promise;
    return read();
  });
  happen([3]);
  resolve();
  expect((await asked).gained).toEqual(new Set([3]));
  expect((await ask()).gained).toEqual(new Set([3]));
});

test('it is read again after a merge, after a while, and when many issues got events', async () => {
  const moved = { type: 'issues', projectId: 1, issueIds: [1] } as const;
  await ask();
  live.publish({ ...moved, sameEvents: true });
  await ask();
  expect(reads).toBe(1);
  live.publish(moved);
  await ask();
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  await ask();
  expect(reads).toBe(3);
  happen(Array.from({ length: 201 }, (_, index) => index));
  await ask();
  expect(reads).toBe(4);
  const asked = rankings.ask('meanwhile', async () => {
    live.publish(moved);
    return read();
  });
  await asked;
  await ask('meanwhile');
  expect(reads).toBe(6);
});

test('few are kept, those asked for last', async () => {
  for (const key of ['a', 'b', 'c', 'd']) await ask(key);
  await ask('a');
  await ask('e');
  await ask('a');
  expect(reads).toBe(5);
  await ask('b');
  expect(reads).toBe(6);
});
