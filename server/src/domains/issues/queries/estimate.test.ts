/** Over generated storms: counts are right on average, and intervals hold the truth. */
import { parseSearch } from '@culprit/search';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lastPeriod } from '../../../base/time-range.ts';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import type { VisibleProject } from '../types.ts';
import { estimateOf } from '../../search/index.ts';
import { estimatesOf, estimatesOfHashes } from './estimate.ts';
import { listIssues } from './list.ts';

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

describe('of stored issues', () => {
  const now = Date.now();
  const day = 86_400_000;
  let stores: TestStores;
  let projects: VisibleProject[];
  beforeAll(async () => {
    stores = await openTestStores();
    const org = { id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() };
    await stores.state.db.insertInto('organization').values(org).execute();
    const [web, calm] = [await addTestProject(stores.state, 'web'), await addTestProject(stores.state, 'calm')];
    const row = (name: string, stands_for: number, project_id = web.id, timestamp = now) => ({
      ...errorRow({ project_id, group_hash: hash(name), timestamp, title: name, error_value: name }),
      stands_for,
    });
    const groups = (name: string, count: number, timestamp = now) =>
      Array.from({ length: count }, () => row(name, 9, web.id, timestamp));
    // Two of one storm, one of a storm before; and a project without any.
    await store(stores, [...groups('one', 40), row('one', 0), ...groups('other', 40), row('never', 0)]);
    await store(stores, [...groups('before', 10, now - 20 * day), row('before', 0)]);
    await store(stores, [row('calm', 0, calm.id)]);
    const rows = await stores.state.db.selectFrom('project').select(['id', 'sampled_until']).execute();
    projects = [web, calm].map((project) => ({
      ...project,
      sampledUntil: rows.find(({ id }) => id === project.id)?.sampled_until,
    }));
  }, 60_000);
  afterAll(() => stores?.[Symbol.asyncDispose]());

  // 40 groups of ten: 1.96 * sqrt(40 * 90 + 90) = 119.1.
  const sure = { low: 281, high: 521 };

  test.each([
    ['new', '', '14d'],
    ['date', '', '14d'],
    ['freq', '', '14d'],
    ['freq', 'error.type:TypeError', '14d'],
    ['freq', '', '24h'],
  ] as const)('a list by %s of “%s” in %s says how sure each count is', async (sort, query, period) => {
    const { rows } = await listIssues(stores, {
      projects,
      environments: [],
      range: lastPeriod(period, now + 1_000),
      root: parseSearch(query, 'issues').root,
      nowMs: now + 1_000,
      sort,
      limit: 25,
    });
    const found = Object.fromEntries(rows.map(({ title, numbers, estimate }) => [title, [numbers.count, estimate]]));
    expect(found).toEqual({
      one: [401, sure],
      other: [400, { low: 280, high: 520 }],
      never: [1, undefined],
      before: [1, undefined],
      calm: [1, undefined],
    });
  });

  test('counts by hash say it, too, of one and of several', async () => {
    const [web, calm] = projects;
    const groups = [
      { key: 'one', hashes: [hash('one')], count: 401 },
      { key: 'both', hashes: [hash('one'), hash('never')], count: 402 },
      { key: 'never', hashes: [hash('never')], count: 1 },
    ];
    expect(await estimatesOfHashes(stores.state, web!, groups)).toEqual(
      new Map([
        ['one', sure],
        ['both', { low: 282, high: 522 }],
      ]),
    );
    const asked = vi.spyOn(stores.state.db, 'selectFrom');
    expect(await estimatesOfHashes(stores.state, calm!, groups)).toEqual(new Map());
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  test('what is not counted now does not make it less sure, and without a storm nothing is asked', async () => {
    const sampledUntil = new Map(projects.map((project) => [project.id, project.sampledUntil]));
    const [project] = projects;
    const issues = await stores.state.db.selectFrom('issue').select(['id', 'title']).execute();
    const of = (title: string, count: number) => ({
      id: issues.find((issue) => issue.title === title)?.id ?? 0,
      projectId: project?.id ?? 0,
      count,
    });
    const before = of('before', 101);
    expect([...(await estimatesOf(stores.state, [before], { sampledUntil })).keys()]).toEqual([before.id]);
    expect(await estimatesOf(stores.state, [before], { sampledUntil, fromMs: now - day })).toEqual(new Map());
    const asked = vi.spyOn(stores.state.db, 'selectFrom');
    const none = { sampledUntil: new Map([[project?.id ?? 0, null]]) };
    expect(await estimatesOf(stores.state, [before], none)).toEqual(new Map());
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });
});
