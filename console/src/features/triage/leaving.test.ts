import { expect, test } from 'vitest';
import { onlyStatus } from './leaving.ts';

test.each([
  ['is:unresolved', 'unresolved'],
  ['is:unresolved assigned:me level:error', 'unresolved'],
  ['is:for_review', 'unresolved'],
  ['is:escalating', 'unresolved'],
  ['is:archived (a:1 OR b:2)', 'ignored'],
  ['is:resolved', 'resolved'],
  ['', undefined],
  ['is:assigned', undefined],
  ['!is:resolved', undefined],
  ['is:[new,resolved]', undefined],
  ['is:resolved OR level:fatal', undefined],
  ['is:unresolved WEB-12', undefined],
])('%j shows only %s', (query, status) => {
  expect(onlyStatus(query)).toBe(status);
});
