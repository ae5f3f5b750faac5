/**
 * Bundles the server when its sources changed since the last build: a start finds and reads some hundred files instead of
 * two thousand, with no types to strip. `npm start`, packages and most tests run the bundle. All of it lies in one folder.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { fromBundle } from './bundled-urls.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'server/src');
const dist = join(root, 'server/dist');
const stamp = join(dist, '.sources');
const main = join(sources, 'cli/main.ts');

/** Native code, what is needed with PostgreSQL only, and what finds files of its own beside itself. */
const external = ['chdb', 'lmdb', 'pg', 'pg-native', 'pino', 'pino-pretty'];

/** What a running server may still load is kept so long, ms. */
const keepMs = 86_400_000;

/** Files that modules find beside themselves, modules of threads and of the engine among them. */
const beside = /new URL\(([`'])([^`']+)\1, import\.meta\.url\)/g;

const isForTests = (name: string): boolean =>
  /\.test\.ts$|(?:^|\/)testing\b|(?:^|\/)ports\/\w+\/contract\.ts$/.test(name);

/** Modules that run in threads and processes of their own. */
function startedModules(): string[] {
  const found = globSync('**/*.ts', { cwd: sources }).flatMap((name) => {
    if (isForTests(name)) return [];
    const path = join(sources, name);
    return [...readFileSync(path, 'utf8').matchAll(beside)].flatMap(([, , to = '']) =>
      to.endsWith('.ts') ? join(dirname(path), to) : [],
    );
  });
  return [...new Set(found)];
}

const entryName = (path: string): string => relative(sources, path).replaceAll('/', '-').replace(/\.ts$/, '');

/** From one folder, they find the same. */
function besideBundle(started: readonly string[]): Plugin {
  return {
    name: 'files beside modules',
    setup({ onLoad }) {
      onLoad({ filter: /\/(?:server\/src|packages\/\w+\/(?:src|dist))\/.*\.[jt]s$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replaceAll(beside, (_text, quote: string, to: string) => {
          const target = join(dirname(path), to);
          const found = started.includes(target) ? `./${entryName(target)}.js` : fromBundle(dist, target, to);
          return `new URL(${quote}${found}${quote}, import.meta.url)`;
        });
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}

async function bundle(): Promise<void> {
  const started = startedModules();
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries([main, ...started].map((path) => [entryName(path), path])),
    outdir: dist,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    external,
    plugins: [besideBundle(started)],
    // Libraries of the older kind ask for others so.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  // Chunks first: who starts meanwhile finds all that an entry asks for.
  const isChunk = (path: string): boolean => path.includes('/shared-');
  for (const { path, contents } of outputFiles.toSorted((a, b) => Number(isChunk(b.path)) - Number(isChunk(a.path)))) {
    writeFileSync(path, contents);
  }
  const made = new Set(outputFiles.map(({ path }) => path));
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
    relative(root, fileURLToPath(import.meta.url)),
    'scripts/bundled-urls.ts',
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
