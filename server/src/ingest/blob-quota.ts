/**
 * How many bytes of blobs a key may send in a day of UTC: attachments, replays, profiles and other large payloads,
 * counted as they are once decompressed, which nothing that a sender does to a body makes less. Errors and other rows
 * are never counted.
 *
 * Counted in memory, so that no request waits; every few seconds what was added goes into the state store, which gives
 * back what all processes took together. A restart goes on from there.
 */
import type { DataCategory } from '@culprit/envelope';
import type { FastifyBaseLogger } from 'fastify';
import { maxRowBytes } from '../process/items/kept/limits.ts';
import type { IngestKey } from './keys.ts';
import type { ScannedItem } from './scan.ts';

/** Adds to what a key took on a day, and gives the sum; undefined for a key that is gone. */
export type AddBlobBytes = (keyId: number, day: number, bytes: number) => Promise<number | undefined>;

export interface BlobQuota extends AsyncDisposable {
  /** Those that may not pass: of a data category all or none. Waits only for the first of a key since the start. */
  stopped(
    items: readonly ScannedItem[],
    key: IngestKey,
    nowMs: number,
  ): readonly ScannedItem[] | Promise<readonly ScannedItem[]>;
  /** Does not throw: what could not be written is tried again later. */
  flush(): Promise<void>;
}

interface Usage {
  readonly day: number;
  /** As the state store last said, and what was added since. */
  bytes: number;
  /** Of that, what is not in the state store yet. */
  added: number;
}

const dayMs = 86_400_000;
/** A client that is told to wait for the whole day would not hear that the limit was raised. */
export const longestPauseSeconds = 3600;
const none: readonly never[] = [];

export const blobQuotaReason = 'blob_quota';

/** Until the quota begins anew, as far as clients are told. */
export function blobPauseSeconds(nowMs: number): number {
  return Math.min(longestPauseSeconds, Math.max(1, Math.ceil((dayMs - (nowMs % dayMs)) / 1000)));
}

/** Adds what there is room for; the rest is what may not pass. */
function take(
  usage: Usage,
  limit: number,
  wanted: ReadonlyMap<DataCategory, number>,
  items: readonly ScannedItem[],
): readonly ScannedItem[] {
  const stopped = new Set<DataCategory>();
  for (const [category, bytes] of wanted) {
    if (usage.bytes + bytes > limit) stopped.add(category);
    else {
      usage.bytes += bytes;
      usage.added += bytes;
    }
  }
  return stopped.size === 0
    ? none
    : items.filter((item) => stopped.has(item.type.category) && item.type.keptAs !== 'rows');
}

/** What the item adds to the blobs. */
export function blobBytes({ type, bytes }: ScannedItem): number {
  return type.keptAs === 'blob' || (type.keptAs === 'text' && bytes > maxRowBytes) ? bytes : 0;
}

export function openBlobQuota(add: AddBlobBytes, logger: FastifyBaseLogger, everyMs = 5000): BlobQuota {
  const usages = new Map<number, Usage>();
  const loading = new Map<number, Promise<Usage>>();
  let flushing = Promise.resolve();
  const timer = setInterval(() => void flush(), everyMs).unref();

  async function load(keyId: number, day: number): Promise<Usage> {
    const usage: Usage = { day, bytes: 0, added: 0 };
    try {
      usage.bytes = (await add(keyId, day, 0)) ?? 0;
    } catch (error) {
      // Better too much of one day than nothing while the state store is away.
      logger.debug({ err: error }, 'could not read the blob usage of a key; counting starts from zero');
    }
    usages.set(keyId, usage);
    loading.delete(keyId);
    return usage;
  }

  function usageOf(keyId: number, day: number): Usage | Promise<Usage> {
    const known = usages.get(keyId);
    if (known?.day === day) return known;
    let reading = loading.get(keyId);
    if (!reading) loading.set(keyId, (reading = load(keyId, day)));
    return reading;
  }

  async function write(): Promise<void> {
    for (const [keyId, usage] of usages) {
      const { added, day } = usage;
      if (added === 0) {
        if (day < Math.floor(Date.now() / dayMs)) usages.delete(keyId);
        continue;
      }
      usage.added = 0;
      try {
        const sum = await add(keyId, day, added);
        if (sum === undefined) usages.delete(keyId);
        else usage.bytes = sum + usage.added;
      } catch (error) {
        usage.added += added;
        logger.debug({ err: error }, 'could not store the blob usage of a key yet');
      }
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(write);
    return flushing;
  }

  return {
    stopped(items, key, nowMs) {
      const limit = key.blobBytesPerDay;
      if (limit === null) return none;
      let wanted: Map<DataCategory, number> | undefined;
      for (const item of items) {
        const bytes = blobBytes(item);
        if (bytes === 0) continue;
        wanted ??= new Map();
        wanted.set(item.type.category, (wanted.get(item.type.category) ?? 0) + bytes);
      }
      if (!wanted) return none;
      const found = usageOf(key.keyId, Math.floor(nowMs / dayMs));
      return found instanceof Promise
        ? found.then((usage) => take(usage, limit, wanted, items))
        : take(found, limit, wanted, items);
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
    },
  };
}
