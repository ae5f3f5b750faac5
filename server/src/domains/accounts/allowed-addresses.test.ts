import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allowsAddress, longestAddress, readAllowedAddresses } from './allowed-addresses.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 10.0.0.0/8 ', '10.0.0.0/8'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('%s is stored as %s', (typed, stored) => {
  expect(readAllowedAddresses([typed, stored])).toEqual([stored]);
});

test.each([
  '',
  'office',
  '10.0.0.0/33',
  '10.0.0',
  '010.0.0.1',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '2001:db8::/129',
  '::ffff:10.0.0.0/8',
  'fe80::1%eth0',
  '[::1]',
  '10.0.0.1:80',
  '10.0.0.1-10.0.0.9',
])('%j is refused in words', (typed) => {
  expect(() => readAllowedAddresses([typed])).toThrow(/is not an IP address or a network such as/);
});

test.each([
  [['10.0.0.0/8'], '10.255.0.1', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:a01:203', true],
  [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['2001:db8::/32'], '10.0.0.1', false],
  [['fe80::/10'], 'fe80::1%eth0', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '2001:db8::1', true],
  [['10.0.0.1', '10.0.0.3'], '10.0.0.2', false],
  [['10.0.0.1'], '', false],
  [['10.0.0.1'], 'unknown', false],
  [[], 'unknown', true],
])('%j and %s: %s', (allowed, address, isAllowed) => {
  expect(allowsAddress(readAllowedAddresses(allowed), address)).toBe(isAllowed);
});

test('each network has the addresses that share its first bits, however they are written', () => {
  const octets = fc.tuple(...Array.from({ length: 4 }, () => fc.nat(255)));
  const bitsOf = (parts: readonly number[]): string => parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(octets, octets, fc.nat(32), fc.boolean(), (network, address, bits, mapped) => {
      const allowed = readAllowedAddresses([`${network.join('.')}/${bits}`]);
      const asked = `${mapped ? '::ffff:' : ''}${address.join('.')}`;
      return allowsAddress(allowed, asked) === bitsOf(address).startsWith(bitsOf(network).slice(0, bits));
    }),
  );
});

test('what is stored is read again as itself, and is no longer than an entry may be', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), (address, bits) => {
      const text = `${address}/${address.includes(':') ? bits : bits % 33}`;
      let stored: string[];
      try {
        stored = readAllowedAddresses([text]);
      } catch {
        return /^(?:0{0,4}:){2,}ffff:/i.test(text) || text.startsWith('::');
      }
      return text.length <= longestAddress && readAllowedAddresses(stored).join() === stored.join();
    }),
  );
});
