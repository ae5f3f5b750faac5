import { expect, test } from 'vitest';
import { isOriginAllowed } from './origin.ts';

test.each([
  [[], 'https://any.example', true],
  [['*'], 'https://any.example', true],
  [['shop.example.com'], undefined, true],
  [['shop.example.com'], 'https://shop.example.com', true],
  [['shop.example.com'], 'http://shop.example.com:8080', true],
  [['shop.example.com'], 'https://a.shop.example.com', false],
  [['shop.example.com'], 'https://evilshop.example.com', false],
  [['shop.example.com'], 'https://shop.example.com.evil.example', false],
  [['*.example.com'], 'https://example.com', true],
  [['*.example.com'], 'https://a.b.example.com', true],
  [['*.example.com'], 'https://notexample.com', false],
  [['https://shop.example.com'], 'http://shop.example.com', false],
  [['https://shop.example.com:443'], 'https://shop.example.com', true],
  [['shop.example.com:8443'], 'https://shop.example.com:8443', true],
  [['shop.example.com:8443'], 'https://shop.example.com', false],
  [['SHOP.example.com/'], 'https://shop.example.com/checkout?x=1', true],
  [['[::1]:3000'], 'http://[::1]:3000', true],
  [['shop.example.com'], 'null', false],
  [['null'], 'null', true],
  [['shop.example.com'], 'no origin at all', false],
  [['', 'a:b:c', '*.'], 'https://shop.example.com', false],
])('domains %j, origin %s: %s', (domains, origin, expected) => {
  expect(isOriginAllowed(origin, domains)).toBe(expected);
});
