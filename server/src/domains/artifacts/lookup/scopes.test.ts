/** The field `scopes` of ECMA-426. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildLookup, openLookup, type Lookup } from './index.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function unsigned(value: number): string {
  return value < 32 ? (alphabet[value] ?? '') : `${alphabet[32 + (value % 32)]}${unsigned(Math.floor(value / 32))}`;
}
const signed = (value: number): string => unsigned(value < 0 ? -value * 2 + 1 : value * 2);

type Item = readonly [tag: number, ...numbers: string[]];
const items = (...all: (Item | undefined)[]): string =>
  all.map((item) => (item ? unsigned(item[0]) + item.slice(1).join('') : '')).join(',');

function open(map: object): Promise<Lookup> {
  const file = Buffer.concat([...buildLookup({ map: Buffer.from(JSON.stringify(map)) }).chunks]);
  return openLookup(async (start, length) => file.subarray(start, start + length));
}

/** Line 1 has a token in each of 40 columns, line 2 the same. */
const mappings = `AAAA${',CAAC'.repeat(39)};AAAA${',CAAC'.repeat(39)}`;
const names = ['global', 'function', 'outer', 'inner'];

/** Of the source: a module scope, `outer` with a block and an unnamed function in it, then `inner`. */
const scopes: Item[] = [
  [1, unsigned(2), unsigned(0), unsigned(0), signed(0)],
  [1, unsigned(7), unsigned(1), unsigned(4), signed(2), signed(1)],
  [1, unsigned(0), unsigned(1), unsigned(2)],
  [1, unsigned(4), unsigned(0), unsigned(2)],
  [2, unsigned(0), unsigned(5)],
  [2, unsigned(1), unsigned(1)],
  [2, unsigned(1), unsigned(1)],
  [1, unsigned(5), unsigned(1), unsigned(0), signed(1)],
  [3, signed(1), signed(1)],
  [2, unsigned(1), unsigned(1)],
  [2, unsigned(1), unsigned(0)],
];

test('a place is in the function that its range came of', async () => {
  const text = items(
    undefined,
    ...scopes,
    [4, unsigned(2), unsigned(0), signed(0)],
    [4, unsigned(6), unsigned(5), signed(1)],
    [4, unsigned(2), unsigned(3), signed(1)],
    [6, unsigned(1)],
    [4, unsigned(6), unsigned(2), signed(1)],
    [5, unsigned(4)],
    [5, unsigned(2)],
    [5, unsigned(4)],
    // A range without a scope, and an inlined function in it, on the next line.
    [4, unsigned(1), unsigned(1), unsigned(3)],
    [4, unsigned(2), unsigned(2), signed(1)],
    [8, unsigned(0), unsigned(0), unsigned(0)],
    [5, unsigned(5)],
    [5, unsigned(6)],
    [5, unsigned(9)],
    [33, unsigned(7)],
  );
  const lookup = await open({ version: 3, sources: ['none.ts', 'a.ts'], names, mappings, scopes: text });
  const at = async (line: number, column: number): Promise<string | undefined> =>
    (await lookup.find(line, column + 1, 'x'))?.functionName;
  const first = await Promise.all(Array.from({ length: 22 }, (_, column) => at(1, column)));
  expect(first).toEqual([
    ...Array(5).fill(undefined),
    ...Array(5).fill('outer'),
    ...Array(4).fill(undefined),
    ...Array(6).fill('outer'),
    ...Array(2).fill(undefined),
  ]);
  expect([await at(2, 4), await at(2, 5), await at(2, 9), await at(2, 10)]).toEqual([
    undefined,
    'inner',
    'inner',
    undefined,
  ]);
});

test('in a section, from where that begins to where the next one does', async () => {
  const text = items(...scopes, [4, unsigned(6), unsigned(2), signed(1)], [5, unsigned(100)]);
  const section = { version: 3, sources: ['a.ts'], names, mappings, scopes: text };
  const lookup = await open({
    version: 3,
    sections: [
      { offset: { line: 0, column: 3 }, map: section },
      { offset: { line: 0, column: 20 }, map: { ...section, scopes: undefined } },
    ],
  });
  const found = await Promise.all([4, 5, 19, 20, 21].map((column) => lookup.find(1, column + 1)));
  expect(found.map((each) => each?.functionName)).toEqual([undefined, 'outer', 'outer', undefined, undefined]);
});

test('scopes that make no sense are as none', async () => {
  const item = fc.tuple(fc.nat({ max: 9 }), fc.array(fc.nat({ max: 1 << 20 }).map(unsigned), { maxLength: 5 }));
  const text = fc.oneof(
    fc.string(),
    fc.array(item).map((all) => items(...all.map(([tag, numbers]): Item => [tag, ...numbers]))),
    fc.constantFrom(
      'F',
      'C',
      'BE',
      'BFAA99999999',
      'EDAA',
      'B'.repeat(100_000),
      'BAAA,'.repeat(100_000),
      'BAAA,CAA,EACA,'.repeat(50_000),
    ),
  );
  await fc.assert(
    fc.asyncProperty(text, async (scopes) => {
      const lookup = await open({ version: 3, sources: ['a.ts'], names, mappings, scopes });
      expect(await lookup.find(1, 1)).toMatchObject({ source: 'a.ts', line: 1 });
    }),
    { numRuns: 100 },
  );
});
