import { expect, test } from 'vitest';
import { issueWords } from './issue-words.ts';

test('type, first line of the value, and where', () => {
  expect(
    issueWords({
      title: 'TypeError: x',
      culprit: '',
      metadata: { type: 'TypeError', value: 'x\ny', filename: 'https://a.b/assets/app.js?v=1', function: 'run' },
    }),
  ).toEqual({
    name: 'TypeError',
    text: 'x',
    place: 'assets/app.js in run',
  });
});

test('a message is its own name; the culprit wins over the file', () => {
  expect(issueWords({ title: 'Payment slow', culprit: 'POST /pay', metadata: { filename: 'a.ts' } })).toEqual({
    name: 'Payment slow',
    text: '',
    place: 'POST /pay',
  });
});
