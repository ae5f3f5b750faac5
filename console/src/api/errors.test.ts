import { expect, test } from 'vitest';
import { toApiError } from './errors.ts';
import { parseLinkHeader } from './link-header.ts';

test('a problem keeps its code, digest and places', () => {
  const error = toApiError(
    400,
    {
      code: 'QUERY_INVALID',
      detail: 'age is a time',
      problems: [{ code: 'x', message: 'm', start: 0, end: 3 }, 'junk', null],
    },
    new Headers(),
  );
  expect(error).toMatchObject({
    status: 400,
    code: 'QUERY_INVALID',
    message: 'age is a time',
    problems: [{ start: 0, end: 3 }],
  });
  expect(toApiError(500, { code: 'INTERNAL', detail: 'x', digest: '1930860604' }, new Headers()).digest).toBe(
    '1930860604',
  );
});

test('the digest of a failed answer stands in its header too, and is a number', () => {
  expect(toApiError(500, '<html>', new Headers({ 'x-error-digest': '77' })).digest).toBe('77');
  expect(toApiError(500, { digest: 'NEXT_REDIRECT;replace;/' }, new Headers()).digest).toBeUndefined();
});

test('an answer of something in between is still told', () => {
  expect(toApiError(502, '<html>', new Headers({ 'retry-after': '3' }))).toMatchObject({
    code: 'HTTP_502',
    message: 'The server answered with status 502.',
    retryAfter: 3,
  });
  expect(toApiError(401, { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'no' }, new Headers()).message).toBe('no');
});

test('cursors of pages that have results', () => {
  const header =
    '<http://x/?cursor=a>; rel="previous"; results="false"; cursor="0:0:1", <http://x/?query=a,b&cursor=b>; rel="next"; results="true"; cursor="0:50:0"';
  expect(parseLinkHeader(header)).toEqual({ previous: undefined, next: '0:50:0' });
  expect(parseLinkHeader(null)).toEqual({ previous: undefined, next: undefined });
});
