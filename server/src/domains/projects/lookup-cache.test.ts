import { beforeEach, describe, expect, test } from 'vitest';
import { createLookupCache } from './lookup-cache.ts';

describe('a look-up cache', () => {
  let store: Map<string, number>;
  let loads: string[];
  let now: number;
  let away: boolean;
  beforeEach(() => {
    store = new Map([['a', 1]]);
    loads = [];
    now = 1_000_000;
    away = false;
  });
  const make = (maxEntries = 10) =>
    createLookupCache({
      load: async (key: string) => {
        loads.push(key);
        await Promise.resolve();
        if (away) throw new Error('away');
        return store.get(key);
      },
      maxEntries,
      now: () => now,
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('answers at once what it knows', async () => {
    const cache = make();
    expect(await cache.lookup('a')).toBe(1);
    expect(cache.lookup('a')).toBe(1);
    expect(loads).toEqual(['a']);
  });

  test('what is known is given while the store is silent, and what is not waits', async () => {
    let answer = Promise.resolve<number | undefined>(1);
    const cache = createLookupCache({ load: (_key: string) => answer, now: () => now, patienceMs: 20 });
    expect(await cache.lookup('a')).toBe(1);
    const silent = Promise.withResolvers<number | undefined>();
    answer = silent.promise;
    now += 61_000;
    // The first waits a moment for it, the others no longer.
    expect(await cache.lookup('a')).toBe(1);
    expect(cache.lookup('a')).toBe(1);
    const unknown = Promise.resolve(cache.lookup('b'));
    silent.resolve(2);
    expect(await unknown).toBe(2);
    await settled();
    expect(cache.lookup('a')).toBe(2);
  });

  test('many that ask for the same at once cause one load', async () => {
    const cache = make();
    expect(await Promise.all([cache.lookup('a'), cache.lookup('a'), cache.lookup('a')])).toEqual([1, 1, 1]);
    expect(loads).toEqual(['a']);
  });

  test('refreshes what is stale in the background, and waits for what is long expired', async () => {
    const cache = make();
    await cache.lookup('a');
    store.set('a', 2);
    now += 5_000;
    expect(cache.lookup('a')).toBe(1);
    await settled();
    expect(cache.lookup('a')).toBe(2);
    store.set('a', 3);
    now += 60_000;
    expect(await cache.lookup('a')).toBe(3);
    expect(loads.length).toBe(3);
  });

  test('remembers for a short time that there is nothing', async () => {
    const cache = make();
    expect(await cache.lookup('b')).toBeUndefined();
    store.set('b', 5);
    expect(cache.lookup('b')).toBeUndefined();
    now += 5_000;
    expect(await cache.lookup('b')).toBe(5);
  });

  test('an entry that is gone from the store goes', async () => {
    const cache = make();
    await cache.lookup('a');
    store.delete('a');
    now += 5_000;
    expect(cache.lookup('a')).toBe(1);
    await settled();
    expect(cache.lookup('a')).toBeUndefined();
  });

  test('gives the last known while the store is away; what it never knew fails, and is tried again', async () => {
    const cache = make();
    await cache.lookup('a');
    away = true;
    now += 10_000_000;
    expect(await cache.lookup('a')).toBe(1);
    await expect(cache.lookup('b')).rejects.toThrow('away');
    away = false;
    store.set('b', 2);
    expect(await cache.lookup('b')).toBe(2);
  });

  test('guessed keys do not push out real ones, and memory stays bounded', async () => {
    const cache = make(3);
    await cache.lookup('a');
    for (let guess = 0; guess < 20; guess++) await cache.lookup(`guess-${guess}`);
    loads = [];
    expect(cache.lookup('a')).toBe(1);
    expect(cache.lookup('guess-19')).toBeUndefined();
    await cache.lookup('guess-0');
    expect(loads).toEqual(['guess-0']);
    for (const key of ['b', 'c', 'd']) {
      store.set(key, 9);
      await cache.lookup(key);
    }
    loads = [];
    await cache.lookup('a');
    expect(loads).toEqual(['a']);
  });

  test('forgets on invalidation, also what is being loaded', async () => {
    const cache = make();
    const before = cache.lookup('a');
    store.set('a', 2);
    cache.invalidate();
    await before;
    expect(await cache.lookup('a')).toBe(2);
    expect(loads.length).toBe(2);
  });

  test('what was forgotten is given again only while the store is away', async () => {
    const cache = make();
    await cache.lookup('a');
    store.delete('a');
    away = true;
    cache.invalidate();
    expect(await cache.lookup('a')).toBe(1);
    away = false;
    expect(await cache.lookup('a')).toBeUndefined();
  });
});
