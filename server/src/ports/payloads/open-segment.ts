/** Reads one segment, packed or not. */
import type { FileHandle } from 'node:fs/promises';
import { freeBuffer } from '../../base/free-buffer.ts';
import { type ChunkEntry, chunkBytes, decodeChunk, headBytes } from './chunk.ts';
import { type Entry, entryBytes, fileOf, openIfThere, readBytes, readEntry, readTail } from './segment-files.ts';

/** Most chunks, with what follows them: to read twice takes longer than to read too much. */
const likelyBytes = 64 * 1024;

export class OpenSegment implements AsyncDisposable {
  readonly #chunks: FileHandle;
  readonly #index: FileHandle;
  readonly #indexAt: number;
  /** Ordinals that it has a place for, as it is opened. */
  readonly ordinals: number;
  /** Bytes of `erased` that are not in it any more. */
  readonly erasedBytes: number;

  private constructor(
    chunks: FileHandle,
    index: FileHandle,
    { indexAt, ordinals, erasedBytes }: { indexAt: number; ordinals: number; erasedBytes: number },
  ) {
    this.#chunks = chunks;
    this.#index = index;
    this.#indexAt = indexAt;
    this.ordinals = ordinals;
    this.erasedBytes = erasedBytes;
  }

  /** Undefined where there is none. */
  static async open(dir: string, segment: number): Promise<OpenSegment | undefined> {
    // It may be packed between the two looks.
    return (
      (await OpenSegment.#packed(dir, segment)) ??
      (await OpenSegment.#written(dir, segment)) ??
      (await OpenSegment.#packed(dir, segment))
    );
  }

  static async #packed(dir: string, segment: number): Promise<OpenSegment | undefined> {
    const file = await openIfThere(fileOf(dir, segment, 'packed'));
    if (!file) return undefined;
    try {
      return new OpenSegment(file, file, await readTail(file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  static async #written(dir: string, segment: number): Promise<OpenSegment | undefined> {
    const index = await openIfThere(fileOf(dir, segment, 'index'));
    if (!index) return undefined;
    const chunks = await openIfThere(fileOf(dir, segment, 'chunks'));
    if (!chunks) {
      await index.close();
      return undefined;
    }
    const { size } = await index.stat();
    return new OpenSegment(chunks, index, { indexAt: 0, ordinals: Math.floor(size / entryBytes), erasedBytes: 0 });
  }

  /** In the order of the ordinals; undefined for what is not in it. */
  async entries(ordinals: readonly number[]): Promise<(Entry | undefined)[]> {
    const found: (Entry | undefined)[] = [];
    for (const ordinal of ordinals) {
      // One that is still written has more by now; a packed one ends with something else.
      const isWithin = ordinal < this.ordinals || this.#index !== this.#chunks;
      const bytes = isWithin ? await this.#entryBytes(ordinal, 1) : Buffer.alloc(0);
      found.push(bytes.length === entryBytes ? readEntry(bytes, 0) : undefined);
    }
    return found;
  }

  /** Of all ordinals. */
  async allEntries(): Promise<(Entry | undefined)[]> {
    const bytes = await this.#entryBytes(0, this.ordinals);
    return Array.from({ length: bytes.length / entryBytes }, (_, ordinal) => readEntry(bytes, ordinal * entryBytes));
  }

  /** Throws where it is damaged. */
  async chunk(offset: number): Promise<ChunkEntry[]> {
    let bytes = await readBytes(this.#chunks, offset, likelyBytes);
    if (bytes.length < headBytes) throw new Error('a payload segment is truncated');
    const wanted = chunkBytes(bytes);
    if (wanted > likelyBytes) {
      freeBuffer(bytes);
      bytes = await readBytes(this.#chunks, offset, wanted);
    }
    const entries = decodeChunk(bytes);
    freeBuffer(bytes);
    return entries;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.close();
    if (this.#index !== this.#chunks) await this.#index.close();
  }

  #entryBytes(first: number, count: number): Promise<Buffer> {
    return readBytes(this.#index, this.#indexAt + first * entryBytes, count * entryBytes);
  }
}
