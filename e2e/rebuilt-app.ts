/** One page with forty bugs, built again and again as releases are: other chunk names, other minified names, with maps or without. */
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const things = (
  'basket coupon invoice address payment voucher receipt parcel courier refund ' +
  'catalog picture review rating banner search filter sorting paging wishlist ' +
  'session password profile avatar language currency timezone consent newsletter mailbox'
).split(' ');
/** Bugs that fail with the same words, so that nothing but the place tells them apart. */
const places = 'orders returns stores staff reports taxes gifts points badges levels'.split(' ');

export const bugsOfOwnWords: readonly string[] = things;
export const allBugs: readonly string[] = [...things, ...places];

const nameOf = (bug: string): string => `${bug.slice(0, 1).toUpperCase()}${bug.slice(1)}`;

function sourceOf(bug: string): string {
  const name = nameOf(bug);
  const words = places.includes(bug)
    ? '`the server answered 503 after ${state.tries} tries`'
    : `\`the ${bug} was not there after \${state.tries} tries\``;
  return `export interface State { tries: number }

function read${name}(state: State): string {
  if (state.tries >= 0) throw new Error(${words});
  return '${bug}';
}

export function open${name}(state: State): string {
  const found = read${name}(state);
  return found.trim();
}
`;
}

const listOfBugs = `import * as padding from './padding.ts';
${allBugs.map((bug) => `import { open${nameOf(bug)} } from './bugs/${bug}.ts';`).join('\n')}

export const bugs: Record<string, (state: { tries: number }) => unknown> = {
${allBugs.map((bug) => `  ${bug}: (state) => open${nameOf(bug)}(state),`).join('\n')}
};

Object.assign(globalThis, { padding });
`;

export interface Rebuild {
  readonly release: string;
  /** As bundlers name their chunks: `[name]-[hash]`, `[name].[hash].chunk`. */
  readonly names: string;
  /** Functions that come before all others, so that the minifier gives other names to those. */
  readonly padding: number;
  readonly sourcemap: boolean;
}

export interface ServedBuild extends AsyncDisposable {
  readonly dir: string;
  readonly url: string;
}

/** Writes sources and scripts into `dir` and serves them. Scripts are read when they are asked for: a client may still inject ids. */
export async function serveBuild(
  dir: string,
  dsn: string,
  { release, names, padding, sourcemap }: Rebuild,
): Promise<ServedBuild> {
  const source = join(dir, 'src');
  await mkdir(join(source, 'bugs'), { recursive: true });
  await cp(fileURLToPath(new URL('apps/rebuilt/', import.meta.url)), source, { recursive: true });
  for (const bug of allBugs) await writeFile(join(source, 'bugs', `${bug}.ts`), sourceOf(bug));
  const padded = Array.from(
    { length: padding },
    (_, index) => `export const pad${index} = (x: number): number => x * ${index + 2};`,
  );
  await writeFile(join(source, 'padding.ts'), padded.join('\n'));
  await writeFile(join(source, 'bugs.ts'), listOfBugs);
  await build({
    entryPoints: [join(source, 'main.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    sourcemap,
    define: { DSN: JSON.stringify(dsn), RELEASE: JSON.stringify(release) },
    alias: { bugs: join(source, 'bugs.ts') },
    outdir: join(dir, 'assets'),
    entryNames: names,
    nodePaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
    logLevel: 'silent',
  });
  const script = (await readdir(join(dir, 'assets'))).find((file) => file.endsWith('.js'));
  const server = createServer((request, response) => {
    if (request.url === `/assets/${script}`) {
      void readFile(join(dir, 'assets', script ?? '')).then((text) =>
        response.setHeader('content-type', 'text/javascript').end(text),
      );
    } else {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Shop</title><script type="module" src="/assets/${script}"></script>`);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return {
    dir,
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
