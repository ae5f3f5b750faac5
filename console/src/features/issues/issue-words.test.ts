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

test('a performance problem is named by its title, with what was slow', () => {
  const metadata = {
    type: 'performance_n_plus_one_db_queries',
    title: 'N+1 Query',
    value: 'SELECT * FROM items WHERE id = %s',
  };
  expect(issueWords({ title: 'N+1 Query', culprit: 'GET /cart', metadata })).toEqual({
    name: 'N+1 Query',
    text: 'SELECT * FROM items WHERE id = %s',
    place: 'GET /cart',
  });
});

test('a message is its own name; the culprit wins over the file', () => {
  expect(issueWords({ title: 'Payment slow', culprit: 'POST /pay', metadata: { filename: 'a.ts' } })).toEqual({
    name: 'Payment slow',
    text: '',
    place: 'POST /pay',
  });
});
