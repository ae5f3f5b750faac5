/** The digest of an event is the one that Next.js itself gives the error, whichever of the two comes first. */
import { createRequire } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { linkDigest } from './index.ts';

type ErrorHandler = (thrown: unknown) => string | undefined;

/** The error handlers of the installed framework, for rendering server components and for actions. */
function handlersOf(example: string): ErrorHandler[] {
  const require = createRequire(new URL(`../../../examples/${example}/package.json`, import.meta.url));
  const handlers = require('next/dist/server/app-render/create-error-handler.js') as Record<
    string,
    ((...options: unknown[]) => ErrorHandler) | undefined
  >;
  const nothing = (): void => {};
  return [
    handlers.createFlightReactServerErrorHandler?.(false, nothing),
    handlers.createHTMLReactServerErrorHandler?.(false, false, new Map(), false, nothing),
    handlers.createReactServerErrorHandler?.(false, false, new Map(), nothing),
  ].filter((handler) => handler !== undefined);
}

const mechanism = (type: string): object => ({ exception: { values: [{ mechanism: { type, handled: false } }] } });
const wrapped = mechanism('auto.function.nextjs.server_component');
const requestError = (nextjs: object): object => ({
  ...mechanism('auto.function.nextjs.on_request_error'),
  contexts: { nextjs },
});
const digestOf = (event: object): string | undefined => (event as { tags?: { digest?: string } }).tags?.digest;

afterEach(() => vi.unstubAllGlobals());

describe.each(['next-15', 'next-16'])('on the server, %s', (example) => {
  const handlers = handlersOf(example);

  test('has the handlers that this test is about', () => expect(handlers.length).toBeGreaterThan(0));

  test.each(handlers.map((handler, index) => [index, handler] as const))('handler %i', (_index, handler) => {
    const before = new RangeError('invoice 7 missing');
    const event = linkDigest({ ...wrapped }, { originalException: before });
    expect(handler(before)).toBe(digestOf(event));

    const after = new RangeError('invoice 7 missing');
    const shown = handler(after);
    expect(digestOf(linkDigest({ ...wrapped }, { originalException: after }))).toBe(shown);

    expect(digestOf(linkDigest({ ...wrapped }, { originalException: 'out of stock' }))).toBe(handler('out of stock'));

    const withoutStamp = new RangeError('same text');
    const twin = Object.assign(new RangeError('same text'), { stack: withoutStamp.stack });
    expect(digestOf(linkDigest({ ...wrapped }, { originalException: twin }))).toBe(handler(withoutStamp));
  });
});

describe('which errors get a digest', () => {
  test('those of rendering and of actions, and those that the application captured and threw on', () => {
    const events = [
      wrapped,
      mechanism('auto.function.nextjs.server_action'),
      mechanism('auto.function.nextjs.generation_function'),
      mechanism('generic'),
      requestError({ route_type: 'render', router_kind: 'App Router' }),
      requestError({ route_type: 'action', router_kind: 'App Router' }),
      {},
    ];
    for (const event of events) {
      expect(digestOf(linkDigest({ ...event }, { originalException: new Error('x') }))).toMatch(/^\d+$/);
    }
  });

  test('not those that no page shows with a digest', () => {
    const events = [
      mechanism('auto.function.nextjs.route_handler'),
      mechanism('auto.function.nextjs.wrap_middleware'),
      mechanism('auto.function.nextjs.page_function'),
      requestError({ route_type: 'route', router_kind: 'App Router' }),
      requestError({ route_type: 'proxy', router_kind: 'App Router' }),
      requestError({ route_type: 'render', router_kind: 'Pages Router' }),
      requestError({}),
    ];
    for (const event of events) {
      const error = new Error('x');
      expect(digestOf(linkDigest({ ...event }, { originalException: error }))).toBeUndefined();
      expect(error).not.toHaveProperty('digest');
    }
  });

  test('one that an error brings along is taken wherever it comes from', () => {
    const error = Object.assign(new Error('x'), { digest: '3254426033@E7' });
    const event = linkDigest(mechanism('auto.function.nextjs.route_handler'), { originalException: error });
    expect(digestOf(event)).toBe('3254426033');
  });

  test('signals of the framework keep theirs and give none', () => {
    const redirect = Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/cart;307;' });
    expect(digestOf(linkDigest({ ...wrapped }, { originalException: redirect }))).toBeUndefined();
    expect(redirect.digest).toBe('NEXT_REDIRECT;replace;/cart;307;');
  });

  test.each([undefined, null, 7, {}, { message: 'no error' }, () => {}])('nothing for %s', (thrown) => {
    expect(digestOf(linkDigest({ ...wrapped }, { originalException: thrown }))).toBeUndefined();
    expect(digestOf(linkDigest({ ...wrapped }))).toBeUndefined();
  });

  test('other tags stay', () => {
    const event = linkDigest({ tags: { plan: 'pro' } }, { originalException: { digest: '7' } });
    expect(event.tags).toEqual({ plan: 'pro', digest: '7' });
  });
});

describe('in the browser', () => {
  test('the digest is read and never made', () => {
    vi.stubGlobal('window', {});
    const failed = Object.assign(new Error('An error occurred in the Server Components render.'), { digest: '42' });
    expect(digestOf(linkDigest({}, { originalException: failed }))).toBe('42');
    const own = new TypeError('cart is null');
    expect(digestOf(linkDigest({}, { originalException: own }))).toBeUndefined();
    expect(own).not.toHaveProperty('digest');
  });
});
