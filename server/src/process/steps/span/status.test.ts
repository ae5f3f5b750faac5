import { expect, test } from 'vitest';
import { httpStatusName, isFailed, spanStatus } from './status.ts';

test.each([
  [{}, ''],
  [{ status: 'unset' }, ''],
  [{ httpCode: 404 }, 'not_found'],
  [{ httpCode: 200 }, 'ok'],
  [{ status: 'ok', httpCode: 500 }, 'ok'],
  [{ status: 'OK' }, 'ok'],
  [{ status: 'internal_error' }, 'internal_error'],
  [{ status: 'canceled' }, 'cancelled'],
  [{ status: '5' }, 'not_found'],
  [{ status: 'banana' }, 'unknown'],
  [{ status: '99' }, 'unknown'],
  [{ status: 'constructor' }, 'unknown'],
  [{ status: 'error' }, 'unknown_error'],
  [{ status: 'error', message: 'not_found' }, 'not_found'],
  [{ status: 'error', message: 'Boom happened' }, 'unknown_error'],
  [{ status: 'error', message: 'ok' }, 'unknown_error'],
  [{ status: 'error', httpCode: 503 }, 'unavailable'],
  [{ status: 'error', httpCode: 200 }, 'unknown_error'],
])('%j is %s', (said, status) => {
  expect(spanStatus(said)).toBe(status);
});

test('what counts as failed', () => {
  for (const status of ['', 'ok', 'cancelled', 'unknown']) expect(isFailed(status)).toBe(false);
  for (const status of ['unknown_error', 'internal_error', 'not_found', 'deadline_exceeded']) {
    expect(isFailed(status)).toBe(true);
  }
  expect([302, 400, 429, 499, 502, 504, 42].map(httpStatusName)).toEqual([
    'ok',
    'invalid_argument',
    'resource_exhausted',
    'cancelled',
    'internal_error',
    'deadline_exceeded',
    'unknown',
  ]);
});
