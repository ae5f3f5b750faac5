import { expect, test } from 'vitest';
import { endpoints } from './endpoints.ts';

test('every call has a name of its own', () => {
  expect(new Set(endpoints.map(({ id }) => id)).size).toBe(endpoints.length);
});
