/**
 * Bundles the server when its sources changed since the last build: a start finds and reads some hundred files instead of
 * two thousand, with no types to strip. `npm start`, packages and most tests run the bundle. All of it lies in one folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleServer, dist, isForTests } from './server-bundle.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(dist, '.sources');

/** What a running server may still load is kept so long, ms. */
const keepMs = 86_400_000;

async function bundle(): Promise<void> {
  const files = await bundleServer();
  mkdirSync(dist, { recursive: true });
  // Chunks first: who starts meanwhile finds all that an entry asks for.
  const isChunk = (path: string): boolean => path.includes('/shared-');
  for (const { path, contents } of files.toSorted((a, b) => Number(isChunk(b.path)) - Number(isChunk(a.path)))) {
    writeFileSync(path, contents);
  }
  const made = new Set(files.map(({ path }) => path));
  for (const name of globSync('*.{js,map}', { cwd: dist })) {
    const path = join(dist, name);
    if (!made.has(path) && statSync(path).mtimeMs < Date.now() - keepMs) rmSync(path);
  }
}

/** Of all that a bundle is made of. */
function fingerprint(): string {
  const files = [
    ...globSync('server/src/**/*.{ts,js}', { cwd: root }).filter((name) => !isForTests(name)),
    ...globSync('packages/{envelope,search,stacktrace}/src/**/*.ts', { cwd: root }).filter((name) => !isForTests(name)),
    'packages/react/dist/.sources',
    'package-lock.json',
    ...['build-server', 'server-bundle', 'bundled-urls'].map((name) => `scripts/${name}.ts`),
  ];
  const hash = createHash('sha256');
  for (const file of files.toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

const current = fingerprint();
if (process.argv.includes('--force') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  rmSync(stamp, { force: true });
  await bundle();
  writeFileSync(stamp, current);
}
