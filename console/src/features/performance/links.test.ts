import { expect, test } from 'vitest';
import { addressed, travelling } from '../filters/travel.ts';
import { inLongestTime } from './links.ts';

test('a transaction that was not seen is looked for in all time, and the project that was chosen goes along', () => {
  const page = { project: 'web', environment: 'production', range: '1h', of: 'shop', transaction: 'GET /', op: 'http' };
  const wanted = inLongestTime(page);
  expect(wanted).toMatchObject({ of: 'shop', transaction: 'GET /', op: 'http', range: '90d', environment: undefined });
  expect(travelling(addressed(page, wanted))).toEqual({ project: 'web', range: '90d' });
});
