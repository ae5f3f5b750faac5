import { expect, test } from 'vitest';
import { costsOfGroups, costsOfParts, growthOf, meanOf, type Sampled } from './estimate.ts';
import { sizedEvent, sizedRow } from './sizes.ts';

const event = (release: string, parts: Record<string, number>): Sampled => ({
  release,
  parts: new Map(Object.entries(parts)),
  bytes: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0),
});

/** Repeatable noise. */
function* noise(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

test('a payload has the bytes of its parts, whatever it is', () => {
  const { parts, bytes } = sizedEvent('{"a":"é","b":[1,2]}');
  expect([...parts, bytes]).toEqual([['a', 4], ['b', 5], 20]);
  for (const text of ['[1]', 'null', '"x"', '{', '']) expect(sizedEvent(text).parts.size).toBe(0);
  expect(sizedEvent('{"__proto__":{"a":1}}')).toMatchObject({ bytes: 21, parts: new Map([['__proto__', 7]]) });
});

test('tags, contexts and extra of an event are told apart, as objects and as pairs', () => {
  const payload = {
    tags: [['browser', 'Firefox'], 7, ['odd']],
    contexts: { app: { a: 1 } },
    extra: { state: 'x'.repeat(98) },
  };
  expect(sizedEvent(JSON.stringify(payload)).attributes).toEqual(
    new Map([
      ['tags.browser', 9],
      ['tags.odd', 0],
      ['contexts.app', 7],
      ['extra.state', 100],
    ]),
  );
  for (const odd of [null, 7, 'x', [1]])
    expect(sizedEvent(JSON.stringify({ tags: odd, contexts: odd, extra: odd })).attributes.size).toBe(0);
});

test('a row tells of its attributes and of what applications write', () => {
  const row = { bytes: 99, text: 7, sizes: { constructor: 5, body: 2 }, named: ['n'] };
  expect(sizedRow(row, 'body')).toEqual({
    bytes: 99,
    parts: new Map([
      ['body', 9],
      ['constructor', 5],
      ['n', 8],
    ]),
  });
});

test('what only some have counts as nothing of the others, whatever its name', () => {
  const some = Array.from(
    { length: 10 },
    (_, index) => new Map(index < 5 ? [['constructor', 100]] : [['toString', 10]]),
  );
  const costs = costsOfParts(some, 10, 1);
  expect(costs).toMatchObject([{ name: 'constructor', bytes: 500 }]);
});

test('the interval holds the truth nineteen times of twenty', () => {
  const random = noise(7);
  let held = 0;
  for (let run = 0; run < 400; run++) {
    const sample = Array.from({ length: 200 }, () => event('1', { a: 500 + 1_000 * random.next().value }));
    const [cost] = costsOfParts(
      sample.map(({ parts }) => parts),
      10_000,
      5,
    );
    if (cost && cost.low <= 10_000_000 && cost.high >= 10_000_000) held += 1;
  }
  expect(held / 400).toBeGreaterThan(0.91);
  expect(held / 400).toBeLessThan(0.99);
});

test('groups of few sampled events go by all of them, and say how little is known', () => {
  const sample = [
    ...Array.from({ length: 50 }, (_, index) => event('1', { a: 1_000 + (index % 5) })),
    ...Array.from({ length: 3 }, () => event('2', { a: 9_000 })),
  ];
  const counts = [
    { name: '1', events: 500 },
    { name: '2', events: 30 },
  ];
  const [first, second] = costsOfGroups(sample, ({ release }) => release, counts);
  expect(first).toMatchObject({ name: '1', bytes: 501_000 });
  expect((first?.high ?? 0) - (first?.low ?? 0)).toBeLessThan(1_000);
  expect((second?.high ?? 0) - (second?.low ?? 0)).toBeGreaterThan(100_000);
});

test('what a release sends more of is told, and chance is not', () => {
  const random = noise(3);
  const some = (crumbs: number) =>
    Array.from({ length: 60 }, () =>
      event('', { breadcrumbs: crumbs * (0.8 + 0.4 * random.next().value), exception: 2_000, tiny: crumbs / 100 }),
    );
  const [old, now] = [some(2_000), some(6_000)];
  const growth = growthOf([old, now], ['2.4.0', '2.4.1']);
  expect(growth[0]).toMatchObject({ release: '2.4.1', before: '2.4.0', part: 'breadcrumbs' });
  expect(growth[0]?.times).toBeCloseTo(3, 0);
  expect(growth.map(({ part }) => part)).toEqual(['breadcrumbs', '']);
  expect(growthOf([old, some(2_000)], ['2.4.0', '2.4.1'])).toEqual([]);
  expect(growthOf([old.slice(0, 3), now], ['2.4.0', '2.4.1'])).toEqual([]);
  expect(meanOf([])).toMatchObject({ count: 0, mean: 0 });
});
