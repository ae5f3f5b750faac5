import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { presentFor, readNow, subscribe } from './clock.ts';
import { relativeTime } from './relative-time.ts';

const start = Date.parse('2026-11-21T10:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  readNow();
});
afterEach(() => vi.useRealTimers());

test('whoever reads the clock first, after a while without readers, sets it', () => {
  const leave = subscribe(() => undefined);
  leave();
  vi.setSystemTime(start + 53_000);
  expect(readNow()).toBe(start + 53_000);
});

test('one timer moves it for all, and holds it still in between', () => {
  const calls: number[] = [];
  const leave = [subscribe(() => calls.push(1)), subscribe(() => calls.push(2))];
  vi.advanceTimersByTime(9_999);
  expect(readNow()).toBe(start);
  vi.advanceTimersByTime(1);
  expect(readNow()).toBe(start + 10_000);
  expect(calls).toEqual([1, 2]);
  for (const each of leave) each();
  vi.advanceTimersByTime(60_000);
  expect(calls).toEqual([1, 2]);
});

test('the past is never shown as the future, however late the clock is', () => {
  const exact = (): number => start + 60_000;
  const words = (moment: number): string => relativeTime(moment, presentFor(moment, start, exact));
  expect(words(start + 53_000)).toBe('7\u00a0sec ago');
  expect(words(start - 1_000)).toBe('just now');
  // Of a machine whose clock is ahead.
  expect(words(start + 70_000)).toBe('just now');
  expect(words(start + 3_660_000)).toBe('in 1\u00a0hr');
});
