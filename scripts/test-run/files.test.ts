import { expect, test } from 'vitest';
import { filesOf } from './files.ts';

test('what runs, what is left and what failed', () => {
  const lines = [
    'planned a',
    'planned b',
    'planned c',
    'planned d',
    'begun a',
    'begun b',
    'begun c',
    'passed a',
    'failed b',
  ];
  expect(filesOf(`${lines.join('\n')}\npass`)).toEqual({ running: ['c'], left: ['c', 'd'], failed: ['b'] });
  expect(filesOf('')).toEqual({ running: [], left: [], failed: [] });
});
