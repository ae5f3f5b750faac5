import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { createRateLimiter, retryAfterSeconds } from './rate-limiter.ts';
import { scannedItem } from './scan.ts';
import { testKey } from './test-server.ts';

const limited = (count: number) => testKey({ rateLimit: { count, windowSeconds: 60 } });
const items = (...types: string[]) => types.map((type) => scannedItem({ type }));
const names = (list: readonly { type: { name: string } }[]) => list.map((item) => item.type.name);

test('without a limit everything stays', () => {
  const received = items('event', 'attachment', 'client_report');
  const verdict = judge(received, testKey(), createRateLimiter(), 0);
  expect(verdict.kept).toBe(received);
});

test('each category has its own count, until the window ends', () => {
  const limiter = createRateLimiter();
  const key = limited(2);
  const send = (type: string, nowMs: number) => judge(items(type), key, limiter, nowMs).kept.length;
  expect([send('event', 0), send('event', 1), send('event', 2)]).toEqual([1, 1, 0]);
  expect(send('session', 3)).toBe(1);
  expect(send('event', 59_999)).toBe(0);
  expect(send('event', 60_000)).toBe(1);
});

test('client reports are never stopped', () => {
  const limiter = createRateLimiter();
  const key = limited(0);
  const verdict = judge(items('event', 'client_report'), key, limiter, 0);
  expect(names(verdict.kept)).toEqual(['client_report']);
  expect(names(verdict.limited)).toEqual(['event']);
  expect(verdict.exhausted).toEqual(['error']);
});

test('attachments go with their event, and do not use up their own limit', () => {
  const limiter = createRateLimiter();
  const key = limited(1);
  judge(items('event'), key, limiter, 0);
  const verdict = judge(items('event', 'attachment'), key, limiter, 1);
  expect(names(verdict.limited)).toEqual(['event', 'attachment']);
  expect(verdict.exhausted).toEqual(['error']);
  expect(names(judge(items('attachment'), key, limiter, 2).kept)).toEqual(['attachment']);
});

test('items of one category pass or stop together', () => {
  const limiter = createRateLimiter();
  const key = limited(1);
  expect(names(judge(items('replay_event', 'replay_recording'), key, limiter, 0).kept)).toHaveLength(2);
  expect(names(judge(items('replay_event', 'replay_recording'), key, limiter, 1).kept)).toHaveLength(0);
});

test('a container counts for what it holds', () => {
  const limiter = createRateLimiter();
  const key = limited(100);
  const logs = [scannedItem({ type: 'log', item_count: 100, content_type: 'application/vnd.sentry.items.log+json' })];
  expect(logs[0]?.quantity).toBe(100);
  expect(judge(logs, key, limiter, 0).kept).toHaveLength(1);
  expect(judge(logs, key, limiter, 1).kept).toHaveLength(0);
});

test('of more items than an envelope may have, the first stay', () => {
  const verdict = judge(items('check_in', 'event', 'check_in'), testKey(), createRateLimiter(), 0);
  expect(names(verdict.kept)).toEqual(['check_in', 'event']);
  expect(names(verdict.surplus)).toEqual(['check_in']);
});

test('says when the window ends', () => {
  expect(retryAfterSeconds({ count: 1, windowSeconds: 60 }, 0)).toBe(60);
  expect(retryAfterSeconds({ count: 1, windowSeconds: 60 }, 59_999)).toBe(1);
});
