import { parseSearch } from '@culprit/search';
import { expect, test } from 'vitest';
import { exploreRequests } from './links.ts';

test('a list of requests is the same requests in Explore', () => {
  expect(exploreRequests({ project: 'web', range: '7d' })).toEqual({
    dataset: 'transactions',
    project: 'web',
    range: '7d',
    groupBy: 'transaction',
    yAxis: 'count(),p95(span.duration),failure_rate()',
  });
  expect(
    exploreRequests({ q: '/cart', service: 'pay', failed: 'true', code: '500', from: 100, until: 2000 }).query,
  ).toBe(
    'transaction:*/cart* service:pay http.status_code:500 failed:true span.duration:>=100ms span.duration:<2000ms',
  );
  expect(exploreRequests({ transaction: 'GET /a' })).toMatchObject({
    groupBy: 'release',
    query: 'transaction:"GET /a"',
  });
  expect(exploreRequests({ range: '24h', t: '60-120' })).toMatchObject({
    range: undefined,
    start: '1970-01-01T00:01:00.000Z',
    end: '1970-01-01T00:02:00.000Z',
  });
});

test('whatever the filters are, the query can be read', () => {
  for (const value of ['GET /a (b)', '"', 'a\\', '*', 'x OR y', '[a]', 'ü'])
    for (const name of ['q', 'transaction', 'user', 'release'] as const)
      expect(parseSearch(exploreRequests({ [name]: value }).query ?? '', 'spans').problems, value).toEqual([]);
});
