import { expect, it } from 'vitest';
import { formatRateLimits, parseRateLimits } from './index.ts';

it('writes what it reads', () => {
  for (const header of [
    '60:error:organization:quota_exceeded, 120:span;transaction:project',
    '60::key',
    '5:metric_bucket:organization:quota:custom;other',
  ]) {
    expect(formatRateLimits(parseRateLimits(header))).toBe(header);
  }
  expect(parseRateLimits('60:error;default:organization:quota_exceeded')).toEqual([
    { retryAfter: 60, categories: ['error', 'default'], scope: 'organization', reason: 'quota_exceeded' },
  ]);
});

it('reads what it can, as SDKs do', () => {
  expect(parseRateLimits('')).toEqual([]);
  expect(parseRateLimits('soon:error:key')).toEqual([{ retryAfter: 60, categories: ['error'], scope: 'key' }]);
  expect(parseRateLimits(' 2.5 , ')).toEqual([{ retryAfter: 3, categories: [], scope: '' }]);
  expect(parseRateLimits('1:a:b,'.repeat(100_000)).length).toBeLessThanOrEqual(100);
});

it('lets no value break the header', () => {
  expect(formatRateLimits([{ retryAfter: 1.2, categories: ['a,b', 'c:d'], scope: 'key', reason: 'x\r\ny: z' }])).toBe(
    '2:a_b;c_d:key:x__y__z',
  );
  expect(formatRateLimits([{ retryAfter: Number.NaN, categories: [], scope: 'key' }])).toBe('60::key');
  expect(formatRateLimits([{ retryAfter: -5, categories: [], scope: 'key' }])).toBe('0::key');
});
