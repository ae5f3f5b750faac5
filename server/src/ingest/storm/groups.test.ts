import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StandsFor } from '../../base/stands-for.ts';
import {
  createStormGroups,
  type Gatherable,
  largestGroup,
  mostKeys,
  mostNewKeys,
  mostNewVariants,
  passing,
} from './groups.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Written {
  readonly name: string;
  readonly standsFor: StandsFor | undefined;
}

function setUp({ random = Math.random }: { readonly random?: () => number } = {}) {
  const groups = createStormGroups({ random });
  const written: Written[] = [];
  let passed = 0;
  const send = (
    key: number,
    user = '',
    projectId = 1,
    write?: Gatherable['write'],
    variant = 0,
  ): Promise<unknown> | undefined => {
    const name = `${projectId} ${key} ${user}`;
    const put: Gatherable['write'] = async (standsFor) => written.push({ name, standsFor });
    const gathered = groups.gather({ projectId, key, variant, met: { user, address: '' }, write: write ?? put });
    if (!gathered) passed++;
    return gathered;
  };
  const fill = (key: number): void => {
    for (let count = 0; count < passing; count++) expect(send(key)).toBeUndefined();
  };
  return { groups, written, send, fill, passed: () => passed };
}

test('the first of a key pass, then one of each full group is written and stands for the rest', async () => {
  const { written, send, fill } = setUp({ random: () => 0.999 });
  fill(1);
  const all = Array.from({ length: largestGroup }, (_, index) => send(1, `{"id":${index % 3}}`));
  await Promise.all(all);
  expect(written).toEqual([
    {
      name: '1 1 {"id":0}',
      standsFor: { events: largestGroup - 1, met: ['{"id":1}', '{"id":2}', '{"id":0}'].map((user) => [user, '']) },
    },
  ]);
});

test('a group that does not fill up is written after a moment; one alone stands for nothing', async () => {
  const { groups, written, send, fill } = setUp();
  fill(1);
  fill(2);
  const waiting = [send(1, 'a'), send(1, 'b'), send(2)];
  expect(groups.stats().waiting).toBe(2);
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(waiting);
  expect(written.map(({ standsFor }) => standsFor?.events)).toEqual([1, undefined]);
  expect(groups.stats().waiting).toBe(0);
});

test('who waits hears that it could not be written', async () => {
  const { send, fill } = setUp();
  fill(1);
  const full = () => Promise.reject(new Error('full'));
  const all = Array.from({ length: largestGroup }, () => send(1, '', 1, full));
  const results = await Promise.allSettled(all);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
});

test('the next minute lets the first pass again; projects do not share keys', async () => {
  const { groups, send, fill } = setUp();
  fill(1);
  expect(send(1)).toBeDefined();
  expect(send(1, '', 2)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(60_000);
  fill(1);
  await vi.advanceTimersByTimeAsync(180_000);
  send(9);
  expect(groups.stats().keys).toBe(2);
});

test('every event another key: those of a minute are bounded, and so is the memory', async () => {
  const { groups, send, passed } = setUp();
  for (let key = 0; key < 5 * mostNewKeys; key++) send(key);
  expect(passed()).toBe(mostNewKeys + passing);
  // Another project has keys of its own.
  expect(send(1, '', 2)).toBeUndefined();
  for (let project = 3; project < 30; project++) for (let key = 0; key < mostNewKeys; key++) send(key, '', project);
  expect(groups.stats().keys).toBeLessThanOrEqual(mostKeys + 1);
  groups.flush();
  expect(groups.stats().waiting).toBe(0);
});

test('the first of a variant passes, and variants are bounded: more of them are gathered under their key', async () => {
  const { groups, written, send, passed } = setUp();
  const one = (variant: number, user = '') => send(1, user, 1, undefined, variant);
  for (let variant = 0; variant < 3 * mostNewVariants; variant++) one(variant);
  expect(passed()).toBe(mostNewVariants);
  // What is of a variant stands for others of it alone.
  const all = Array.from({ length: largestGroup }, () => one(7, 'seven'));
  await Promise.all(all);
  expect(written.filter(({ name }) => name.endsWith('seven'))).toEqual([
    { name: '1 1 seven', standsFor: { events: largestGroup - 1, met: [['seven', '']] } },
  ]);
  const others = written.filter(({ name }) => !name.endsWith('seven'));
  expect(others.flatMap(({ standsFor }) => standsFor?.met ?? []).flat()).not.toContain('seven');
  // The next minute has room for others.
  await vi.advanceTimersByTimeAsync(60_000);
  groups.flush();
  const before = passed();
  expect(one(1_000)).toBeUndefined();
  expect(passed()).toBe(before + 1);
});

test('whatever comes, stored and counted add up to what was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(4), fc.nat(300)), { maxLength: 400 }), async (sent) => {
      const { groups, written, send, passed } = setUp();
      const all = [];
      for (const [key, pauseMs] of sent) {
        all.push(send(key, String(key)));
        if (pauseMs > 250) await vi.advanceTimersByTimeAsync(pauseMs);
      }
      groups.flush();
      await Promise.all(all);
      const counted = written.reduce((sum, { standsFor }) => sum + 1 + (standsFor?.events ?? 0), 0);
      expect(passed() + counted).toBe(sent.length);
      expect(written.every(({ standsFor }) => (standsFor?.events ?? 0) < largestGroup)).toBe(true);
      // What stands for others is of their key.
      for (const { name, standsFor } of written) {
        for (const [user] of standsFor?.met ?? []) expect(name.endsWith(` ${user}`)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('who is chosen is random: a rare bug behind a known key is found as often as the share says', async () => {
  const { written, send, fill } = setUp();
  fill(1);
  const rounds = 2_000;
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: largestGroup }, (_, index) => send(1, index === 3 ? 'rare' : '')));
  }
  const share = written.filter(({ name }) => name.endsWith('rare')).length / rounds;
  expect(share).toBeGreaterThan(0.06);
  expect(share).toBeLessThan(0.14);
});

/** A new bug among so many others of its key and variant, sent so often within a minute: how often any of it is stored. */
async function storedShare(sightings: number, othersBetween: number): Promise<number> {
  const trials = 400;
  let found = 0;
  for (let trial = 0; trial < trials; trial++) {
    let isStored = false;
    const { groups, send, fill } = setUp();
    fill(1);
    const bug: Gatherable['write'] = async () => (isStored = true);
    const all: (Promise<unknown> | undefined)[] = [];
    for (let sighting = 0; sighting < sightings; sighting++) {
      for (let other = 0; other < othersBetween; other++) all.push(send(1));
      all.push(send(1, '', 1, bug));
      // What is sent more slowly than a group fills up waits for no other.
      if (othersBetween === 0) await vi.advanceTimersByTimeAsync(2_000);
    }
    groups.flush();
    await Promise.all(all);
    if (isStored) found++;
  }
  return found / trials;
}

test.each([
  // 1 - 0.9 ** n, less three standard errors.
  ['ten times', 10, 7, 0.58],
  ['twenty times', 20, 7, 0.83],
  ['twenty times, behind a flood', 20, 99, 0.83],
  ['forty times', 40, 23, 0.96],
  ['twenty times, alone', 20, 0, 1],
])('a new bug that nothing tells from its key, sent %s within a minute, is kept', async (_, sent, others, least) => {
  expect(await storedShare(sent, others)).toBeGreaterThanOrEqual(least);
});

test('a new bug with frames of its own is kept the first time, as long as it is one of the first of the minute', () => {
  const { send, fill } = setUp();
  fill(1);
  for (let variant = 1; variant < mostNewVariants; variant++)
    expect(send(1, '', 1, undefined, variant)).toBeUndefined();
});
