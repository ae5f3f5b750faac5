import { describe, expect, test } from 'vitest';
import { readJson, report, sharedFolder } from '../conformance-data.ts';
import { pathWithoutIds, splitOrigin, transactionWithoutIds, urlWithoutIds } from './path-ids.ts';

test.each([
  ['/users/42', '/users/*'],
  ['/users/0f8fad5b-d9cb-469f-a165-70867728950e/x', '/users/*/x'],
  ['/items/12-red-shoes', '/items/*-red-shoes'],
  ['/commit/d41d8cd98f00b204e9800998ecf8427e', '/commit/*'],
  ['/api/v2/oauth2', '/api/v2/oauth2'],
  ['', ''],
])('path %s is %s', (path, without) => {
  expect(pathWithoutIds(path)).toBe(without);
});

test.each([
  ['/users/12', '/users/*'],
  ['GET /users/12/orders/7', 'GET /users/*/orders/7'],
  ['POST /v1/charge', 'POST /v1/charge'],
  ['/report/2026-11-21', '/report/*'],
  ['/a/0xdeadbeef', '/a/*'],
  ['/session/aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa', '/session/*'],
  ['https://shop.example.com/x', 'https://shop.example.com/x'],
  ['no path', 'no path'],
])('transaction %s is %s', (name, without) => {
  expect(transactionWithoutIds(name)).toBe(without);
});

test('URLs', () => {
  expect(urlWithoutIds('https://a.example.com:8080/x/1?b=2&a=1&a=3#f')).toBe('https://a.example.com:8080/x/*?a=*&b=*');
  expect(urlWithoutIds('?')).toBe('');
  expect(splitOrigin('https://a.example.com')).toEqual({ origin: 'https://a.example.com', path: '' });
  expect(splitOrigin('/x')).toEqual({ origin: '', path: '/x' });
});

const shared = sharedFolder('conformance/performance', 'conformance of URLs without ids') ?? '';

describe.skipIf(shared === '')('conformance', () => {
  test('URLs without ids', () => {
    const { cases } = readJson<{ cases: { input: string; expected: string }[] }>(shared, 'urls.json');
    const judged = cases.map(({ input, expected }) => ({ id: input, passed: urlWithoutIds(input) === expected }));
    expect(report('URLs without ids', judged)).toBe(1);
  });
});
