import { completionsAt } from '@culprit/search';
import { expect, test } from 'vitest';
import { emptyWords } from './empty-words.ts';

const found = { asked: true, failed: false, loading: false };
const words = (query: string, lookup = found): string =>
  emptyWords(completionsAt(query, query.length, 'issues'), lookup);

test('data that has no such value is told from data that was not asked, and from a question that failed', () => {
  expect(words('release:9.9')).toBe('The data has no value like “9.9”. Enter searches for it all the same.');
  expect(words('release:')).toBe('The data has no value to offer; anything can be typed.');
  expect(words('timesSeen:5', { ...found, asked: false })).toBe('Enter searches for this.');
  expect(words('release:9.9', { ...found, failed: true })).toMatch(/^The data could not be asked/);
  expect(words('release:9.9', { ...found, loading: true })).toBe('Looking into the data…');
});

test('a word that names no field is searched for as text', () => {
  expect(words('zzzz')).toBe('No field is called like this. Enter searches for the text “zzzz”.');
});
