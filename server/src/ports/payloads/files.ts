/** Payloads in files of the data directory; `segment-files.ts` says which. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FolderSizes } from '../../base/disk-usage.ts';
import { runThread } from '../../base/jobs/index.ts';
import { freeBuffer } from '../../base/free-buffer.ts';
import type { ChunkEntry } from './chunk.ts';
import { erasedBytesOf, noteErased, readErased } from './erased.ts';
import { tellToLeave } from './leave.ts';
import { OpenSegment } from './open-segment.ts';
import { OpenSegments } from './open-segments.ts';
import type { PackingSetup } from './packing-thread.ts';
import type { Payloads, PayloadWriter, Place, WholePayload } from './payloads.ts';
import type { SearchOptions } from './search.ts';
import type { SearchedSegment, SearchSetup } from './search-thread.ts';
import { dayName, fileOf, closedForMs, isWritten, listDays, markClosed } from './segment-files.ts';
import { createWriter, type WriterOptions } from './writer.ts';

const defaultQuietMs = 15 * 60_000;
const decoder = new TextDecoder();
const leavePollMs = 200;
const never = new AbortController().signal;

/** The last of those who pack, by directory: two at one segment would write the same file, and put a half of it in its place. */
const packing = new Map<string, Promise<unknown>>();

export function openFilePayloads(options: WriterOptions): Payloads {
  return new FilePayloads(options);
}

class FilePayloads implements Payloads {
  readonly #options: WriterOptions;
  readonly #open: OpenSegments;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#open = new OpenSegments(options.dir);
  }

  createWriter(clock = Date.now): PayloadWriter {
    return createWriter(this.#options, clock);
  }

  async settle(): Promise<void> {
    const { dir } = this.#options;
    for (const { segments } of await listDays(dir)) {
      for (const [segment, kinds] of segments) {
        if (kinds.has('packing')) await rm(fileOf(dir, segment, 'packing'), { force: true });
        if (!kinds.has('index') || kinds.has('closed')) continue;
        await markClosed(dir, segment);
      }
    }
  }

  async read(places: readonly Place[]): Promise<(string | undefined)[]> {
    return this.#read(places, ({ bytes }) => decoder.decode(bytes));
  }

  async readWhole(places: readonly Place[]): Promise<(WholePayload | undefined)[]> {
    return this.#read(places, ({ bytes, beside }) => ({
      payload: decoder.decode(bytes),
      beside: decoder.decode(beside),
    }));
  }

  async #read<T>(places: readonly Place[], take: (entry: ChunkEntry) => T): Promise<(T | undefined)[]> {
    const texts: (T | undefined)[] = places.map(() => undefined);
    for (const [segment, indexes] of Map.groupBy(places.keys(), (index) => places[index]?.segment ?? 0)) {
      if (segment === 0) continue;
      const found = await this.#readSegment(
        segment,
        indexes.map((index) => places[index]?.ordinal ?? 0),
        take,
      );
      for (const [at, index] of indexes.entries()) texts[index] = found[at];
    }
    return texts;
  }

  async areErased(places: readonly Place[]): Promise<boolean[]> {
    const segments = new Map<number, ReadonlySet<number>>();
    for (const { segment } of places) {
      if (!segments.has(segment)) segments.set(segment, (await readErased(this.#options.dir, segment)).ordinals);
    }
    return places.map(({ segment, ordinal }) => segments.get(segment)?.has(ordinal) ?? false);
  }

  async erase(places: readonly Place[]): Promise<void> {
    for (const [segment, erased] of Map.groupBy(places, (place) => place.segment)) {
      if (segment === 0) continue;
      await noteErased(
        this.#options.dir,
        segment,
        erased.map(({ ordinal }) => ordinal),
      );
    }
  }

  async unpacked(quietMs = defaultQuietMs): Promise<number[]> {
    const { dir } = this.#options;
    const found: number[] = [];
    for (const { segments } of await listDays(dir)) {
      for (const [segment, kinds] of segments) {
        const isWorth = kinds.has('closed')
          ? (await closedForMs(dir, segment)) >= quietMs
          : kinds.has('packed') && kinds.has('erased') && (await this.#hasErased(segment));
        if (isWorth) found.push(segment);
      }
    }
    return found;
  }

  async pack(segment: number, wanted: Iterable<number>, signal = never): Promise<void> {
    await this.#packAll([{ segment, wanted: Uint32Array.from(wanted) }], signal);
  }

  async #packAll(segments: PackingSetup['segments'], signal: AbortSignal): Promise<void> {
    const setup: PackingSetup = { dir: this.#options.dir, segments };
    const module = new URL('./packing-thread.ts', import.meta.url);
    const onMessage = (segment: number): void => this.#open.forget(segment);
    const options = { module, name: 'packing', setup, oldMb: 128, youngMb: 8, graceMs: 0, onMessage };
    const turn = (packing.get(setup.dir) ?? Promise.resolve()).then(() => runThread<number>(options, signal));
    const ended = turn.catch(() => undefined);
    packing.set(setup.dir, ended);
    // Ended in the middle of a segment it leaves that as it was.
    await turn.finally(() => {
      if (packing.get(setup.dir) === ended) packing.delete(setup.dir);
    });
  }

  async daySizes(): Promise<Map<string, number>> {
    const { dir } = this.#options;
    const counted = new FolderSizes();
    const sizes = new Map<string, number>();
    for (const { day } of await listDays(dir)) sizes.set(day, await counted.folder(join(dir, day)));
    return sizes;
  }

  async dropBefore(at: number): Promise<void> {
    const { dir } = this.#options;
    for (const { day } of await listDays(dir)) {
      if (day < dayName(at)) await rm(join(dir, day), { recursive: true, force: true });
    }
    this.#open.forget();
  }

  async erasedBytes(): Promise<number> {
    const { dir } = this.#options;
    let bytes = 0;
    for (const { segments } of await listDays(dir))
      for (const [segment, kinds] of segments) if (kinds.has('erased')) bytes += await erasedBytesOf(dir, segment);
    return Math.round(bytes);
  }

  async search({ sought, signal, onFound, onProgress }: SearchOptions): Promise<void> {
    const { dir } = this.#options;
    const segments = (await listDays(dir)).flatMap((day) => [...day.segments.keys()]);
    if (segments.length === 0 || sought.length === 0) return;
    const module = new URL('./search-thread.ts', import.meta.url);
    const setup: SearchSetup = { dir, segments, sought };
    let done = 0;
    const onMessage = ({ segment, ordinals }: SearchedSegment): void => {
      onProgress?.(++done, segments.length);
      if (ordinals.length > 0) onFound({ segment, ordinals });
    };
    await runThread<SearchedSegment>(
      { module, name: 'search', setup, oldMb: 128, youngMb: 8, graceMs: 0, onMessage },
      signal,
    );
    signal.throwIfAborted();
  }

  async rewrite(segments: readonly number[], signal: AbortSignal): Promise<void> {
    const { dir } = this.#options;
    await tellToLeave(dir, Date.now());
    for (const segment of segments)
      while (await isWritten(dir, segment)) await delay(leavePollMs, undefined, { signal });
    // In one thread: starting one takes longer than what a segment of some MB takes it.
    if (segments.length > 0)
      await this.#packAll(
        segments.map((segment) => ({ segment })),
        signal,
      );
    signal.throwIfAborted();
  }

  async withErased(): Promise<number[]> {
    const { dir } = this.#options;
    const found: number[] = [];
    for (const { segments } of await listDays(dir)) {
      for (const [segment, kinds] of segments)
        if (kinds.has('erased') && (!kinds.has('packed') || (await this.#hasErased(segment)))) found.push(segment);
    }
    return found;
  }

  async #hasErased(segment: number): Promise<boolean> {
    const { dir } = this.#options;
    await using packed = await OpenSegment.open(dir, segment);
    return packed !== undefined && packed.erasedBytes < (await readErased(dir, segment)).bytes;
  }

  async #readSegment<T>(
    segment: number,
    ordinals: readonly number[],
    take: (entry: ChunkEntry) => T,
  ): Promise<(T | undefined)[]> {
    const texts: (T | undefined)[] = ordinals.map(() => undefined);
    await this.#open.use(segment, async (open) => {
      const [entries, erased] = await Promise.all([open.entries(ordinals), readErased(this.#options.dir, segment)]);
      const there = [...entries.keys()].filter((index) => entries[index] && !erased.ordinals.has(ordinals[index] ?? 0));
      for (const [offset, indexes] of Map.groupBy(there, (index) => entries[index]?.offset ?? 0)) {
        const chunk = await open.chunk(offset);
        for (const index of indexes) {
          const entry = chunk[entries[index]?.number ?? 0];
          texts[index] = entry && take(entry);
        }
        // Some hundred kB, of which one payload was wanted: V8 collects its whole heap for so many of them.
        if (chunk[0]) freeBuffer(chunk[0].bytes);
      }
    });
    return texts;
  }
}
