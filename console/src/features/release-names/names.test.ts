import { expect, test } from 'vitest';
import { packageOf, releaseName, releaseWords } from './names.ts';

const named = (version: string) => ({ version, shortVersion: version.slice(version.lastIndexOf('@') + 1) });

test('the package is said where two releases have the same version', () => {
  const shown = ['shop-web@1.0.0', 'shop-api@1.0.0', 'shop-api@1.1.0', '1.1.0'].map(named);
  expect(shown.map((one) => releaseName(one, shown))).toEqual([
    'shop-web@1.0.0',
    'shop-api@1.0.0',
    'shop-api@1.1.0',
    '1.1.0',
  ]);
  expect(releaseWords(named('shop-web@1.0.0'), shown)).toEqual({ package: 'shop-web@', short: '1.0.0' });
  expect(releaseName(named('shop-web@1.0.0'), [named('shop-web@1.0.0'), null, undefined])).toBe('1.0.0');
});

test.each([
  ['web@1.2.3', 'web'],
  ['@acme@1.2.3', '@acme'],
  ['@acme', ''],
  ['4f2c1', ''],
])('the package of %s is %j', (version, name) => {
  expect(packageOf(version)).toBe(name);
});
