import { expect, test } from 'vitest';
import { drawnRows, scrolledTo, sightOf } from './rows-in-sight.ts';

test('what is in sight has rows around it, and stays the same while little is scrolled', () => {
  expect(sightOf(0, 600, 28)).toEqual({ first: 0, end: 36 });
  expect(sightOf(2800, 600, 28)).toEqual({ first: 88, end: 136 });
  expect(sightOf(2800 + 27, 600, 28)).toEqual(sightOf(2800, 600, 28));
  const firsts = Array.from({ length: 28 * 40 }, (_, px) => sightOf(2800 + px, 600, 28).first);
  expect(new Set(firsts).size).toBe(10);
});

test('few rows, rows that are gone, and the one with the focus', () => {
  expect(drawnRows({ first: 0, end: 36 }, 3, 0)).toEqual([0, 1, 2]);
  expect(drawnRows({ first: 88, end: 96 }, 0, -1)).toEqual([]);
  // Folded away while far down: the last ones are there at once.
  expect(drawnRows({ first: 88, end: 92 }, 10, -1)).toEqual([6, 7, 8, 9]);
  expect(drawnRows({ first: 4, end: 8 }, 100, 2)).toEqual([2, 4, 5, 6, 7]);
  expect(drawnRows({ first: 4, end: 8 }, 100, 50)).toEqual([4, 5, 6, 7, 50]);
  expect(drawnRows({ first: 4, end: 8 }, 100, 5)).toEqual([4, 5, 6, 7]);
});

test('a row is brought into sight by as little as that takes', () => {
  expect(scrolledTo(10, 28, 280, 628, 28)).toBe(280);
  expect(scrolledTo(3, 28, 280, 628, 28)).toBe(84);
  expect(scrolledTo(40, 28, 280, 628, 28)).toBe(41 * 28 - 600);
});
