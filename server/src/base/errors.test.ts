import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CodedError, errors, formerCodes } from './errors.ts';

test('docs/errors.md explains every error with its status, and no other', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^### ([A-Z_]+) \((\d+)\)$/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  const table = Object.entries(errors).map(([code, [status]]) => [code, status]);
  expect(documented.toSorted()).toEqual(table.toSorted());
});

test('docs/errors.md and the changelog list what codes were called before', () => {
  for (const file of ['docs/errors.md', 'CHANGELOG.md']) {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    for (const former of Object.values(formerCodes).flat()) expect(text).toContain(`\`${former}\``);
  }
});

test('a sentence is filled in left to right, and values are not filled into values', () => {
  const error = new CodedError('ITEM_TOO_LARGE', ['event%s', 2, 1]);
  expect(error.message).toBe('An item of type event%s has 2 bytes. The limit is 1.');
  expect(error.status).toBe(413);
});
