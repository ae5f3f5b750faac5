import { describe, expect, test } from 'vitest';
import { groupEvent } from './group/index.ts';
import { makeEvent } from './make-event.ts';
import { isMasked } from './masked.ts';
import { sideOf, twinHash, twinOf } from './twin.ts';

const whole =
  'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details. A digest property is included on this error instance which may provide additional details about the nature of the error.';
const minified =
  'Minified React error #441; visit https://react.dev/errors/441 for the full message or use the non-minified dev environment for full errors and additional helpful warnings.';
const traceId = 'a'.repeat(32);

describe('masked texts', () => {
  test.each([
    whole,
    `Uncaught Error: ${whole}`,
    minified,
    'Minified React error #441; visit https://reactjs.org/docs/error-decoder.html?invariant=441 for the full message',
    'Unexpected Server Error',
  ])('%s', (text) => expect(isMasked(text)).toBe(true));

  test.each([
    'Minified React error #44; visit https://react.dev/errors/44',
    'Minified React error #4410; visit https://react.dev/errors/4410',
    'Minified React error #418; visit https://react.dev/errors/418',
    'Unexpected Server Error: no such table',
    'the page said: An error occurred in the Server Components render',
    '',
  ])('not: %s', (text) => expect(isMasked(text)).toBe(false));
});

function twin(raw: object, digest = '') {
  const event = makeEvent({ platform: 'javascript', ...raw });
  return twinOf(event, groupEvent(event).main, digest, traceId);
}
const thrown = (value: string, type = 'Error') => ({ exception: { values: [{ type, value }] } });

describe('twinOf', () => {
  test('a masked event is one, of whichever side', () => {
    expect(twin(thrown(minified))).toEqual({ digest: '', traceId, masked: true });
    // Next.js 15.5 reports its own masked error on the server as well.
    expect(twin({ ...thrown(whole), platform: 'node' }, '3254426033')).toEqual({
      digest: '3254426033',
      traceId,
      masked: true,
    });
  });

  test('a masked message without an exception is one', () => {
    expect(twin({ message: `Error: ${whole}` })).toMatchObject({ masked: true });
  });

  test('an error boundary adds its own exception as the cause', () => {
    const values = [
      { type: 'React ErrorBoundary Error', value: minified },
      { type: 'Error', value: minified },
    ];
    expect(twin({ exception: { values } })).toMatchObject({ masked: true });
  });

  test('an error of the application caused by a masked one stands for itself', () => {
    const values = [
      { type: 'Error', value: minified },
      { type: 'CheckoutError', value: 'could not pay' },
    ];
    expect(twin({ exception: { values } })).toBeUndefined();
  });

  test('a digest in a browser makes one that keeps its own grouping', () => {
    expect(twin(thrown('server answered 500', 'ServerFailure'), '3700514941')).toMatchObject({ masked: false });
    expect(twin(thrown('server answered 500', 'ServerFailure'))).toBeUndefined();
  });

  test('what a server sends with a digest is the failure itself, also on edge runtimes', () => {
    expect(twin({ ...thrown('boom'), platform: 'node' }, '1')).toBeUndefined();
    const edge = { ...thrown('boom'), contexts: { runtime: { name: 'vercel-edge' } } };
    expect(twin(edge, '1')).toBeUndefined();
    expect(sideOf(makeEvent({ platform: 'javascript', ...edge }))).toBe('server');
  });

  test('a boundary that the server left to the browser is one of its trace', () => {
    expect(twin(thrown('Minified React error #419; visit https://react.dev/errors/419'))).toMatchObject({
      masked: false,
    });
    expect(twin(thrown('Minified React error #418; visit https://react.dev/errors/418'))).toBeUndefined();
  });

  test('a fingerprint or checksum of the client decides', () => {
    expect(twin({ ...thrown(minified), fingerprint: ['mine'] })).toBeUndefined();
    expect(twin({ ...thrown(minified), checksum: 'a'.repeat(32) })).toBeUndefined();
    expect(twin({ ...thrown(minified), fingerprint: ['{{ default }}'] })).toMatchObject({ masked: true });
  });
});

test('the hash is of the digest, else of the trace', () => {
  const of = (digest: string, trace: string) => twinHash({ digest, traceId: trace });
  expect(of('1', traceId)).toBe(of('1', ''));
  expect(of('1', '')).not.toBe(of('2', ''));
  expect(of('', traceId)).toMatch(/^[\da-f]{32}$/);
  expect(of('', traceId)).not.toBe(of(traceId, ''));
  expect(of('', '')).toBeUndefined();
});
