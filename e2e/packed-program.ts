/**
 * The program in few files. A run of the tests starts it some hundred times, and half of a start goes into finding and
 * reading the two thousand files of the program and its libraries. What is packed is what is there when the run begins.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'server/src');
const cache = join(root, 'node_modules/.cache/culprit-packed');
const main = join(sources, 'cli/main.ts');

/** Libraries of native code, or that load files beside them. */
const external = ['chdb', 'lmdb', 'pg', 'pg-native', 'pino-pretty'];

/** What is not used for so long is deleted, ms. */
const keepMs = 86_400_000;

/** How sources name the modules of threads and of the engine. */
const startedModule = /new URL\('(\.{1,2}\/[^']+\.ts)', import\.meta\.url\)/g;

const packedName = (path: string): string => relative(sources, path).replace(/\.ts$/, '.mjs');

/** Modules that run in threads and processes of their own. */
function startedModules(): string[] {
  const found = globSync('**/*.ts', { cwd: sources }).flatMap((name) => {
    if (/\.test\.ts$|(?:^|\/)(?:contract|testing)\b/.test(name)) return [];
    const path = join(sources, name);
    return [...readFileSync(path, 'utf8').matchAll(startedModule)].map(([, to = '']) => join(dirname(path), to));
  });
  return [...new Set(found)];
}

/** Sources find what lies beside them as if they were still there, but start what is packed. */
function asIfThere(started: readonly string[], dir: string): Plugin {
  return {
    name: 'as if there',
    setup({ onLoad }) {
      onLoad({ filter: /\/(?:server|packages)\/.*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8')
          .replace(startedModule, (text, to: string) => {
            const module = join(dirname(path), to);
            if (!started.includes(module)) return text;
            return `new URL(${JSON.stringify(pathToFileURL(join(dir, packedName(module))).href)})`;
          })
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Packs the program unless that was done; resolves to the path of its main module. */
export async function packProgram(): Promise<string> {
  const started = startedModules();
  // Where it will lie is part of what is packed, and follows from what is packed.
  const placeholder = join(cache, 'PLACE');
  const { outputFiles } = await build({
    entryPoints: [main, ...started],
    outbase: sources,
    outdir: placeholder,
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    external,
    plugins: [asIfThere(started, placeholder)],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(main)});`,
    },
  });
  const hash = createHash('sha256');
  for (const { path, contents } of outputFiles) hash.update(path).update('\0').update(contents);
  const dir = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(dir)) await utimes(dir, new Date(), new Date());
  else {
    await mkdir(cache, { recursive: true });
    const fresh = await mkdtemp(join(cache, 'fresh-'));
    for (const { path, text } of outputFiles) {
      const file = join(fresh, relative(placeholder, path));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll(placeholder, dir));
    }
    // Another run may have been quicker, with the same.
    await rename(fresh, dir).catch(() => rm(fresh, { recursive: true }));
  }
  await deleteUnused();
  return join(dir, packedName(main));
}

async function deleteUnused(): Promise<void> {
  for (const name of await readdir(cache)) {
    const dir = join(cache, name);
    const { mtimeMs } = await stat(dir);
    if (mtimeMs < Date.now() - keepMs) await rm(dir, { recursive: true, force: true });
  }
}
