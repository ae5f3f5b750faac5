/**
 * `npm run notices`: writes `NOTICE` whole, with the licences of all that a release includes. `--check` writes nothing and
 * fails where it is stale; `--sbom FILE` writes the bill of materials (CycloneDX) instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { noticeOf } from './notices/notice.ts';
import { sbomOf } from './notices/sbom.ts';
import { bundledIn, merged, neededBy, refOf, type Shipped } from './notices/shipped.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const noticePath = join(root, 'NOTICE');

/** Licences that ask for no more than to be named. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
]);

/** Given to the public domain: it comes with the client of NATS. No other package may bring that licence unseen. */
const publicDomain = new Map([['tweetnacl', 'Unlicense']]);

const refused = (shipped: readonly Shipped[]): Shipped[] =>
  shipped.filter(
    ({ name, license }) =>
      publicDomain.get(name) !== license &&
      !license
        .replaceAll(/[()]/g, '')
        .split(/ (?:OR|AND) /)
        .every((id) => permissive.has(id)),
  );

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, sbom: { type: 'string' } } });
const shipped = merged(neededBy(root, ['server']), bundledIn(join(root, 'console/dist/licenses.json')));
const others = refused(shipped);
if (others.length) {
  const list = others.map((one) => `${refOf(one)} (${one.license || 'none named'})`).join(', ');
  console.error(`A release must not include packages under other than permissive licences: ${list}.`);
  process.exit(1);
}
const current = readFileSync(noticePath, 'utf8');
const notice = noticeOf(current, shipped);
if (values.sbom !== undefined) {
  const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string };
  writeFileSync(values.sbom, `${JSON.stringify(sbomOf(version, shipped), undefined, 2)}\n`);
} else if (values.check) {
  if (notice === current) process.exit(0);
  console.error('NOTICE is stale: run "npm run notices".');
  process.exit(1);
} else writeFileSync(noticePath, notice);
