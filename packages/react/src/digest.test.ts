import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { computeDigest, digestFor, digestFromResponse, digestOf, linkDigest, ServerFailure } from './digest.ts';

describe('digestOf', () => {
  test.each<[string, unknown, string | undefined]>([
    ['digits', '1930860604', '1930860604'],
    ['with the code of a framework error', '3254426033@E7', '3254426033'],
    ['a redirect', 'NEXT_REDIRECT;replace;/login;307;', undefined],
    ['not found', 'NEXT_HTTP_ERROR_FALLBACK;404', undefined],
    ['a bail-out', 'DYNAMIC_SERVER_USAGE', undefined],
    ['text around it', ' 1930860604', undefined],
    ['a line after it', '1930860604\n', undefined],
    ['digits of other scripts', '١٢٣', undefined],
    ['two codes', '1@E7@E8', undefined],
    ['no code', '1@E', undefined],
    ['empty', '', undefined],
    ['endless', '1'.repeat(100_000), undefined],
    ['a number', 1_930_860_604, undefined],
    ['an object', { toString: () => '1' }, undefined],
  ])('%s', (_name, digest, expected) => {
    expect(digestOf(Object.assign(new Error('x'), { digest }))).toBe(expected);
  });

  test('whatever was thrown', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    for (const thrown of [undefined, null, 0, 'text', Symbol('s'), 1n, trap, () => 1]) {
      expect(digestOf(thrown)).toBe(undefined);
      expect(digestFor(thrown)).toMatch(/^\d+$/);
    }
  });
});

describe('computeDigest', () => {
  test.each<[string, unknown, string]>([
    ['nothing at all', '', '5381'],
    ['a thrown string is hashed alone', 'a', '177604'],
    ['surrogates count as they stand', '\ud83d\u{1f600}\0', computeDigest({ message: '\ud83d\u{1f600}\0', stack: '' })],
    ['message and stack', { message: 'a', stack: '' }, '177604'],
    ['an error without stack', Object.assign(new Error('a'), { stack: undefined }), '177604'],
    ['an object without message', { a: 1 }, computeDigest('{"a":1}')],
  ])('%s', (_name, thrown, expected) => {
    expect(computeDigest(thrown)).toBe(expected);
  });

  test('is 32 bits without sign', () => {
    for (let length = 0; length < 200; length += 1) {
      const value = Number(computeDigest('Fehler: ß '.repeat(length)));
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(2 ** 32);
    }
  });
});

describe('digestFor', () => {
  test('keeps the digest that is there', () => {
    expect(digestFor(Object.assign(new Error('x'), { digest: '42@E7' }))).toBe('42');
  });

  test('gives the same error the same digest, and the event finds it', () => {
    const error = new Error('first');
    const digest = digestFor(error);
    error.message = 'changed meanwhile';
    expect(digestFor(error)).toBe(digest);
    expect(Object.keys(error)).toEqual([]);
    expect(linkDigest({}, { originalException: error })).toEqual({ tags: { digest } });
  });

  test('of an object that cannot be written to', () => {
    const error = Object.freeze(new Error('frozen'));
    const digest = digestFor(error);
    expect(digestFor(error)).toBe(digest);
    expect(linkDigest({}, { originalException: error })).toEqual({ tags: { digest } });
  });

  test('leaves signals as they are', () => {
    const signal = Object.assign(new Error('x'), { digest: 'NEXT_REDIRECT;replace;/;307;' });
    expect(digestFor(signal)).toMatch(/^\d+$/);
    expect(signal.digest).toBe('NEXT_REDIRECT;replace;/;307;');
  });
});

describe('linkDigest', () => {
  test('adds the tag to those that are there, and returns the same event', () => {
    const event = { tags: { page: 'cart' }, message: 'm' };
    expect(linkDigest(event, { originalException: { digest: '7@E1' } })).toBe(event);
    expect(event).toEqual({ tags: { page: 'cart', digest: '7' }, message: 'm' });
  });

  test('looks at what caused the error, and stops at a circle', () => {
    const failure = new ServerFailure('failed', { digest: '99' });
    expect(linkDigest({}, { originalException: new Error('outer', { cause: failure }) })).toEqual({
      tags: { digest: '99' },
    });
    const circle: Error & { cause?: unknown } = new Error('circle');
    circle.cause = circle;
    expect(linkDigest({}, { originalException: circle })).toEqual({});
    expect(linkDigest({})).toEqual({});
  });
});

describe('digestFromResponse', () => {
  const json = { 'content-type': 'application/problem+json; charset=utf-8' };
  test.each<[string, Response, string | undefined]>([
    ['header', new Response('', { status: 500, headers: { 'x-error-digest': '123' } }), '123'],
    ['body', new Response('{"digest":"456@E2"}', { status: 503, headers: json }), '456'],
    [
      'header before body',
      new Response('{"digest":"4"}', { status: 500, headers: { ...json, 'x-error-digest': '3' } }),
      '3',
    ],
    ['two headers', new Response('', { status: 500, headers: { 'x-error-digest': '1, 2' } }), undefined],
    ['broken body', new Response('{"digest":', { status: 500, headers: json }), undefined],
    ['a body that is no object', new Response('null', { status: 500, headers: json }), undefined],
    ['HTML', new Response('{"digest":"4"}', { status: 500, headers: { 'content-type': 'text/html' } }), undefined],
    ['no body', new Response(null, { status: 500, headers: json }), undefined],
    ['success', new Response('{"digest":"4"}', { headers: json }), undefined],
    [
      'too large',
      new Response(`{"a":"${'x'.repeat(70_000)}","digest":"4"}`, { status: 500, headers: json }),
      undefined,
    ],
  ])('%s', async (_name, response, expected) => {
    expect(await digestFromResponse(response)).toBe(expected);
    expect(response.bodyUsed).toBe(false);
    await response.text();
  });

  test('a body that was read already', async () => {
    const response = new Response('{"digest":"4"}', { status: 500, headers: json });
    await response.text();
    expect(await digestFromResponse(response)).toBe(undefined);
  });

  test('as an error', async () => {
    const response = new Response('{"digest":"4"}', { status: 502, headers: json });
    expect(await ServerFailure.from(response)).toMatchObject({ name: 'ServerFailure', digest: '4', status: 502 });
  });
});

const captures = new URL('../../../../shared/fixtures/nextjs/', import.meta.url);
interface Crumb {
  readonly category?: string;
  readonly data?: { readonly arguments?: readonly { message?: string; stack?: string; digest?: string }[] };
}

// Captured from Next.js in production; this test needs the folder of captures beside the checkout.
describe.skipIf(!existsSync(captures))('captured from Next.js', () => {
  test('the console breadcrumb of the server holds message, stack and the digest made of both', () => {
    let compared = 0;
    for (const name of readdirSync(captures).filter((name) =>
      /server-component|default-server|action-server/.test(name),
    )) {
      for (const line of readFileSync(fileURLToPath(new URL(name, captures)), 'utf8').split('\n')) {
        if (!line.includes('"breadcrumbs"')) continue;
        const event = JSON.parse(line) as { breadcrumbs?: Crumb[] };
        for (const { data } of event.breadcrumbs ?? []) {
          for (const { digest, message, stack } of data?.arguments ?? []) {
            if (!digest) continue;
            expect([name, computeDigest({ message, stack })]).toEqual([name, digestOf({ digest })]);
            compared += 1;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});
