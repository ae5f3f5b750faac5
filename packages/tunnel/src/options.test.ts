import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';
import { managedPath } from './managed-path.ts';
import { readOptions } from './options.ts';

const dsns = ['https://key@culprit.example.com/1'];

test.each([
  [{ dsns: ['culprit.example.com'] }, /dsns/],
  [{ dsns: ['javascript:alert(1)'] }, /dsns/],
  [{ dsns, upstream: 'file:///etc/passwd' }, /upstream/],
  [{ dsns, maxBodyBytes: -1 }, /maxBodyBytes/],
  [{ dsns, timeoutMs: Number.NaN }, /timeoutMs/],
  [{ dsns, trustedProxies: 0.5 }, /trustedProxies/],
])('options that cannot be used are named', (options, message) => {
  expect(() => readOptions(options)).toThrow(message);
});

test('without a DSN nothing may pass', () => {
  expect(readOptions({ dsns: [undefined, ''] }).targets.size).toBe(0);
});

// Made with the SDK's own function, version 11.10.
test.each([
  ['https://0123456789abcdef0123456789abcdef@culprit.example.com/1', '/1ymt23a'],
  ['http://abc:secret@127.0.0.1:7420/42', '/wqiz7u'],
  ['https://abc@h.example/a/b/7', '/18rcrgt'],
])('the path of `tunnel: true` for %s', (dsn, path) => {
  expect(managedPath(dsn)).toBe(path);
});

test.each([
  ['127.0.0.1', '', 0, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9', 0, '127.0.0.1'],
  ['::ffff:10.0.0.1', '', 0, '10.0.0.1'],
  ['10.0.0.1', 'spoofed, 203.0.113.7', 1, '203.0.113.7'],
  ['10.0.0.1', 'spoofed, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
  ['10.0.0.1', '203.0.113.7', 2, '203.0.113.7'],
  ['10.0.0.1', '', 1, '10.0.0.1'],
  ['10.0.0.1', '203.0.113.7:4711', 1, '203.0.113.7'],
  ['10.0.0.1', '[2001:db8::1]:443', 1, '2001:db8::1'],
  ['10.0.0.1', 'unknown', 1, undefined],
  ['10.0.0.1', 'a\r\nx-evil: 1', 1, undefined],
  ['10.0.0.1', ','.repeat(100_000), 1, '10.0.0.1'],
  [undefined, '203.0.113.7', 0, undefined],
  ['fe80::1%eth0', '', 0, 'fe80::1'],
])('client of peer %s with "%s" and %i trusted proxies', (peer, forwardedFor, trusted, expected) => {
  expect(clientAddress(peer, forwardedFor, trusted)).toBe(expected);
});
