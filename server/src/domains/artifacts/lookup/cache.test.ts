/** What is held of lookup files, and how much is read of them. */
import { expect, test } from 'vitest';
import { buildLookup, createLookupCache, type ReadRange } from './index.ts';

const line = (count: number): string => Array.from({ length: count }, () => 'CAAAA').join(',');
const source = Array.from(
  { length: 20_000 },
  (_, index) => `const value${index} = ${Math.imul(index, 2_654_435_761)};`,
).join('\n');
const map = {
  version: 3,
  sources: ['a.ts'],
  sourcesContent: [source],
  names: ['name'],
  mappings: `${line(100_000)};${line(100_000)}`,
};
const file = Buffer.concat([...buildLookup({ map: Buffer.from(JSON.stringify(map)) }).chunks]);

function reader(): { readonly read: (key: string) => ReadRange; readonly reads: number[] } {
  const reads: number[] = [];
  return {
    reads,
    read: (key) => async (start, length) => {
      if (key.startsWith('no')) throw new Error(`${key} is not there`);
      reads.push(length);
      return file.subarray(start, start + length);
    },
  };
}

test('a frame costs a few reads of a few kB, the next ones near it none', async () => {
  const { read, reads } = reader();
  const cache = createLookupCache({ read, maxBytes: 1 << 20 });
  const lookup = await cache.get('a');
  expect(await lookup.find(2, 50_000)).toMatchObject({ source: 'a.ts', name: 'name' });
  expect(await lookup.context(0, 10_000, 5)).toMatchObject({ line: source.split('\n')[9999] });
  expect(reads.length).toBeLessThanOrEqual(5);
  expect(Math.max(...reads.slice(1))).toBeLessThan(32 * 1024);
  const before = reads.length;
  await lookup.find(2, 50_001);
  await lookup.context(0, 10_001, 5);
  expect(reads.length).toBe(before);
});

test('keeps to its bytes, drops what was not used for longest, and reads it again', async () => {
  const { read } = reader();
  const maxBytes = 300_000;
  const cache = createLookupCache({ read, maxBytes });
  for (let round = 0; round < 3; round++) {
    for (let key = 0; key < 40; key++) {
      const lookup = await cache.get(`a${key}`);
      for (let column = 2; column < 100_000; column += 20_000) {
        expect(await lookup.find(1, column)).toMatchObject({ sourceId: 0 });
        await lookup.context(0, column % 20_000, 2);
        expect(cache.stats().bytes).toBeLessThanOrEqual(maxBytes);
      }
      expect(lookup.weightBytes).toBeGreaterThan(1000);
    }
  }
  const { hits, misses } = cache.stats();
  expect(hits + misses).toBe(120);
  expect(misses).toBeGreaterThan(40);
});

test('a file in use is opened once, one that cannot be read is tried again', async () => {
  const { read, reads } = reader();
  const cache = createLookupCache({ read, maxBytes: 1 << 20 });
  const [one, other] = await Promise.all([cache.get('a'), cache.get('a')]);
  expect(one).toBe(other);
  expect(reads).toHaveLength(1);
  await Promise.all([1, 2, 3].map(() => one.find(1, 7)));
  expect(reads).toHaveLength(4);
  await expect(cache.get('no')).rejects.toThrow('not there');
  await expect(cache.get('no')).rejects.toThrow('not there');
  expect(cache.stats()).toMatchObject({ hits: 1, misses: 3 });
});
