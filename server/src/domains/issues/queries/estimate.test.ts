/** Over generated storms: counts are right on average, and intervals hold the truth. */
import { expect, test } from 'vitest';
import { where, withHashes } from '../../../base/sql.ts';
import { errorRow, hash, openTestStores } from '../testing/stores.ts';
import { estimateOf, sampledSums } from './estimate.ts';

/** From 0 up to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A key in a storm: its groups, each of the issues of its errors. */
function stormOf(shares: readonly number[], groups: number, random: () => number): number[][] {
  const draw = (): number => {
    let at = random() * shares.reduce((sum, share) => sum + share, 0);
    return Math.max(
      0,
      shares.findIndex((share) => (at -= share) < 0),
    );
  };
  return Array.from({ length: groups }, () => Array.from({ length: 1 + Math.floor(random() * 10) }, draw));
}

/** What is stored of it: of each group one. */
function keep(groups: readonly number[][], issue: number, random: () => number) {
  const kept = { count: 0, stored: 0, own: 0, others: 0, largest: 0 };
  for (const group of groups) {
    const size = group.length;
    const isOwn = group[Math.floor(random() * size)] === issue;
    if (isOwn) kept.count += size;
    if (isOwn) kept.stored += 1;
    kept[isOwn ? 'own' : 'others'] += size * (size - 1);
    if (size > 1) kept.largest = Math.max(kept.largest, size);
  }
  return kept;
}

const storms: readonly (readonly [name: string, shares: readonly number[], groups: number, issue: number])[] = [
  ['half and half', [1, 1], 200, 0],
  ['one bug of ten', [9, 1], 200, 1],
  ['the largest of many', [40, 5, 5, 5, 5], 300, 0],
  ['one among fifty', Array.from({ length: 50 }, () => 1), 1_000, 7],
  ['one in a hundred', [99, 1], 2_000, 1],
  ['few groups', [2, 1], 12, 1],
];
const draws = 2_000;

test.each(storms)('%s: right on average, and inside the interval 19 times in 20', (_, shares, groups, issue) => {
  const random = randomOf(7);
  const storm = stormOf(shares, groups, random);
  const truth = storm.flat().filter((of) => of === issue).length;
  let [inside, sum] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const { count, stored, ...sums } = keep(storm, issue, random);
    sum += count;
    const interval = estimateOf(count, stored, sums);
    // Without one, what it says is right to 1 %; of an issue of which nothing was found, nothing is said.
    const { low, high } = interval ?? { low: count * 0.99, high: count * 1.01 };
    if ((low <= truth && truth <= high) || count === 0) inside++;
  }
  const mean = sum / draws;
  expect(Math.abs(mean - truth) / truth).toBeLessThan(0.05);
  expect(inside / draws).toBeGreaterThanOrEqual(0.94);
});

test('what is exact says nothing', () => {
  expect(estimateOf(1_000, 1_000, { own: 0, others: 0, largest: 0 })).toBeUndefined();
  // The only bug of the storm: all groups were its own.
  expect(estimateOf(88_310, 8_831, { own: 794_790, others: 0, largest: 10 })).toBeUndefined();
  // Others are so few that it cannot be off by much.
  expect(estimateOf(88_310, 8_831, { own: 794_790, others: 900, largest: 10 })).toBeUndefined();
  expect(estimateOf(1_000, 100, { own: 9_000, others: 90_000, largest: 10 })).toEqual({ low: 813, high: 1_187 });
});

test('no fewer than are stored', () => {
  expect(estimateOf(10, 1, { own: 90, others: 90, largest: 10 })?.low).toBe(1);
});

test('what a storm stored of an issue and of the others of its project', async () => {
  await using stores = await openTestStores();
  const row = (name: string, stands_for: number, project_id = 1) => ({
    ...errorRow({ project_id, group_hash: hash(name) }),
    stands_for,
  });
  const rows = [row('one', 9), row('one', 1), row('one', 0), row('other', 4), row('other', 0), row('one', 99, 2)];
  await stores.events.insert('errors', rows, 'sampled');
  const ofOne = where(withHashes([hash('one')]));
  expect(await sampledSums(stores.events, 1, ofOne)).toEqual({ own: 92, others: 20, largest: 10 });
  expect(await sampledSums(stores.events, 3, ofOne)).toMatchObject({ own: 0, others: 0 });
});
