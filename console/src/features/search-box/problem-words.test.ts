import { parseSearch, reasonText } from '@culprit/search';
import { expect, test } from 'vitest';
import { problemWords } from './problem-words.ts';

test.each(['is:unresolvd', 'level:[a,,b]', '(', 'a OR', 'timesSeen:x', 'has:', 'release.stage:low', '"'.repeat(3)])(
  '%s: the catalogue says what the API says',
  (query) => {
    for (const problem of parseSearch(query).problems) expect(problemWords(problem)).toBe(reasonText(problem));
  },
);

test('what is known only to the server is said by it', () => {
  const place = { code: 'invalid-key', message: 'Something new.', start: 0, end: 1 };
  expect(problemWords({ ...place, reason: 'somethingNew', values: {} })).toBe('Something new.');
  expect(problemWords(place)).toBe('Something new.');
  expect(problemWords({ ...place, reason: 'notNumber', values: { name: 'level' } })).toBe('“level” is not a number.');
});
