import { expect, test } from 'vitest';
import { cutGroups, groupAttributes } from './attributes.ts';

const texts = {
  'http.request.method': 'GET',
  'server.address': 'shop',
  'http.route': '/cart',
  'sentry.op': 'db',
  'sentry.origin': 'auto',
};
const numbers = {
  'http.response.status_code': 200,
  'http.response.body.size': 2_100_000,
  lcp: 1830.4,
  'process.pid': 12_345,
};
const groups = (search = ''): unknown[] =>
  groupAttributes(texts, numbers, search).map(({ name, attributes }) => [
    name,
    attributes.map(({ key, shown }) => (shown ? `${key}=${shown}` : key)),
  ]);

test('groups by the first word of the key, what the span did first', () => {
  expect(groups()).toEqual([
    ['HTTP', ['http.request.method', 'http.response.body.size=2.1\u00a0MB', 'http.response.status_code', 'http.route']],
    ['Sentry', ['sentry.op', 'sentry.origin']],
    ['Other', ['lcp=1.83\u00a0s', 'process.pid', 'server.address']],
  ]);
});

test('keys and values are searched', () => {
  expect(groups('CART')).toEqual([['Other', ['http.route']]]);
  expect(groups('status_code 200')).toEqual([['Other', ['http.response.status_code']]]);
  expect(groups('nothing')).toEqual([]);
});

test('of ten thousand some are taken', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, number) => [`a${number % 7}.b${number}`, '']));
  const cut = cutGroups(groupAttributes(many, {}), 200);
  expect(cut.reduce((sum, { attributes }) => sum + attributes.length, 0)).toBe(200);
});

test('keys that mean something to the language are keys', () => {
  const odd = groupAttributes(
    JSON.parse('{"__proto__.a":"1","__proto__.b":"2","constructor":"x"}') as Record<string, string>,
    {},
  );
  expect(odd.map(({ name, attributes }) => [name, attributes.length])).toEqual([
    ['_ proto  ', 2],
    ['Other', 1],
  ]);
});
