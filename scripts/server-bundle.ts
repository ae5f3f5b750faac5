/** The server as a bundle: a file for each program and thread, and what they share. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { fromBundle } from './bundled-urls.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'server/src');
const main = join(sources, 'cli/main.ts');

export const dist = join(root, 'server/dist');

/** Not bundled: native code, what is needed with PostgreSQL only, and what has files of its own. */
export const installed = ['chdb', 'lmdb', 'pg', 'pino', 'pino-pretty', 'uap-core'];

/** Files that modules find beside themselves, modules of threads and of the engine among them. */
export const beside = /new URL\(([`'"])([^`'"]+)\1,\s*import\.meta\.url\)/g;

export const isForTests = (name: string): boolean =>
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

/**
 * Node gives a module that imports `node:http` all that it exports, among it what is loaded when it is first touched: the
 * client behind `fetch`, a fourth of the processor time of a short command, once more in each thread. Required, it is left.
 */
const requiredHttp: Plugin = {
  name: 'node:http is required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'require-call' ? { path: 'node:http', external: true } : { path: 'node:http', namespace: 'required' },
    );
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
      loader: 'js',
    }));
  },
};

export async function bundleServer(): Promise<readonly OutputFile[]> {
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
    // A fourth less to read and to install; names stay, and maps say where each line stood.
    minifyWhitespace: true,
    // NOTICE has the licences. One letter in them that is not ASCII doubles what V8 keeps of a bundle's text.
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    // The last is native, and what asks for it goes without.
    external: [...installed, 'pg-native'],
    plugins: [besideBundle(started), requiredHttp],
    // Libraries of the older kind ask for others so.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outputFiles;
}
