import { expect, test } from 'vitest';
import { shown } from './statements.ts';

const sql = 'SELECT count()\n  FROM errors WHERE project_id = 1';

test('a statement is shown by its table and beginning, wherever its SQL stands', () => {
  const words = 'errors: SELECT count() FROM errors WHERE project_id = 1';
  const form = `--x\r\ncontent-disposition: form-data; name="query"\r\n\r\n${sql}\r\n--x--\r\n`;
  expect(shown({ path: '/?database=a', type: 'text/plain', body: sql })).toBe(words);
  expect(shown({ path: `/?query=${encodeURIComponent(sql)}`, type: '', body: '' })).toBe(words);
  expect(shown({ path: '/?database=a', type: 'multipart/form-data; boundary=x', body: form })).toBe(words);
});

test('no longer than a line has room for', () => {
  expect(shown({ path: '/', type: '', body: `SELECT ${'a, '.repeat(100)}` }).length).toBeLessThanOrEqual(60);
});
