/** When environments that are known still hold. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLive, type Live } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { KnownEnvironments } from './known-environments.ts';

let live: Live;
let known: KnownEnvironments;
let reads: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  live = createLive();
  known = new KnownEnvironments({ live });
  reads = 0;
});

afterEach(() => {
  known[Symbol.dispose]();
  vi.useRealTimers();
});

const read = async () => {
  reads += 1;
  return [
    { name: 'production', lastSeen: 3_600_000 },
    { name: '', lastSeen: 0 },
  ];
};
const ask = (projectIds = [1, 2]) => known.ask(projectIds, '', read);

function happen(projectId: number, environments?: readonly string[]): void {
  const common = { type: 'events', projectId, issueIds: [7], newIssueIds: [], count: 1, first: false } as const;
  const gain = { hourMs: 0, events: 1, unhandled: 0, lastSeen: 1, users: [] };
  const issues = new Map([[7, (environments ?? []).map((environment) => ({ ...gain, environment }))]]);
  const now = steadyMs();
  live.publish({ ...common, gained: environments && { issues, fromMs: now, untilMs: now } });
}

test('are read once while events are of those, or of other projects', async () => {
  expect(await ask()).toHaveLength(2);
  happen(1, ['production', '']);
  happen(3, ['new']);
  happen(3);
  expect(await ask()).toHaveLength(2);
  expect(reads).toBe(1);
  await ask([1]);
  expect(reads).toBe(2);
});

test.each([
  ['an event of another', () => happen(2, ['production', 'staging'])],
  ['a batch that does not say of which', () => happen(1)],
  ['events that move', () => live.publish({ type: 'issues', projectId: 9, issueIds: [1] })],
  ['what was missed', () => live.publish({ type: 'missed' })],
  ['a minute', () => vi.advanceTimersByTime(60_001)],
])('are read again after %s', async (_what, act) => {
  await ask();
  act();
  await ask();
  expect(reads).toBe(2);
});

test('what comes while they are read may not be among them', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = known.ask([1], '', async () => {
    await promise;
    return read();
  });
  happen(1, ['production']);
  resolve();
  await asked;
  await ask([1]);
  expect(reads).toBe(2);
});

test('a failed reading is not remembered', async () => {
  await expect(known.ask([1], '', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await ask([1])).toHaveLength(2);
});

test('only so many questions are kept', async () => {
  for (let id = 1; id <= 65; id++) await ask([id]);
  await ask([65]);
  expect(reads).toBe(65);
  await ask([1]);
  expect(reads).toBe(66);
});
