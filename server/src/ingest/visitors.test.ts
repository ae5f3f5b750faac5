import { expect, test } from 'vitest';
import { createVisitors } from './visitors.ts';

function open(options: { maxAddresses?: number } = {}) {
  let nowMs = 0;
  const visitors = createVisitors({ burst: 10, perSecond: 2, now: () => nowMs, ...options });
  const passed = (address: string, tries: number): number =>
    Array.from({ length: tries }, () => visitors.take(address)).filter((waitSeconds) => waitSeconds === 0).length;
  return { visitors, passed, wait: (ms: number) => void (nowMs += ms) };
}

test('a burst, then a few a second; who comes too often is told when to come again', () => {
  const { visitors, passed, wait } = open();
  expect(passed('203.0.113.1', 100)).toBe(10);
  expect(visitors.take('203.0.113.1')).toBe(1);
  wait(1_000);
  expect(passed('203.0.113.1', 100)).toBe(2);
  wait(3_600_000);
  expect(passed('203.0.113.1', 100)).toBe(10);
});

test('each address has its own; of IPv6 a /64 is one', () => {
  const { passed } = open();
  expect(passed('203.0.113.1', 100)).toBe(10);
  expect(passed('203.0.113.2', 5)).toBe(5);
  expect(passed('::ffff:203.0.113.2', 100)).toBe(5);
  expect(passed('2001:db8::1', 6)).toBe(6);
  expect(passed('2001:db8:0:0:ffff::2', 100)).toBe(4);
  expect(passed('2001:db8:0:1::1', 100)).toBe(10);
});

test('any number of addresses takes no more memory, and shuts nobody out who was here before', () => {
  const { passed, wait } = open({ maxAddresses: 100 });
  expect(passed('203.0.113.1', 3)).toBe(3);
  for (let other = 0; other < 99; other++) passed(`10.0.0.${other}`, 1);
  let strangers = 0;
  for (let other = 0; other < 1_000; other++) strangers += passed(`10.1.${other >> 8}.${other & 255}`, 1);
  expect(strangers).toBe(10);
  expect(passed('203.0.113.1', 100)).toBe(7);
  wait(60_000);
  expect(passed('10.9.9.9', 100)).toBe(10);
});
