import { expect, test } from 'vitest';
import { safeNext } from './next.ts';

test('returns to our own pages only', () => {
  expect(safeNext('/issues/WEB-1?event=latest')).toBe('/issues/WEB-1?event=latest');
  for (const next of [
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/sign-in?next=/sign-in',
  ]) {
    expect(safeNext(next)).toBe('/');
  }
});
