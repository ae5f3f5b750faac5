/** A small shop with sources in several files: built by esbuild as products are, minified and with maps, and served. */
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export class Shop implements AsyncDisposable {
  /** Of the project: `src/` and, after a build, `dist/assets/`. */
  readonly dir: string;
  readonly url: string;
  readonly #close: () => Promise<void>;

  private constructor(dir: string, url: string, close: () => Promise<void>) {
    this.dir = dir;
    this.url = url;
    this.#close = close;
  }

  static async create(): Promise<Shop> {
    const dir = await mkdtemp(join(tmpdir(), 'culprit-shop-'));
    await cp(folder('./apps/shop'), join(dir, 'src'), { recursive: true });
    const server = createServer((request, response) => {
      const script = /^\/assets\/([\w.-]+\.js)$/.exec(request.url ?? '')?.[1];
      const file = script ? join(dir, 'dist/assets', script) : join(dir, 'dist/index.html');
      void readFile(file).then(
        (bytes) => response.setHeader('content-type', script ? 'text/javascript' : 'text/html').end(bytes),
        () => response.writeHead(404).end(),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('no address');
    return new Shop(dir, `http://127.0.0.1:${address.port}/`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(dir, { recursive: true, force: true });
    });
  }

  /** What is deployed from now on. Builds of one source differ in the names of their files as `release` does. */
  async build({ dsn, release }: { readonly dsn: string; readonly release: string }): Promise<void> {
    await rm(join(this.dir, 'dist'), { recursive: true, force: true });
    await build({
      entryPoints: [join(this.dir, 'src/main.ts')],
      alias: { sdk: '@sentry/browser' },
      nodePaths: [folder('./node_modules'), folder('../node_modules')],
      define: { DSN: JSON.stringify(dsn), RELEASE: JSON.stringify(release) },
      bundle: true,
      minify: true,
      sourcemap: 'linked',
      format: 'iife',
      outdir: join(this.dir, 'dist/assets'),
      entryNames: '[name]-[hash]',
      logLevel: 'silent',
    });
    const script = (await readdir(join(this.dir, 'dist/assets'))).find((name) => name.endsWith('.js'));
    await writeFile(
      join(this.dir, 'dist/index.html'),
      `<!doctype html><title>Shop</title><button>Buy</button><script src="/assets/${script}"></script>`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }
}
