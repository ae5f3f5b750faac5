/** Bundles an example page with the SDK under test and serves it on a loopback port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface PageServer extends AsyncDisposable {
  readonly url: string;
}

export async function servePage(options: {
  entry: string;
  sdk: string;
  dsn: string;
  release: string;
}): Promise<PageServer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./apps/${options.entry}`, import.meta.url))],
    alias: { sdk: options.sdk },
    define: { DSN: JSON.stringify(options.dsn), RELEASE: JSON.stringify(options.release) },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    write: false,
    logLevel: 'silent',
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  });
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  const html =
    '<!doctype html><html lang="en"><title>Shop</title><div id="root"></div><button>Buy</button><script src="/app.js"></script>';
  const server = createServer((request, response) => {
    if (request.url === '/app.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}/product/7?ref=mail`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
