import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../base/errors.ts';

/** What is read at once. While the store is silent, guessed keys would wait without end. */
const maxLoading = 2_000;

/**
 * A cache for look-ups that nearly every request makes and that other processes may change.
 *
 * An entry is fresh for a while and given as it is. A stale one is still given, and read again in the background. One
 * that is expired is read before it is given; when that fails or lasts, the store being away, it is given nevertheless.
 * That there is nothing under a key is remembered only while fresh, and apart, so that guessed keys push out no real ones.
 */
interface Options<Key, Value> {
  readonly load: (key: Key) => Promise<Value | undefined>;
  readonly freshMs?: number;
  readonly expiredMs?: number;
  /** How long somebody waits for what is read again, where there is an older answer. */
  readonly patienceMs?: number;
  /** Of each kind: found, and not found. */
  readonly maxEntries?: number;
  /** ms, of a clock that only goes forward. */
  readonly now?: () => number;
}

export interface LookupCache<Key, Value> {
  /** At once when cached, else a promise. */
  lookup(key: Key): Value | undefined | Promise<Value | undefined>;
  /** To be called after a change: all is read again before it is given, and given as it was only while the store is away. */
  invalidate(): void;
}

interface Entry<Value> {
  readonly value: Value;
  loadedAt: number;
}

export function createLookupCache<Key, Value>(options: Options<Key, Value>): LookupCache<Key, Value> {
  const { load, freshMs = 5_000, expiredMs = 60_000, patienceMs = 500, maxEntries = 10_000 } = options;
  const { now = () => performance.now() } = options;
  const found = new Map<Key, Entry<Value>>();
  const missing = new Map<Key, number>();
  const loading = new Map<Key, Promise<Value | undefined>>();
  /** Of those that are being read, which nobody waits for any more. */
  const late = new WeakSet<Promise<unknown>>();

  const remember = (key: Key, value: Value | undefined): void => {
    found.delete(key);
    missing.delete(key);
    if (value === undefined) addBounded(missing, key, now(), maxEntries);
    else addBounded(found, key, { value, loadedAt: now() }, maxEntries);
  };

  const reload = (key: Key): Promise<Value | undefined> => {
    const running = loading.get(key);
    if (running) return running;
    if (loading.size >= maxLoading) return Promise.reject(new CodedError('OVERLOADED', [], { retryAfter: 5 }));
    const started: Promise<Value | undefined> = load(key).then(
      (value) => {
        // Not after an invalidation: this may have read what was there before the change.
        if (loading.get(key) === started) {
          loading.delete(key);
          remember(key, value);
        }
        return value;
      },
      (error: unknown) => {
        if (loading.get(key) === started) loading.delete(key);
        throw error;
      },
    );
    loading.set(key, started);
    return started;
  };

  return {
    lookup(key) {
      const entry = found.get(key);
      if (entry) {
        const ageMs = now() - entry.loadedAt;
        if (ageMs < freshMs) return entry.value;
        const reading = reload(key);
        const reloaded = reading.catch(() => entry.value);
        if (ageMs < expiredMs || late.has(reading)) return entry.value;
        const tooLong = delay(patienceMs, undefined, { ref: false }).then(() => {
          late.add(reading);
          return entry.value;
        });
        return Promise.race([reloaded, tooLong]);
      }
      const missingSince = missing.get(key);
      if (missingSince !== undefined && now() - missingSince < freshMs) return undefined;
      return reload(key);
    },
    invalidate() {
      for (const entry of found.values()) entry.loadedAt = -Infinity;
      missing.clear();
      loading.clear();
    },
  };
}

/** The entry that was set longest ago makes room. */
function addBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, maxEntries: number): void {
  if (map.size >= maxEntries) {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
  map.set(key, value);
}
