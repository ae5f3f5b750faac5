import { expect, test, vi } from 'vitest';
import { Arena } from './arena.ts';

test('what is taken before a reset does not overlap, whatever its size', () => {
  const arena = new Arena();
  for (let round = 0; round < 2; round++) {
    const taken = Array.from({ length: 60 }, (_, index) =>
      arena.take([10, 70_000, 0, 2 ** 20, 3 * 2 ** 20, 500_000][index % 6]!).fill(index),
    );
    const held = taken.map((bytes, index) => Buffer.alloc(bytes.length, index).equals(bytes));
    expect(held.every(Boolean)).toBe(true);
    arena.reset();
  }
});

test('memory is used again after a reset, and bounded', () => {
  const arena = new Arena();
  const first = arena.take(100);
  for (let index = 0; index < 100; index++) arena.take(900_000);
  arena.reset();
  expect(arena.take(100).buffer).toBe(first.buffer);
  const buffers = new Set(Array.from({ length: 100 }, () => arena.take(900_000).buffer));
  arena.reset();
  const again = Array.from({ length: 100 }, () => arena.take(900_000).buffer);
  expect(again.filter((buffer) => buffers.has(buffer))).toHaveLength(8);
});

test('memory is let go in a pause, but not what a transaction has taken', () => {
  vi.useFakeTimers();
  const arena = new Arena();
  const first = arena.take(100);
  arena.reset();
  const taken = arena.take(100);
  vi.advanceTimersByTime(60_000);
  expect(arena.take(100).buffer).toBe(taken.buffer);
  expect(taken.buffer).toBe(first.buffer);
  arena.reset();
  vi.advanceTimersByTime(60_000);
  expect(arena.take(100).buffer).not.toBe(first.buffer);
  vi.useRealTimers();
});
