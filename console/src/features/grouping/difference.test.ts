import { expect, test } from 'vitest';
import { difference, type Piece } from './difference.ts';

const shown = (pieces: readonly Piece[]): string =>
  pieces.map((each) => (each.differs ? `[${each.text}]` : each.text)).join('');
const both = (here: string | null, there: string | null): string[] => {
  const found = difference(here, there);
  return [shown(found.here), shown(found.there)];
};

test('only the words that differ are marked, on both sides', () => {
  expect(both('getPrice in app/cart.ts', 'getTotal in app/cart.ts')).toEqual([
    '[getPrice] in app/cart.ts',
    '[getTotal] in app/cart.ts',
  ]);
  expect(both('Timeout of orders after 5 s', 'Timeout of the orders after 30 s')).toEqual([
    'Timeout of orders after [5] s',
    'Timeout of [the ]orders after [30] s',
  ]);
});

test('words beside each other are one mark', () => {
  expect(both('could not read file', 'could never write file')).toEqual([
    'could [not read] file',
    'could [never write] file',
  ]);
});

test('equal texts have no mark, and a missing side leaves the other marked whole', () => {
  expect(both('same', 'same')).toEqual(['same', 'same']);
  expect(both(null, 'only there')).toEqual(['', '[only there]']);
  expect(both('', 'x')).toEqual(['', '[x]']);
});

test('nothing of the texts is lost, however long or odd they are', () => {
  const texts = ['', ' ', '\ud800', 'a'.repeat(9000), 'x y '.repeat(2500), '__proto__ 👩‍👩‍👧 é\u0301\0'];
  for (const here of texts)
    for (const there of texts) {
      const found = difference(here, there);
      expect(found.here.map(({ text }) => text).join('') === here).toBe(true);
      expect(found.there.map(({ text }) => text).join('') === there).toBe(true);
    }
});
