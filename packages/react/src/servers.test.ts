/**
 * One digest for screen and event with the servers that have none of their own: the real framework throws, the real SDK
 * makes the event.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as Sentry from '@sentry/node';
import { runWithStartContext } from '@tanstack/start-storage-context';
import { createSerializationAdapter } from '@tanstack/react-router';
import { createElement, Suspense } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { createRequestHandler, data, type LoaderFunctionArgs, type ServerBuild } from 'react-router';
import { fromCrossJSON, toCrossJSONAsync } from 'seroval';
import { createMiddleware, createServerFn, getDefaultSerovalPlugins } from 'tanstack-react-start';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { digestFor, digestFromResponse, linkDigest, ServerFailure } from './digest.ts';
import { loadFailureHtml } from './html.ts';

const sent: (Sentry.ErrorEvent | undefined)[] = [];
const lastDigest = (): unknown => sent.at(-1)?.tags?.['digest'];

beforeAll(() => {
  Sentry.init({
    dsn: 'http://key@127.0.0.1:9/1',
    beforeSend(event, hint) {
      sent.push(linkDigest(event, hint));
      return null;
    },
  });
});
afterAll(async () => {
  await Sentry.close();
});
beforeEach(() => {
  sent.length = 0;
});

function report(error: unknown): string {
  const digest = digestFor(error);
  Sentry.captureException(error);
  return digest;
}

/** `captureException` makes the event a little later. */
async function eventMade(): Promise<void> {
  await expect.poll(() => sent.length).toBeGreaterThan(0);
}

describe('React', () => {
  function Price(): never {
    throw new RangeError('no price');
  }

  test('what `onError` returns reaches the browser as the digest of the boundary', async () => {
    const page = createElement(Suspense, { fallback: 'Loading …' }, createElement(Price));
    const { pipe } = renderToPipeableStream(page, { onError: report });
    const html = await text(pipe(new PassThrough()));
    const [, digest] = /data-dgst="(\d+)"/.exec(html) ?? [];
    await eventMade();
    expect(digest).toMatch(/^\d+$/);
    expect(lastDigest()).toBe(digest);
  });

  test('a shell that fails becomes the page with the same digest', async () => {
    const page = await new Promise<string>((resolve) => {
      renderToPipeableStream(createElement(Price), {
        onError: report,
        onShellError: (error) => resolve(loadFailureHtml({ host: 'shop.example.com', digest: digestFor(error) })),
      });
    });
    await eventMade();
    expect(page).toContain(`Digest: ${String(lastDigest())}`);
  });
});

describe('React Router', () => {
  const digests = new WeakMap<Request, string>();

  /** As the compiler makes it of routes and `entry.server.tsx`. */
  function serverBuild(loader: (args: LoaderFunctionArgs) => unknown): ServerBuild {
    const route = { id: 'root', path: '/', module: { loader, default: () => null } };
    return {
      entry: {
        module: {
          handleError(error, { request }) {
            if (!request.signal.aborted) digests.set(request, report(error));
          },
          default(request, status, headers) {
            const digest = digests.get(request);
            if (digest === undefined) return new Response('<p>Shop</p>', { status, headers });
            headers.set('content-type', 'text/html; charset=utf-8');
            headers.set('x-error-digest', digest);
            return new Response(loadFailureHtml({ host: new URL(request.url).host, digest }), { status, headers });
          },
          handleDataRequest(response, { request }) {
            const digest = digests.get(request);
            if (digest !== undefined) response.headers.set('x-error-digest', digest);
            return response;
          },
        },
      },
      routes: { root: route },
      assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
      publicPath: '/',
      assetsBuildDirectory: '',
      future: { v8_passThroughRequests: false, v8_trailingSlashAwareDataRequests: false, v8_middleware: false },
      ssr: true,
      isSpaMode: false,
      prerender: [],
      routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
    };
  }

  /** Another message each, because the SDK drops an event that is like the one before. */
  function failing(message: string): (request: Request) => Promise<Response> {
    const loader = (): never => {
      throw new TypeError(message);
    };
    return createRequestHandler(serverBuild(loader), 'production');
  }

  test('`handleError` sees the error, and the page carries its digest', async () => {
    const response = await failing('price is null')(new Request('https://shop.example.com/'));
    const page = await response.text();
    await eventMade();
    expect(response.status).toBe(500);
    expect(page).toContain('while loading shop.example.com (see the server logs');
    expect(page).toContain(`Digest: ${String(lastDigest())}`);
    expect(page).not.toContain('price is null');
    expect(response.headers.get('x-error-digest')).toBe(lastDigest());
  });

  test('the data of a navigation carries it in the header', async () => {
    const response = await failing('stock is null')(new Request('https://shop.example.com/_root.data'));
    await eventMade();
    expect(await digestFromResponse(response)).toBe(lastDigest());
    expect(await response.text()).not.toContain('stock is null');
  });

  test('a loader can hand it to its error boundary', async () => {
    const handler = createRequestHandler(
      serverBuild(() => {
        try {
          throw new TypeError('price is null');
        } catch (error) {
          throw data({ digest: report(error) }, { status: 500 });
        }
      }),
      'production',
    );
    const response = await handler(new Request('https://shop.example.com/_root.data'));
    await eventMade();
    expect(await response.text()).toContain(String(lastDigest()));
  });
});

describe('TanStack Start', () => {
  /** Around every server function: what failed is reported, and its digest goes along to the browser. */
  const digests = createMiddleware({ type: 'function' }).server(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw new ServerFailure('Internal Server Error', { digest: report(error), status: 500 });
    }
  });

  /** Without it, of an error only the message reaches the browser. */
  const failures = createSerializationAdapter({
    key: 'server-failure',
    test: (value) => value instanceof ServerFailure,
    toSerializable: ({ message, digest, status }) => ({ message, digest, status }),
    fromSerializable: ({ message, digest, status }) => new ServerFailure(message, { digest, status }),
  });

  test('a middleware gives the error that reaches the browser the digest of the event', async () => {
    const price = (): never => {
      throw new TypeError('price is null');
    };
    // As the compiler makes it of `.handler(price)`: what stands in the browser, and the function itself.
    const { handler } = createServerFn().middleware([digests]);
    const extracted = Object.assign(() => undefined, {
      serverFnMeta: { id: 'price', name: 'price', filename: 'a.ts' },
    });
    const made: { __executeServer(options: object): Promise<{ error?: unknown }> } = Reflect.apply(handler, undefined, [
      extracted,
      price,
    ]);
    const context = {
      getRouter: () => Promise.reject(new Error('not asked for')),
      request: new Request('https://shop.example.com/_serverFn/price'),
      startOptions: { serializationAdapters: [failures] },
      contextAfterGlobalMiddlewares: {},
      executedRequestMiddlewares: new Set(),
      handlerType: 'serverFn',
    } as const;
    const arrived = await runWithStartContext(context, async () => {
      const { error } = await made['__executeServer']({ method: 'GET' });
      const plugins = getDefaultSerovalPlugins();
      const wire = JSON.stringify(await toCrossJSONAsync({ error }, { refs: new Map(), plugins }));
      return fromCrossJSON<{ error: unknown }>(JSON.parse(wire), { refs: new Map(), plugins });
    });
    await eventMade();
    expect(lastDigest()).toMatch(/^\d+$/);
    expect(arrived.error).toBeInstanceOf(ServerFailure);
    expect(arrived.error).toMatchObject({ message: 'Internal Server Error', digest: lastDigest(), status: 500 });
  });
});
