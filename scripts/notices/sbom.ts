/** The bill of materials of a release, as CycloneDX 1.6 has it. */
import { createHash } from 'node:crypto';
import { refOf, type Shipped } from './shipped.ts';

export const purlOf = ({ name, version }: Pick<Shipped, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const algorithms: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' };

/** From an SRI hash. */
function hashesOf(integrity: string | undefined): { alg: string; content: string }[] {
  const [, name = '', base64 = ''] = /^(\w+)-(.+)$/.exec(integrity ?? '') ?? [];
  const alg = algorithms[name];
  return alg ? [{ alg, content: Buffer.from(base64, 'base64').toString('hex') }] : [];
}

const licenseOf = (license: string) =>
  /\s/.test(license) ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }] : [{ license: { id: license } }];

/** The same for the same packages, its serial number included. */
export function sbomOf(version: string, shipped: readonly Shipped[]): object {
  const root = `pkg:npm/culprit@${version}`;
  const purls = new Map(shipped.map((one) => [refOf(one), purlOf(one)]));
  const hex = createHash('sha256')
    .update(JSON.stringify([version, ...purls.values()]))
    .digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const needed = new Set(shipped.flatMap(({ needs }) => needs));
  const component = { type: 'application', 'bom-ref': root, name: 'culprit', version, purl: root };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: { component: { ...component, licenses: licenseOf('Apache-2.0') } },
    components: shipped.map((one) => {
      const [scope, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name];
      return {
        type: 'library',
        'bom-ref': purlOf(one),
        ...(scope && { group: scope }),
        name,
        version: one.version,
        licenses: licenseOf(one.license),
        hashes: hashesOf(one.integrity),
        purl: purlOf(one),
      };
    }),
    dependencies: [
      { ref: root, dependsOn: shipped.filter((one) => !needed.has(refOf(one))).map(purlOf) },
      ...shipped.map((one) => ({ ref: purlOf(one), dependsOn: one.needs.flatMap((need) => purls.get(need) ?? []) })),
    ],
  };
}
