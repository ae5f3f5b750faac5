import { expect, test } from 'vitest';
import { rankAttributes } from './compare-rank.ts';

const totals = { selection: 100, rest: 1000 };
const rank = (attributes: Parameters<typeof rankAttributes>[0], limit = 10) =>
  rankAttributes(attributes, totals, limit);

test('what only the selection has comes first, with the value that tells', () => {
  const ranked = rank([
    {
      key: 'browser',
      selection: 100,
      rest: 1000,
      values: [
        { value: 'Chrome', selection: 60, rest: 900 },
        { value: 'Safari', selection: 40, rest: 100 },
      ],
    },
    {
      key: 'release',
      selection: 100,
      rest: 1000,
      values: [
        { value: '1.0', selection: 5, rest: 1000 },
        { value: '1.1', selection: 95, rest: 0 },
      ],
    },
  ]);
  expect(ranked.map(({ key, value }) => [key, value])).toEqual([
    ['release', '1.1'],
    ['browser', 'Safari'],
  ]);
  expect(ranked[0]).toMatchObject({ inSelection: 0.95, inRest: 0 });
  expect(ranked[0]?.difference).toBeCloseTo(0.95);
});

test('what both sides share alike is left out, and so are ids', () => {
  const values = Array.from({ length: 20 }, (_, index) => ({ value: `u${index}`, selection: 0, rest: 1 }));
  expect(
    rank([
      { key: 'level', selection: 100, rest: 1000, values: [{ value: 'error', selection: 100, rest: 1000 }] },
      { key: 'user', selection: 100, rest: 1000, values },
    ]),
  ).toEqual([]);
});

test('an attribute that the selection lacks is told by that', () => {
  const [first] = rank([
    { key: 'tags[cart]', selection: 0, rest: 1000, values: [{ value: 'full', selection: 0, rest: 1000 }] },
  ]);
  expect(first).toMatchObject({ key: 'tags[cart]', value: '', inSelection: 1, inRest: 0, difference: 1 });
});

test('of nothing there is nothing, and there are no more than asked for', () => {
  expect(rankAttributes([], { selection: 0, rest: 5 }, 10)).toEqual([]);
  const many = Array.from({ length: 5 }, (_, index) => ({
    key: `k${index}`,
    selection: 100,
    rest: 0,
    values: [{ value: 'x', selection: 100, rest: 0 }],
  }));
  expect(rank(many, 3)).toHaveLength(3);
});
