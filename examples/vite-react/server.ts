/** Serves the built page, its data, and the tunnel, all from one origin. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestFor } from '@culprit/react/digest';
import { loadFailureHtml } from '@culprit/react/html';
import { tunnel } from '@culprit/tunnel/node';
import { productsOf } from './catalogue.ts';

const dist = process.env.DIST ?? fileURLToPath(new URL('dist', import.meta.url));
const tunnelTakes = tunnel({ dsns: [process.env.DSN] });

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/api/products') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(productsOf(searchParams.get('category') ?? '')));
    return;
  }
  const file = pathname === '/' ? '/index.html' : normalize(pathname);
  const content = await readFile(join(dist, file)).catch((error: NodeJS.ErrnoException) => {
    // A missing page of ours is a failure; a file that never was is none, and never the page in its stead.
    if (file === '/index.html') throw error;
    return undefined;
  });
  response.statusCode = content ? 200 : 404;
  response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
  response.setHeader('cache-control', file.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache');
  response.end(content);
}

/** One digest in the log, in the header and in the body. */
function fail(error: unknown, request: IncomingMessage, response: ServerResponse): void {
  const digest = digestFor(error);
  console.error(digest, error);
  response.statusCode = 500;
  response.setHeader('x-error-digest', digest);
  if (request.headers.accept?.includes('text/html')) {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(loadFailureHtml({ host: request.headers.host ?? '', digest }));
  } else {
    response.setHeader('content-type', 'application/problem+json');
    response.end(JSON.stringify({ title: 'Internal Server Error', status: 500, digest }));
  }
}

const server = createServer((request, response) => {
  if (tunnelTakes(request, response)) return;
  response.setHeader('content-security-policy', "default-src 'self'; img-src 'self' data:; script-src 'self'");
  answer(request, response).catch((error: unknown) => fail(error, request, response));
});
server.listen(Number(process.env.PORT ?? 3000), () => {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://localhost:${address.port}`);
});
