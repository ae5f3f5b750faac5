import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareReleases, nextOf, type Ordered, previousOf } from './order.ts';
import { checkedVersion, parseVersion, releaseName } from './version.ts';

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

test('neighbours are of the same package: by version, or by date where one is none', () => {
  const releases = [
    at('web@1.0.0', 10),
    at('web@1.1.0', 40),
    at('web@1.0.1', 50),
    at('web@4f2c1', 45),
    at('api@7.0.0', 60),
    at('api@e1db7', 70),
    at('4f2c1', 47),
    at('1.0.0', 41),
  ];
  const around = (version: string): (string | undefined)[] => {
    const release = at(version, releases.find((one) => one.version === version)?.orderedAt);
    return [previousOf(release, releases)?.version, nextOf(release, releases)?.version];
  };
  expect(around('web@1.0.1')).toEqual(['web@1.0.0', 'web@1.1.0']);
  expect(around('web@1.0.0')).toEqual([undefined, 'web@1.0.1']);
  expect(around('web@4f2c1')).toEqual(['web@1.1.0', 'web@1.0.1']);
  expect(around('web@1.1.0')).toEqual(['web@1.0.1', 'web@4f2c1']);
  expect(around('api@7.0.0')).toEqual([undefined, 'api@e1db7']);
  expect(around('4f2c1')).toEqual(['1.0.0', undefined]);
});

test('a release is called by its version alone where that is enough', () => {
  const among = ['shop-web@1.0.0', 'shop-api@1.0.0', 'shop-api@1.1.0', `web@${'a'.repeat(40)}`, '1.1.0'];
  const named = among.map((version) => releaseName(version, among));
  expect(named).toEqual(['shop-web@1.0.0', 'shop-api@1.0.0', 'shop-api@1.1.0', 'a'.repeat(12), '1.1.0']);
  expect(releaseName('shop-web@1.0.0', ['shop-web@1.0.0'])).toBe('1.0.0');
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
