/** Serves the built console: hashed assets for ever, its HTML never from a cache, a missing asset as 404 and not as HTML. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../errors.ts';

const consoleDir = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

/** `getUrl` gives the public address once it is known; HSTS and upgrade rules only make sense behind TLS. */
export async function registerConsole(app: FastifyInstance, getUrl: () => string): Promise<void> {
  const secure = getUrl().startsWith('https:');
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  // Whoever asks for an address of the API that is not there is a program, and must not take a page for an answer.
  app.get('/api/*', (request, reply) =>
    reply.code(404).send({ detail: `GET ${request.url.split('?', 1)[0]} not found`, code: 'NOT_FOUND' }),
  );
  if (!existsSync(`${consoleDir}index.html`)) {
    app.get('/*', () => {
      throw new CodedError('CONSOLE_NOT_BUILT');
    });
    return;
  }
  await app.register(fastifyStatic, {
    root: consoleDir,
    preCompressed: true,
    index: false,
    wildcard: false,
    setHeaders(reply, path) {
      const immutable = path.includes('/assets/');
      void reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    // A page has no extension in its last segment; anything else that got here is an asset that is not there.
    if (/\.[a-z0-9]+$/i.test(path)) return reply.code(404).type('text/plain').send('not found');
    return reply.header('cache-control', 'no-store').type('text/html').sendFile('index.html', { cacheControl: false });
  });
}
