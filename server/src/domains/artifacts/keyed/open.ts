/** Reads keyed files: the index once, then a block for each key. */
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { BlockReader } from '../lookup/bytes.ts';
import type { ReadRange } from '../lookup/open.ts';
import type { Held, Pool } from '../lookup/pool.ts';
import { keyedHeaderBytes, keyedMagic, keyedVersion } from './write.ts';

const inflate = promisify(inflateRaw);
const firstRead = 64 * 1024;
const maxIndexBytes = 64 * 1024 * 1024;
/** A block says how long it becomes; no writer makes longer ones. */
const maxBlockBytes = 256 * 1024 * 1024;

interface Block {
  readonly start: number;
  readonly bytes: number;
  readonly inflated: number;
  readonly firstKey: Buffer;
}

export interface Neighbours {
  /** The last key that is not above the one that is asked for. */
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

interface HeldBlock extends Held {
  readonly raw: Buffer;
}

/** Throws when the file is no keyed file of this version, or is damaged. */
export async function openKeyed(read: ReadRange, pool: Pool): Promise<KeyedFile> {
  const first = await read(0, firstRead);
  const view = new DataView(first.buffer, first.byteOffset, first.byteLength);
  if (first.length < keyedHeaderBytes || view.getUint32(0, true) !== keyedMagic)
    throw new Error('this is no keyed file');
  if (view.getUint32(4, true) !== keyedVersion) throw new Error('the keyed file has another version');
  const indexBytes = view.getUint32(8, true);
  if (indexBytes > maxIndexBytes) throw new Error('the keyed file is damaged: its index is too large');
  const end = keyedHeaderBytes + indexBytes;
  const index =
    end <= first.length ? first.subarray(keyedHeaderBytes, end) : await exactly(read, keyedHeaderBytes, indexBytes);
  return new KeyedFile(readIndex(index, end), indexBytes, read, pool);
}

async function exactly(read: ReadRange, start: number, length: number): Promise<Uint8Array> {
  const bytes = await read(start, length);
  if (bytes.length < length) throw new Error('the keyed file is truncated');
  return bytes;
}

function readIndex(bytes: Uint8Array, from: number): Block[] {
  const reader = new BlockReader(bytes);
  const count = reader.unsigned();
  if (count > bytes.length) throw new Error('the keyed file is damaged: too many blocks');
  let start = from;
  return Array.from({ length: count }, () => {
    const [length, inflated] = [reader.unsigned(), reader.unsigned()];
    if (inflated > maxBlockBytes) throw new Error('the keyed file is damaged: a block is too large');
    const block = { start, bytes: length, inflated, firstKey: Buffer.from(reader.bytes(reader.unsigned())) };
    start += length;
    return block;
  });
}

export class KeyedFile {
  readonly #blocks: readonly Block[];
  readonly #read: ReadRange;
  readonly #pool: Pool;
  readonly #held = new Map<number, HeldBlock>();
  readonly #loading = new Map<number, Promise<Buffer>>();
  readonly weightBytes: number;

  constructor(blocks: readonly Block[], indexBytes: number, read: ReadRange, pool: Pool) {
    this.#blocks = blocks;
    this.#read = read;
    this.#pool = pool;
    this.weightBytes = 1000 + indexBytes + blocks.length * 200;
  }

  /** A view of what lies under the key. */
  async get(key: Buffer): Promise<Buffer | undefined> {
    const number = this.#blockOf(key);
    if (number < 0) return undefined;
    const entry = entriesOf(await this.#load(number)).find((one) => one.key.equals(key));
    return entry?.text;
  }

  /** The keys beside this one, which need not be there. */
  async beside(key: Buffer): Promise<Neighbours> {
    const number = this.#blockOf(key);
    if (number < 0) return { before: undefined, after: this.#blocks[0]?.firstKey };
    const keys = entriesOf(await this.#load(number)).map((entry) => entry.key);
    const after = keys.findIndex((one) => Buffer.compare(one, key) > 0);
    if (after >= 0) return { before: keys[after - 1], after: keys[after] };
    return { before: keys.at(-1), after: this.#blocks[number + 1]?.firstKey };
  }

  /** The last block that does not begin above the key. */
  #blockOf(key: Buffer): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#blocks[middle]?.firstKey;
      if (first && Buffer.compare(first, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  async #load(number: number): Promise<Buffer> {
    const held = this.#held.get(number);
    if (held) {
      this.#pool.touch(held);
      return held.raw;
    }
    const running = this.#loading.get(number);
    if (running) return running;
    const loading = this.#inflate(number).finally(() => this.#loading.delete(number));
    this.#loading.set(number, loading);
    return loading;
  }

  async #inflate(number: number): Promise<Buffer> {
    const block = this.#blocks[number];
    if (!block) throw new Error('the keyed file has no such block');
    const bytes = await exactly(this.#read, block.start, block.bytes);
    const raw = await inflate(bytes, { maxOutputLength: Math.max(1, block.inflated) });
    const held: HeldBlock = { raw, weightBytes: raw.length + 200, drop: () => void this.#held.delete(number) };
    this.#held.set(number, held);
    this.#pool.add(held);
    return raw;
  }

  drop(): void {
    for (const block of this.#held.values()) this.#pool.remove(block);
  }
}

function entriesOf(raw: Buffer): { readonly key: Buffer; readonly text: Buffer }[] {
  const reader = new BlockReader(raw);
  const entries: { key: Buffer; text: Buffer }[] = [];
  for (let at = 0; at < raw.length;) {
    const key = reader.bytes(reader.unsigned()) as Buffer;
    const text = reader.bytes(reader.unsigned()) as Buffer;
    entries.push({ key, text });
    at = text.byteOffset - raw.byteOffset + text.length;
  }
  return entries;
}
