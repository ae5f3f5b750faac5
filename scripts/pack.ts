/**
 * `npm run pack`: the npm package `culprit` in `release/`, as a folder and as the archive that is published. Its files lie
 * as in a checkout: the bundle, what it reads beside itself, the console. Packages that the bundle contains are not
 * dependencies of it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beside, bundleServer, dist, installed } from './server-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestOf = (dir: string): Manifest =>
  JSON.parse(readFileSync(join(root, dir, 'package.json'), 'utf8')) as Manifest;

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function packedManifest(): object {
  const { dependencies: own, version, license } = manifestOf('server');
  const { description, dependencies } = manifestOf('.');
  return {
    name: 'culprit',
    version,
    description,
    license,
    type: 'module',
    bin: { culprit: 'server/bin/culprit.js' },
    // What an older Node runs on instead, by server/bin/newer-node.js.
    config: { node: dependencies['node'] },
    engines: { node: '>=20' },
    os: ['linux', 'darwin'],
    dependencies: Object.fromEntries(installed.map((name) => [name, own[name]])),
  };
}

/** Files of the sources that the bundle reads; a name that is put together at run time stands for each that fits. */
function readByBundle(code: string): string[] {
  const written = [...code.matchAll(beside)].map(([, , to = '']) => to).filter((to) => to.startsWith('../src/'));
  return written.flatMap((to) => {
    const found = globSync(join(dist, to.replaceAll(/\$\{[^}]+\}/g, '*')));
    if (!found.length) throw new Error(`the bundle reads ${to}, which is not there`);
    return found;
  });
}

/** Source maps of chunks that packages alone are in: a fifth of all, and nobody who looks for a fault needs them. */
function isMapOfOthers(path: string): boolean {
  if (!path.endsWith('.js.map')) return false;
  const { sources } = JSON.parse(readFileSync(path, 'utf8')) as { readonly sources: readonly string[] };
  return sources.every((source) => source.includes('node_modules/'));
}

/** Lays the package out in `to`, from what was built. */
export async function layOut(to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  const bundle = await bundleServer();
  const code = bundle.filter(({ path }) => path.endsWith('.js'));
  const add = (path: string, contents: string | Uint8Array): void => {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), contents);
  };
  add('package.json', json(packedManifest()));
  // The server asks it for its version.
  add('server/package.json', json({ version: manifestOf('server').version, private: true, type: 'module' }));
  for (const { path, contents } of bundle) add(relative(root, path), contents);
  for (const path of new Set(code.flatMap(({ text }) => readByBundle(text)))) {
    add(relative(root, path), readFileSync(path));
  }
  // By this, the program knows that it was built.
  add('server/dist/.sources', '');
  const forBuilds = /\/(?:\.vite|\.sources|licenses\.json(?:\.\w+)?)$/;
  cpSync(join(root, 'console/dist'), join(to, 'console/dist'), {
    recursive: true,
    filter: (path) => !forBuilds.test(path) && !isMapOfOthers(path),
  });
  cpSync(join(root, 'server/bin'), join(to, 'server/bin'), { recursive: true });
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE', 'deploy/culprit.service'])
    cpSync(join(root, name), join(to, name));
}

export interface Packed {
  /** The archive. */
  readonly path: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
}

/** The archive of what was laid out in `from`, written to `to`. */
export function pack(from: string, to: string): Packed {
  mkdirSync(to, { recursive: true });
  const words = ['pack', from, '--pack-destination', to, '--json', '--ignore-scripts', '--loglevel=error'];
  const said = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' })) as unknown;
  const [{ filename, size, unpackedSize } = { filename: '', size: 0, unpackedSize: 0 }] = said as {
    filename: string;
    size: number;
    unpackedSize: number;
  }[];
  return { path: join(to, filename), packedBytes: size, unpackedBytes: unpackedSize };
}

if (import.meta.main) {
  const release = join(root, 'release');
  await layOut(join(release, 'culprit'));
  const { path, packedBytes, unpackedBytes } = pack(join(release, 'culprit'), release);
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  console.log(`${relative(root, path)}: ${megabytes(packedBytes)} MB, unpacked ${megabytes(unpackedBytes)} MB`);
}
