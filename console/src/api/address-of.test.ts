import { expect, test } from 'vitest';
import { addressOf } from './address-of.ts';

test('names are filled in and cannot leave their place', () => {
  expect(addressOf('/api/0/projects/{org}/{project}/', { path: { org: 'acme', project: '../x?y' } })).toBe(
    '/api/0/projects/acme/..%2Fx%3Fy/',
  );
  expect(addressOf('/api/0/')).toBe('/api/0/');
});

test('the query: lists by repetition, nothing for what is absent', () => {
  const query = { query: 'is:unresolved a&b', id: ['1', '2'], limit: 50, cursor: undefined, end: null };
  expect(addressOf('/issues/', { query })).toBe('/issues/?query=is%3Aunresolved+a%26b&id=1&id=2&limit=50');
});
