import { completionsAt } from '@culprit/search';
import { expect, test } from 'vitest';
import { emptyWords } from './empty-words.ts';

const found = { asked: true, failed: false, loading: false };
const words = (query: string, lookup = found): string =>
  emptyWords(completionsAt(query, query.length, 'issues'), lookup);

test('no such value, no query and a failed query are different texts', () => {
  expect(words('release:9.9')).toBe('No value contains “9.9”. Press Enter to search for it anyway.');
  expect(words('release:')).toBe('No values yet. You can type any value.');
  expect(words('timesSeen:5', { ...found, asked: false })).toBe('Press Enter to search.');
  expect(words('release:9.9', { ...found, failed: true })).toMatch(/^Suggestions could not be loaded/);
  expect(words('release:9.9', { ...found, loading: true })).toBe('Loading values…');
});

test('a word that names no field is searched for as text', () => {
  expect(words('zzzz')).toBe('No field starts with “zzzz”. Press Enter to search for this text.');
});
