/** Lookup files that are in use, shared by all frames of a thread. */
import { openLookup, type Lookup, type LookupFile, type ReadRange } from './open.ts';
import { Pool, type Held } from './pool.ts';

export interface LookupCache {
  /** Rejects when the file cannot be read or is no lookup of this version; it is tried again the next time. */
  get(key: string): Promise<Lookup>;
  /** Hits and misses of `get`; what is held in memory now. */
  stats(): { hits: number; misses: number; bytes: number };
}

interface HeldLookup extends Held {
  readonly lookup: LookupFile;
}

/** Bounded by bytes: the parts of files not used for longest are dropped, then the files. */
export function createLookupCache(options: { read: (key: string) => ReadRange; maxBytes: number }): LookupCache {
  const pool = new Pool(options.maxBytes);
  const lookups = new Map<string, HeldLookup>();
  const opening = new Map<string, Promise<Lookup>>();
  let hits = 0;
  let misses = 0;

  const open = async (key: string): Promise<Lookup> => {
    const lookup = await openLookup(options.read(key), pool);
    const held: HeldLookup = {
      lookup,
      weightBytes: lookup.indexWeightBytes,
      drop: () => {
        lookups.delete(key);
        lookup.drop();
      },
    };
    lookups.set(key, held);
    pool.add(held);
    return lookup;
  };

  return {
    async get(key) {
      const held = lookups.get(key);
      if (held) {
        hits++;
        pool.touch(held);
        return held.lookup;
      }
      const running = opening.get(key);
      if (running) {
        hits++;
        return running;
      }
      misses++;
      const started = open(key).finally(() => opening.delete(key));
      opening.set(key, started);
      return started;
    },
    stats: () => ({ hits, misses, bytes: pool.bytes }),
  };
}
