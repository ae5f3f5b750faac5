import { afterEach, beforeEach, expect, test, vi } from 'vitest';

// Spares are the thread's: those of other test files, with a timer of the real clock, are none of these.
vi.resetModules();
const { giveBackSlab, slabBytes, Slabs, takeSlab } = await import('./slabs.ts');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
});

test('pieces do not overlap, whatever their size, and are used again once they are given back', () => {
  const slabs = new Slabs();
  const seen = new Set<ArrayBufferLike>();
  for (let round = 0; round < 2; round++) {
    const taken = Array.from({ length: 60 }, (_, index) =>
      slabs.take([10, 70_000, 0, slabBytes, 3 * slabBytes, 500_000][index % 6]!).fill(index),
    );
    const held = taken.map((bytes, index) => Buffer.alloc(bytes.length, index).equals(bytes));
    expect(held.every(Boolean)).toBe(true);
    const ofSlabs = taken.filter(({ buffer }) => buffer.byteLength === slabBytes);
    if (round === 1) expect(ofSlabs.every(({ buffer }) => seen.has(buffer))).toBe(true);
    for (const { buffer } of ofSlabs) seen.add(buffer);
    slabs.giveBack();
  }
});

test('what follows a shortened piece is free again, if nothing was taken since', () => {
  const slabs = new Slabs();
  const first = slabs.shorten(slabs.take(1000).fill(1), 10);
  const second = slabs.take(1000).fill(2);
  expect(second.byteOffset - first.byteOffset).toBe(10);
  slabs.take(5);
  expect(slabs.shorten(second, 20)).toEqual(Buffer.alloc(20, 2));
  expect(slabs.take(5).byteOffset - second.byteOffset).toBe(1005);
  expect(slabs.shorten(slabs.take(2 * slabBytes).fill(3), 7)).toEqual(Buffer.alloc(7, 3));
  expect(first).toEqual(Buffer.alloc(10, 1));
});

test('so many are kept, and none after a pause', () => {
  const buffers = Array.from({ length: 100 }, () => new ArrayBuffer(slabBytes));
  for (const buffer of [...buffers, new ArrayBuffer(10), new SharedArrayBuffer(slabBytes)]) giveBackSlab(buffer);
  const taken = Array.from({ length: 100 }, () => takeSlab().buffer);
  expect(taken.filter((buffer) => buffers.includes(buffer))).toHaveLength(32);
  giveBackSlab(buffers[0]!);
  vi.advanceTimersByTime(60_000);
  expect(takeSlab().buffer).not.toBe(buffers[0]);
});
