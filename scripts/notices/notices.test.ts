import { expect, test } from 'vitest';
import { noticeOf } from './notice.ts';
import { sbomOf } from './sbom.ts';
import { merged, neededBy, refOf, type Shipped } from './shipped.ts';

const root = new URL('../..', import.meta.url).pathname;

test('what the server needs, by the lock file; nothing that builds, tests, or that others might bring', () => {
  const names = neededBy(root, ['server']).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'lmdb', 'chdb', 'pg', 'zod', 'better-auth', 'pino-pretty']));
  for (const name of ['vitest', 'vite', 'next', 'sharp', 'culprit', '@culprit/envelope', 'smtp-server'])
    expect(names).not.toContain(name);
});

const one = (name: string, changed: Partial<Shipped> = {}): Shipped => ({
  name,
  version: '1.0.0',
  license: 'MIT',
  texts: ['MIT, by A'],
  integrity: undefined,
  needs: [],
  ...changed,
});

test('a notice keeps what is said of Culprit, and has each text once', () => {
  const shipped = merged([one('b'), one('a', { needs: ['b@1.0.0'] })], [one('a'), one('c', { texts: ['MIT, by C'] })]);
  expect(shipped.map(refOf)).toEqual(['a@1.0.0', 'b@1.0.0', 'c@1.0.0']);
  const notice = noticeOf('Culprit\n\nOf others.\n', shipped);
  expect(notice).toMatch(/^Culprit\n\nOf others\.\n\n-{80}\n/);
  expect(notice).toContain('a@1.0.0, b@1.0.0\n\nMIT, by A\n');
  expect(notice.split('MIT, by A')).toHaveLength(2);
  expect(noticeOf(notice, shipped)).toBe(notice);
});

interface Bom {
  readonly serialNumber: string;
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

test('a bill of materials names each package, its hash, licence and needs', () => {
  const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
  const shipped = [
    one('@a/b', { integrity, needs: ['c@1.0.0'] }),
    one('c', { license: '(MIT OR Apache-2.0)', needs: ['@a/b@1.0.0'] }),
    one('d'),
  ];
  const bom = sbomOf('2.0.0', shipped) as Bom;
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(bom.components[0]).toMatchObject({
    group: '@a',
    name: 'b',
    purl: 'pkg:npm/%40a/b@1.0.0',
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
  });
  expect(bom.components[1]).toMatchObject({ licenses: [{ expression: 'MIT OR Apache-2.0' }], hashes: [] });
  expect(bom.dependencies[0]).toEqual({ ref: 'pkg:npm/culprit@2.0.0', dependsOn: ['pkg:npm/d@1.0.0'] });
  const known = new Set([...bom.components.map((each) => each['bom-ref']), 'pkg:npm/culprit@2.0.0']);
  for (const { ref, dependsOn } of bom.dependencies)
    for (const each of [ref, ...dependsOn]) expect(known).toContain(each);
});
