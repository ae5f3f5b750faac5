/**
 * Payloads as objects: `payloads/DAY/SEGMENT`, one segment for each batch that is written, and `payloads-erased/DAY/SEGMENT`
 * with the ordinals that nothing may read (u32 each). An object is there whole or not at all, so that a process that is
 * killed leaves nothing to settle. Several nodes write: a number that is taken is found out as the object is put.
 */
import { randomInt } from 'node:crypto';
import type { Objects } from '../../base/s3/objects.ts';
import { type ChunkEntry, decodeChunk } from './chunk.ts';
import { encodeSegment, packObject, readIndex, searchObject, type SegmentIndex } from './object-segment.ts';
import { createFinder } from '../../base/sought-text.ts';
import { hasSought, type SearchOptions } from './search.ts';
import type { PayloadBatch, Payloads, PayloadWriter, Place, WholePayload } from './payloads.ts';
import { dayName } from './segment-files.ts';
import { Batch, type BatchTarget } from './writer.ts';

const defaultQuietMs = 15 * 60_000;
const segmentsAtOnce = 8;
const indexesKept = 200;
const ordinalBytes = 4;
const written = 'payloads/';
const marks = 'payloads-erased/';
const decoder = new TextDecoder();

/** Of segments that are begun in one millisecond, by any node. With more, numbers would not be exact until 2039. */
const numbersEachMs = 4096;
const begunAt = (segment: number): number => Math.floor(segment / numbersEachMs);

const keyOf = (folder: string, segment: number): string => `${folder}${dayName(begunAt(segment))}/${segment}`;

export function openS3Payloads(objects: Objects): Payloads {
  return new ObjectPayloads(objects);
}

class ObjectPayloads implements Payloads {
  /** An object a batch is dear where batches are small: those stay in their rows. */
  readonly leastBytes = 64 * 1024;
  readonly #objects: Objects;
  /** The last used comes last. */
  readonly #indexes = new Map<number, SegmentIndex>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  createWriter(clock = Date.now): PayloadWriter {
    return new ObjectWriter(this.#objects, clock);
  }

  async settle(): Promise<void> {}

  async read(places: readonly Place[]): Promise<(string | undefined)[]> {
    return this.#read(places, ({ bytes }) => decoder.decode(bytes));
  }

  async readWhole(places: readonly Place[]): Promise<(WholePayload | undefined)[]> {
    return this.#read(places, ({ bytes, beside }) => ({
      payload: decoder.decode(bytes),
      beside: decoder.decode(beside),
    }));
  }

  async areErased(places: readonly Place[]): Promise<boolean[]> {
    const segments = [...new Set(places.map(({ segment }) => segment))].filter((segment) => segment !== 0);
    const erased = new Map<number, ReadonlySet<number>>();
    await inParallel(segments, async (segment) => void erased.set(segment, (await this.#erased(segment)).ordinals));
    return places.map(({ segment, ordinal }) => erased.get(segment)?.has(ordinal) ?? false);
  }

  async erase(places: readonly Place[]): Promise<void> {
    const bySegment = [...Map.groupBy(places, ({ segment }) => segment)].filter(([segment]) => segment !== 0);
    await inParallel(bySegment, async ([segment, erased]) => {
      // A day that was dropped has nothing left to erase.
      if (!(await this.#objects.head(keyOf(written, segment)))) return;
      const bytes = Buffer.alloc(erased.length * ordinalBytes);
      for (const [index, { ordinal }] of erased.entries()) bytes.writeUInt32LE(ordinal, index * ordinalBytes);
      const key = keyOf(marks, segment);
      for (;;) {
        const before = await this.#objects.get(key);
        const all = Buffer.concat([before?.bytes ?? Buffer.alloc(0), bytes]);
        const condition = before ? { ifMatch: before.etag } : { ifAbsent: true };
        if (await this.#objects.put(key, all, condition)) return;
      }
    });
  }

  /** Those of which something was erased: as they are written, the others cost more to pack than packing saves. */
  async unpacked(quietMs = defaultQuietMs): Promise<number[]> {
    const found: number[] = [];
    const marked: { readonly segment: number; readonly bytes: number }[] = [];
    for await (const { key, size } of this.#objects.list(marks)) {
      const segment = Number(key.split('/').at(-1));
      if (Number.isSafeInteger(segment) && Date.now() - begunAt(segment) >= quietMs) {
        marked.push({ segment, bytes: size });
      }
    }
    await inParallel(marked, async ({ segment, bytes }) => {
      const { index } = (await this.#index(segment)) ?? {};
      if (index && index.erasedBytes < bytes) found.push(segment);
    });
    return found.sort((a, b) => a - b);
  }

  async pack(segment: number, wanted: Iterable<number>): Promise<void> {
    const key = keyOf(written, segment);
    const kept = new Set(wanted);
    const [source, erased] = await Promise.all([this.#objects.get(key), this.#erased(segment)]);
    if (!source) return;
    const isWanted = (ordinal: number): boolean => kept.has(ordinal) && !erased.ordinals.has(ordinal);
    const packed = packObject(source.bytes, isWanted, erased.bytes);
    // Another node may have packed it meanwhile.
    if (packed) await this.#objects.put(key, packed, { ifMatch: source.etag });
    else await this.#objects.delete([key]);
    this.#indexes.delete(segment);
  }

  async erasedBytes(): Promise<number> {
    let sum = 0;
    for await (const { key, size } of this.#objects.list(marks)) {
      const { index } = (await this.#index(Number(key.split('/').at(-1)))) ?? {};
      if (!index || index.ordinals === 0) continue;
      const waiting = Math.min(index.ordinals, (size - index.erasedBytes) / ordinalBytes);
      sum += (index.size * waiting) / index.ordinals;
    }
    return Math.round(sum);
  }

  async search({ sought, signal, onFound, onProgress }: SearchOptions): Promise<void> {
    if (sought.length === 0) return;
    const finder = createFinder(sought);
    const segments = await this.#all();
    for (const [done, segment] of segments.entries()) {
      signal.throwIfAborted();
      const source = await this.#objects.get(keyOf(written, segment));
      const ordinals = source ? searchObject(source.bytes, (entry) => hasSought(entry, finder)) : [];
      if (ordinals.length > 0) onFound({ segment, ordinals });
      onProgress?.(done + 1, segments.length);
    }
  }

  async #all(): Promise<number[]> {
    const segments: number[] = [];
    for await (const { key } of this.#objects.list(written)) {
      const segment = Number(key.split('/').at(-1));
      if (Number.isSafeInteger(segment)) segments.push(segment);
    }
    return segments;
  }

  async rewrite(segments: readonly number[], signal: AbortSignal): Promise<void> {
    for (const segment of segments) {
      signal.throwIfAborted();
      const { index } = (await this.#index(segment)) ?? {};
      if (index) await this.pack(segment, Uint32Array.from({ length: index.ordinals }).keys());
    }
  }

  withErased(): Promise<number[]> {
    return this.unpacked(0);
  }

  async daySizes(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const { key, size } of this.#objects.list(written)) {
      const day = key.slice(written.length).split('/')[0] ?? '';
      sizes.set(day, (sizes.get(day) ?? 0) + size);
    }
    return sizes;
  }

  async dropBefore(at: number): Promise<void> {
    for (const folder of [written, marks]) {
      for (const day of await this.#objects.folders(folder)) {
        if (!/^\d{4}-\d\d-\d\d$/.test(day) || day >= dayName(at)) continue;
        const keys: string[] = [];
        for await (const { key } of this.#objects.list(`${folder}${day}/`)) keys.push(key);
        await this.#objects.delete(keys);
      }
    }
    this.#indexes.clear();
  }

  async #read<T>(places: readonly Place[], take: (entry: ChunkEntry) => T): Promise<(T | undefined)[]> {
    const found: (T | undefined)[] = places.map(() => undefined);
    const bySegment = [...Map.groupBy(places.keys(), (index) => places[index]?.segment ?? 0)];
    await inParallel(bySegment, async ([segment, wanted]) => {
      if (segment === 0) return;
      const ordinalOf = (index: number): number => places[index]?.ordinal ?? 0;
      // It may be packed between the looks at its index and at its chunks, once for each time that something is erased.
      while (!(await this.#readSegment(segment, wanted, ordinalOf, (index, entry) => (found[index] = take(entry)))));
    });
    return found;
  }

  /** False where its index was of before it was packed. */
  async #readSegment(
    segment: number,
    wanted: readonly number[],
    ordinalOf: (index: number) => number,
    give: (index: number, entry: ChunkEntry) => void,
  ): Promise<boolean> {
    const key = keyOf(written, segment);
    const [opened, erased] = await Promise.all([this.#index(segment), this.#erased(segment)]);
    if (!opened) return true;
    const { index, whole } = opened;
    const there = wanted.filter((each) => index.entry(ordinalOf(each)) && !erased.ordinals.has(ordinalOf(each)));
    for (const [offset, indexes] of Map.groupBy(there, (each) => index.entry(ordinalOf(each))?.offset ?? 0)) {
      const end = index.endOf(offset);
      const part = whole ? undefined : await this.#objects.range(key, offset, end - offset);
      if (!whole && part?.etag !== index.etag) {
        this.#indexes.delete(segment);
        return part === undefined;
      }
      const chunk = decodeChunk(Buffer.from(whole?.subarray(offset, end) ?? part?.bytes ?? []));
      for (const each of indexes) {
        const entry = chunk[index.entry(ordinalOf(each))?.number ?? 0];
        if (entry) give(each, entry);
      }
    }
    return true;
  }

  async #index(segment: number): Promise<{ readonly index: SegmentIndex; readonly whole?: Uint8Array } | undefined> {
    const known = this.#indexes.get(segment);
    const opened = known ? { index: known } : await readIndex(this.#objects, keyOf(written, segment));
    if (!opened) return undefined;
    this.#indexes.delete(segment);
    this.#indexes.set(segment, opened.index);
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > indexesKept && oldest !== undefined) this.#indexes.delete(oldest);
    return opened;
  }

  async #erased(segment: number): Promise<{ readonly ordinals: ReadonlySet<number>; readonly bytes: number }> {
    const bytes = Buffer.from((await this.#objects.get(keyOf(marks, segment)))?.bytes ?? []);
    const count = Math.floor(bytes.length / ordinalBytes);
    const ordinals = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(index * ordinalBytes));
    return { ordinals: new Set(ordinals), bytes: bytes.length };
  }
}

class ObjectWriter implements PayloadWriter {
  readonly #objects: Objects;
  readonly #clock: () => number;

  constructor(objects: Objects, clock: () => number) {
    this.#objects = objects;
    this.#clock = clock;
  }

  batch(): PayloadBatch {
    return new Batch(
      () => this.#target(),
      () => {},
    );
  }

  async write(batch: PayloadBatch, isWanted: (index: number) => boolean = () => true): Promise<void> {
    if (!(batch instanceof Batch)) throw new TypeError('the batch is of another writer');
    const { segment } = batch;
    const encoded = batch.encoded(isWanted);
    if (!segment || encoded.length === 0) return;
    const key = keyOf(written, segment.number);
    const bytes = encodeSegment(encoded, segment.ordinals, ({ index }) => isWanted(index));
    if (await this.#objects.put(key, bytes, { ifAbsent: true })) return;
    // It is our own where an answer was lost, or where it is written again.
    const there = await this.#objects.get(key);
    if (!there || !bytes.equals(there.bytes)) throw new Error('another node uses the number of this payload segment');
  }

  /** As good as always no other has it; where one has, the batch is tried again with another. */
  #target(): BatchTarget {
    const number = this.#clock() * numbersEachMs + randomInt(numbersEachMs);
    return { number, ordinals: 0, batches: new Set() };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

async function inParallel<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const queue = all.values();
  const worker = async (): Promise<void> => {
    for (const one of queue) await run(one);
  };
  await Promise.all(Array.from({ length: Math.min(segmentsAtOnce, all.length) }, worker));
}
