import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedLimiter, type TakeShares } from './shared-limiter.ts';

const limit = { count: 100, windowSeconds: 60 };
const atMs = 1_000_000;

/** Takes shares as the state store does; `isAway` while it does not answer. */
function makeStore() {
  const store = { isAway: false, taken: 0, statements: 0 };
  const take: TakeShares = async (wanted) => {
    await turn();
    store.statements++;
    if (store.isAway) throw new Error('away');
    return wanted.map(({ items }) => (store.taken += items));
  };
  return { store, take };
}

test('nodes that take turns let pass what one alone would', async () => {
  const { store, take } = makeStore();
  const nodes = [createSharedLimiter(take), createSharedLimiter(take), createSharedLimiter(take)];
  let passed = 0;
  for (let round = 0; round < 100; round++) {
    for (const node of nodes) {
      if (node.take(1, limit, 'error', 1, atMs)) passed++;
      await turn();
      await turn();
    }
  }
  // Each may have a share of two in hand, or one on the way.
  expect(passed).toBeGreaterThanOrEqual(94);
  expect(passed).toBeLessThanOrEqual(106);
  // Nothing is asked once it is over.
  const { statements } = store;
  for (const node of nodes) expect(node.take(1, limit, 'error', 1, atMs)).toBe(false);
  await turn();
  await turn();
  expect(store.statements).toBe(statements);
  // The next window, other categories and other keys have their own.
  expect(nodes[0]?.take(1, limit, 'error', 1, atMs + 60_000)).toBe(true);
});

test('a burst that nobody answers in time is bounded by the limit of a node', async () => {
  const { take } = makeStore();
  const node = createSharedLimiter(take);
  const passed = Array.from({ length: 300 }, () => node.take(1, limit, 'error', 1, atMs)).filter(Boolean).length;
  expect(passed).toBe(100);
});

test('while the store is away a node counts by itself, and asks again after a rest', async () => {
  const { store, take } = makeStore();
  let now = 0;
  const node = createSharedLimiter(take, () => now);
  store.isAway = true;
  for (let count = 0; count < 40; count++) {
    expect(node.take(1, limit, 'error', 1, atMs)).toBe(true);
    await turn();
    await turn();
  }
  expect(store.statements).toBe(1);
  store.isAway = false;
  store.taken = 60;
  now += 1_001;
  // All that passed meanwhile is told with the next question, and then nothing is left.
  expect(node.take(1, limit, 'error', 1, atMs)).toBe(true);
  await turn();
  await turn();
  expect(store.taken).toBeGreaterThanOrEqual(100);
  expect(node.take(1, limit, 'error', 1, atMs)).toBe(false);
});
