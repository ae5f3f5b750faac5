/**
 * Builds the console when its sources changed since the last build, and lays compressed copies beside its files.
 * Runs after `npm ci` and before `npm start`, where it only compares a fingerprint.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Chunk, linksOfPages } from './first-pages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const consoleDir = join(root, 'console');
const dist = join(consoleDir, 'dist');
const stamp = join(dist, '.sources');

function filesBelow(dir: string): string[] {
  return (
    readdirSync(dir, { recursive: true, withFileTypes: true })
      // Types are nothing to a bundler; those of the API change more often than what it shows.
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
  );
}

function fingerprint(): string {
  const inputs = ['src', 'public'].map((name) => join(consoleDir, name)).filter((dir) => existsSync(dir));
  const files = [
    ...inputs.flatMap(filesBelow),
    ...['search', 'stacktrace'].flatMap((name) => filesBelow(join(root, 'packages', name, 'src'))),
    ...['index.html', 'vite.config.ts', 'package.json', 'scripts/slim.ts'].map((name) => join(consoleDir, name)),
    join(root, 'package-lock.json'),
    join(root, 'scripts/first-pages.ts'),
    // What the console takes of it changes the console; laid there by build-packages.ts, which runs first.
    join(root, 'packages/react/dist/.sources'),
  ];
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(relative(root, file)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

const sources = fingerprint();
if (process.argv.includes('--force') || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) {
  const vite = join(root, 'node_modules', '.bin', 'vite');
  const { status } = spawnSync(vite, ['build', '--logLevel', 'warn'], { cwd: consoleDir, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  writeFileSync(join(dist, 'first-pages.json'), JSON.stringify(linksOfPages(manifest)));
  for (const file of filesBelow(dist)) {
    if (!/\.(js|css|html|svg|json|txt)$/.test(file)) continue;
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
  writeFileSync(stamp, sources);
}
