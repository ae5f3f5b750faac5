import { ClickHouseError } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { explainFailure, retryDelayMs } from './failures.ts';

const clickhouse = (code: string, type: string): ClickHouseError => new ClickHouseError({ message: 'm', code, type });

test('waits grow up to their limit, and only where another attempt may help', () => {
  const busy = clickhouse('252', 'TOO_MANY_PARTS');
  expect([1, 2, 3, 20].map((attempt) => retryDelayMs(busy, attempt))).toEqual([500, 1000, 2000, 30_000]);
  expect(retryDelayMs(clickhouse('62', 'SYNTAX_ERROR'), 1)).toBeUndefined();
  expect(retryDelayMs(new Error('x'), 1)).toBeUndefined();
});

test('what people can understand gets a code, surprises stay what they are', () => {
  const network = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  expect(explainFailure(network, 30)).toMatchObject({ code: 'ENGINE_UNAVAILABLE', cause: network, retryAfter: 1 });
  expect(explainFailure(new Error('socket hang up'), 30)).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(explainFailure(clickhouse('159', 'TIMEOUT_EXCEEDED'), 7)).toMatchObject({
    code: 'QUERY_TIMEOUT',
    message: expect.stringContaining('7 seconds') as string,
  });
  for (const surprise of [clickhouse('62', 'SYNTAX_ERROR'), new Error('x'), 'text', null]) {
    expect(explainFailure(surprise, 30)).toBe(surprise);
  }
});
