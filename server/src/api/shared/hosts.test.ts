import { expect, test } from 'vitest';
import { isOwnHost } from './hosts.ts';

const allowed = ['culprit.lan', 'ops.lan:8443', '*.example.com', '[fd00::1]'];
const isOwn = (host: string, url = 'https://errors.example.org', port: number | undefined = 7420): boolean =>
  isOwnHost(host, { getUrl: () => url, allowed }, port);

test.each([
  'errors.example.org',
  'ERRORS.example.org',
  'errors.example.org:443',
  'localhost:7420',
  '127.0.0.1:7420',
  '[::1]:7420',
  'culprit.lan',
  'culprit.lan:8080',
  'ops.lan:8443',
  'a.example.com',
  'a.b.example.com:99',
  '[fd00::1]:7420',
])('%s is a name of ours', (host) => {
  expect(isOwn(host)).toBe(true);
});

test.each([
  '',
  'evil.example',
  'evil.example:7420',
  'errors.example.org:7420',
  'errors.example.org.evil.example',
  'localhost',
  'localhost:80',
  'localhost:7421',
  '127.0.0.2:7420',
  '0.0.0.0:7420',
  'example.com',
  'evilexample.com',
  '.example.com',
  'ops.lan',
  'ops.lan:7420',
  'localhost:7420@evil.example',
  'localhost:7420, evil.example',
  'a.example.com/evil',
])('"%s" is none', (host) => {
  expect(isOwn(host)).toBe(false);
});

test('with a public address that names its port, others are none', () => {
  expect(isOwn('shop.lan:8080', 'http://shop.lan:8080')).toBe(true);
  expect(isOwn('shop.lan', 'http://shop.lan:8080')).toBe(true);
  expect(isOwn('shop.lan:80', 'http://shop.lan:8080')).toBe(false);
  expect(isOwn('localhost:1', 'http://localhost:7420')).toBe(false);
});
