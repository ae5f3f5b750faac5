/** Serves the built console: hashed assets for ever, its HTML never from a cache, a missing asset as 404 and not as HTML. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { dsn } from '../base/dsn.ts';
import type { InternalProject } from '../domains/internal-project/index.ts';
import { release } from '../base/version.ts';
import { requests } from '../base/texts/requests.ts';
import { createShell, encodingOf, type ShellFacts } from './shell.ts';

export interface ConsoleOptions {
  /** Public address once it is known; upgrade rules only make sense behind TLS. */
  readonly getUrl: () => string;
  readonly internal: InternalProject;
  /** Absolute; '' for the one that came along. */
  readonly dir: string;
}

const builtDir = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
/** Names change with their content. */
const immutable = 'public, max-age=31536000, immutable';
/** The guard must come before anything else, so it is not asked for again at every visit. */
const guarded = 'public, max-age=300, stale-while-revalidate=86400';

export async function registerConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { getUrl, internal } = options;
  const dir = options.dir || builtDir;
  const secure = getUrl().startsWith('https:');
  const sources = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(secure ? { 'upgrade-insecure-requests': [] } : {}),
  };
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: sources },
    // All answers have it.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  // Whoever asks for an address of the API that is not there is a program, and must not take a page for an answer.
  app.get('/api/*', (request, reply) =>
    reply.code(404).send({ detail: requests.notFound('GET', request.url.split('?', 1)[0] ?? ''), code: 'NOT_FOUND' }),
  );
  const files = existsSync(dir) ? filesOf(dir) : new Set<string>();
  if (files.size) {
    await app.register(fastifyStatic, {
      root: dir,
      // A route for each file would be a fifth of the start.
      serve: false,
      preCompressed: true,
      setHeaders(reply, path) {
        const cached = path.includes('/assets/')
          ? immutable
          : /\/guard\.js(?:\.br|\.gz)?$/.test(path)
            ? guarded
            : 'no-cache';
        void reply.header('cache-control', cached);
      },
    });
  }

  const shell = createShell(join(dir, 'index.html'));
  const facts = async (): Promise<ShellFacts> => {
    // The page matters more than where its failures go.
    const key = await internal.key().catch(() => undefined);
    return { dsn: key ? dsn(getUrl(), key.publicKey, key.projectId) : '', release, environment: 'production' };
  };
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (files.has(path)) return reply.sendFile(path.slice(1));
    // A page has no extension in its last segment, unless that is a version; anything else is an asset that is not there.
    if (/\.[a-z0-9]+$/i.test(path) && !path.startsWith('/releases/'))
      // During a rolling upgrade another node may have it: no cache must remember that this one has not.
      return reply.code(404).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('not found');
    const page = await shell(await facts(), path);
    const encoding = encodingOf(request.headers['accept-encoding']);
    const { script, style } = page.inline;
    const allowed = {
      ...sources,
      'script-src': [...sources['script-src'], ...script],
      'style-src': [...sources['style-src'], ...style],
    };
    void reply
      .headers({ 'cache-control': 'no-store', vary: 'accept-encoding', 'content-security-policy': policyOf(allowed) })
      .type('text/html; charset=utf-8');
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return reply.send(page.bytes[encoding]);
  });
}

const policyOf = (sources: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(sources)
    .map(([name, values]) => [name, ...values].join(' '))
    .join(';');

/** Addresses of the files that are served as they are. */
const filesOf = (dir: string): ReadonlySet<string> =>
  new Set(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('index.html'))
      .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name)).replaceAll('\\', '/')}`),
  );
