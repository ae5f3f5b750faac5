import { describe, expect, test } from 'vitest';
import { firstFree, isSlug, shortIdPrefixFrom, slugFrom } from './slug.ts';

describe('slugFrom', () => {
  test.each([
    ['Web Shop', 'web-shop'],
    ['  Web -- Shop (Zürich)!  ', 'web-shop-zurich'],
    ['api', 'api'],
    ['商店', 'project'],
    ['', 'project'],
    ['---', 'project'],
    ['2024', 'project-2024'],
    ['4ever', '4ever'],
    ['\ud800\0x', 'x'],
    ['__proto__', 'proto'],
  ])('%j gives %s', (name, slug) => {
    expect(slugFrom(name, 'project')).toBe(slug);
  });

  test('any text gives a slug', () => {
    for (const name of ['a'.repeat(500), `${'a'.repeat(49)}-b`, '-'.repeat(300), '1'.repeat(80), 'ﷺ'.repeat(100)]) {
      expect(isSlug(slugFrom(name, 'project')), name).toBe(true);
    }
  });
});

test('a slug is not a number, and small', () => {
  expect(['web', 'web-shop', '3d', 'a_b', 'a'.repeat(50)].filter((slug) => !isSlug(slug))).toEqual([]);
  expect(['', '12', 'Web', 'a b', '-a', '_a', 'a/b', 'é', 'a'.repeat(51)].filter(isSlug)).toEqual([]);
});

test.each([
  ['web-shop', 'WEB-SHOP'],
  ['api', 'API'],
  ['customer-relationship-management', 'CUSTOMER'],
  ['a-very-long-project-name', 'A-VERY-LONG-PROJECT'],
  ['x'.repeat(50), 'X'.repeat(20)],
  ['web_shop-', 'WEB-SHOP'],
])('short ids of %s begin with %s', (slug, prefix) => {
  expect(shortIdPrefixFrom(slug)).toBe(prefix);
});

test('a taken name gets a number, within the limit', () => {
  expect(firstFree('web', new Set())).toBe('web');
  expect(firstFree('web', new Set(['web', 'web-2']))).toBe('web-3');
  const long = 'a'.repeat(50);
  expect(firstFree(long, new Set([long]))).toBe(`${'a'.repeat(48)}-2`);
});
