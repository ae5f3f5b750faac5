import { expect, test } from 'vitest';
import { requestFacts, withoutSecrets } from './request-facts.ts';

test.each([
  ['/api/0/projects/?per_page=5', '/api/0/projects/?per_page=5'],
  ['/monitoring?sentry_key=abc&sentry_version=7', '/monitoring?sentry_key=[Filtered]&sentry_version=7'],
  ['/reset?token=a=b&next=/issues', '/reset?token=[Filtered]&next=/issues'],
  ['/x?PASSWORD=p&empty=&flag', '/x?PASSWORD=[Filtered]&empty=&flag'],
  ['https://ada:geheim@shop.example.com/cart?a=1', 'https://shop.example.com/cart?a=1'],
])('%s is told as %s', (url, expected) => {
  expect(withoutSecrets(url)).toBe(expected);
});

test('an address without end is cut', () => {
  expect(withoutSecrets(`/?q=${'x'.repeat(100_000)}`).length).toBe(2_000);
});

test('of a request, what lets nobody in', () => {
  const facts = requestFacts({
    method: 'GET',
    url: '/api/0/?api_key=1',
    protocol: 'https',
    host: 'shop.example.com:8443',
    headers: {
      authorization: 'Bearer secret',
      cookie: 'session=secret',
      'user-agent': 'test',
      referer: 'https://shop.example.com/?code=secret',
      'sentry-trace': 'aaaabbbbccccddddaaaabbbbccccdddd-1111222233334444-1',
    },
    routeOptions: { url: '/api/0/' },
  });
  expect(facts).toEqual({
    method: 'GET',
    path: '/api/0/?api_key=[Filtered]',
    url: 'https://shop.example.com:8443/api/0/?api_key=[Filtered]',
    route: '/api/0/',
    headers: { 'user-agent': 'test', referer: 'https://shop.example.com/?code=[Filtered]' },
    sentryTrace: 'aaaabbbbccccddddaaaabbbbccccdddd-1111222233334444-1',
  });
  const hostile = { method: 'GET', url: '/', protocol: 'http', headers: {}, routeOptions: {} };
  expect(requestFacts({ ...hostile, host: '"><script>' }).url).toBe('http://localhost/');
});
