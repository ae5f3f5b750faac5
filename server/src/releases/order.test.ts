import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareReleases, nextOf, type Ordered, previousOf } from './order.ts';
import { checkedVersion, parseVersion } from './version.ts';

const at = (version: string, orderedAt = 0): Ordered => ({ version, orderedAt });
const sorted = (...versions: string[]): string[] =>
  versions
    .map((version) => at(version))
    .toSorted(compareReleases)
    .map(({ version }) => version);

test('versions of one package are ordered as semver has it', () => {
  const order = [
    'web@0.9.10',
    'web@1.0.0-alpha',
    'web@1.0.0-alpha.1',
    'web@1.0.0-alpha.beta',
    'web@1.0.0-beta',
    'web@1.0.0-beta.2',
    'web@1.0.0-beta.11',
    'web@1.0.0-rc.1',
    'web@1.0.0',
    'web@1.0.0+45',
    'web@1.0.0+123',
    'web@1.2',
    'web@1.2.1',
    'web@1.2.1.4',
    'web@v1.10.0',
  ];
  expect(sorted(...order.toReversed())).toEqual(order);
});

test('dates decide between packages and between what are no versions', () => {
  expect(compareReleases(at('web@1.0.0', 2), at('api@9.0.0', 1))).toBeGreaterThan(0);
  expect(compareReleases(at('4f2c1ab', 1), at('web@1.0.0', 2))).toBeLessThan(0);
  expect(compareReleases(at('web@2.0.0', 1), at('web@1.0.0', 2))).toBeGreaterThan(0);
  expect(compareReleases(at('a', 1), at('a', 1))).toBe(0);
});

test('neighbours are of the same package where there is one, else by date', () => {
  const releases = [
    at('web@1.0.0', 10),
    at('web@1.1.0', 40),
    at('web@1.0.1', 50),
    at('4f2c1', 45),
    at('api@7.0.0', 60),
  ];
  const [first, second, hotfix, hash, api] = releases as [Ordered, Ordered, Ordered, Ordered, Ordered];
  expect(previousOf(hotfix, releases)).toBe(first);
  expect(nextOf(hotfix, releases)).toBe(second);
  expect(previousOf(hash, releases)).toBe(second);
  expect(nextOf(hash, releases)).toBe(hotfix);
  expect(previousOf(api, releases)).toBe(hotfix);
  expect(nextOf(api, releases)).toBeUndefined();
  expect(previousOf(first, releases)).toBeUndefined();
});

test('within a package the order is one that can be sorted by', () => {
  const part = fc.constantFrom('0', '1', '9', '10', 'a', 'rc', '-');
  const version = fc
    .tuple(fc.nat(3), fc.nat(3), fc.array(part, { maxLength: 3 }), fc.constantFrom('', '+1', '+20', '+abc'))
    .map(([major, minor, pre, build]) => `p@${major}.${minor}${pre.length ? `-${pre.join('.')}` : ''}${build}`);
  const release = fc.tuple(version, fc.nat(5)).map(([text, time]) => at(text, time));
  fc.assert(
    fc.property(release, release, release, (a, b, c) => {
      expect(Math.sign(compareReleases(a, b))).toBe(0 - Math.sign(compareReleases(b, a)));
      const buildless = (one: Ordered): Ordered => ({ ...one, version: one.version.replace(/\+.*/, '') });
      const [x, y, z] = [a, b, c].map(buildless) as [Ordered, Ordered, Ordered];
      if (compareReleases(x, y) <= 0 && compareReleases(y, z) <= 0)
        expect(compareReleases(x, z)).toBeLessThanOrEqual(0);
    }),
  );
});

test('what a version says', () => {
  expect(parseVersion('@acme/web@1.2.3-rc.1+45')).toEqual({
    package: '@acme/web',
    numbers: [1, 2, 3, 0],
    prerelease: ['rc', '1'],
    build: '45',
  });
  for (const text of ['4f2c1', '1', 'web', '1.2.x', '1.2-', 'web@1.2.3-ä', '1..2', '']) {
    if (text === '1.2-') expect(parseVersion(text)?.prerelease).toEqual([]);
    else expect(parseVersion(text), text).toBeUndefined();
  }
});

test('names that no release may have', () => {
  expect(checkedVersion(' web@1.0.0 ')).toBe('web@1.0.0');
  for (const bad of ['', '  ', '.', '..', 'Latest', 'a/b', 'a\\b', 'a\nb', 'a\tb', 'x'.repeat(201)])
    expect(() => checkedVersion(bad), JSON.stringify(bad)).toThrow('version: ');
});
