import { expect, test } from 'vitest';
import { chosenColumns, columnUnder, draggedColumns, readingAfter, type Reading } from './selection.ts';

test('what is drawn becomes whole columns within the chart', () => {
  expect(draggedColumns(0.3, 0.55, 4)).toEqual([1, 2]);
  expect(draggedColumns(0.55, 0.3, 4)).toEqual([1, 2]);
  expect(draggedColumns(-1, 9, 4)).toEqual([0, 3]);
  expect(draggedColumns(0, 1, 0)).toBeUndefined();
  expect([0, 0.25, 1].map((place) => columnUnder(place, 4))).toEqual([0, 1, 3]);
});

const press = (before: Reading | undefined, ...keys: string[]): Reading | undefined =>
  keys.reduce<Reading | undefined>(
    (reading, key) =>
      readingAfter(reading, { key: key.replace('Shift+', ''), shiftKey: key.startsWith('Shift+') }, 24) ?? reading,
    before,
  );

test('keys begin at the newest and go from column to column', () => {
  expect(press(undefined, 'ArrowLeft')).toEqual({ column: 23 });
  expect(press(undefined, 'Home', 'ArrowLeft')).toEqual({ column: 0 });
  expect(press({ column: 20 }, 'ArrowRight', 'PageUp')).toEqual({ column: 11 });
  expect(press({ column: 20 }, 'End')).toEqual({ column: 23 });
  expect(readingAfter({ column: 1 }, { key: 'x', shiftKey: false }, 24)).toBeUndefined();
  expect(readingAfter(undefined, { key: 'Home', shiftKey: false }, 0)).toBeUndefined();
});

test('with Shift they choose what they go over, without it the choice ends', () => {
  const chosen = press({ column: 10 }, 'Shift+ArrowLeft', 'Shift+ArrowLeft');
  expect(chosen).toEqual({ column: 8, anchor: 10 });
  expect(chosenColumns(chosen!)).toEqual([8, 10]);
  expect(chosenColumns(press(chosen, 'ArrowLeft')!)).toBeUndefined();
});
