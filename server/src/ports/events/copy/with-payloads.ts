/** Puts the payloads of errors that lie in segments into their rows, on the way to a store that has them there. */
import type { Payloads, Place } from '../../payloads/payloads.ts';

/** In this order they stand first in what is read. */
export const placeColumns = ['payload_segment', 'payload_ordinal', 'payload'] as const;

/** What a row has whose payload was just erased: it is deleted in a moment. */
const erased = '{}';

/**
 * `block` is one block whose first columns are `placeColumns`; resolves to the same with the payloads, and without
 * places. Undefined where it has another number of rows than it should: they came in several blocks, or some are gone.
 */
export async function fillPayloads(
  block: Buffer,
  rows: number,
  payloads: Payloads,
): Promise<readonly Uint8Array[] | undefined> {
  // No rows, no block.
  if (block.length === 0) return undefined;
  const reader = new Reader(block);
  const columns = reader.varint();
  if (reader.varint() !== rows) return undefined;
  reader.column('payload_segment', 'UInt64');
  const segments = Array.from({ length: rows }, () => Number(reader.uint64()));
  reader.column('payload_ordinal', 'UInt32');
  const ordinals = Array.from({ length: rows }, () => reader.uint32());
  reader.column('payload', 'String');
  const texts = Array.from({ length: rows }, () => reader.bytes());
  const rest = block.subarray(reader.at);

  const elsewhere = segments.flatMap((segment, index) => (segment !== 0 && texts[index]?.length === 0 ? [index] : []));
  const places = elsewhere.map((index): Place => ({ segment: segments[index] ?? 0, ordinal: ordinals[index] ?? 0 }));
  const found = await payloads.read(places);
  for (const [at, index] of elsewhere.entries()) texts[index] = Buffer.from(found[at] ?? erased);
  const head = [varint(columns), varint(rows)];
  const filled = [
    text('payload_segment'),
    text('UInt64'),
    Buffer.alloc(8 * rows),
    text('payload_ordinal'),
    text('UInt32'),
    Buffer.alloc(4 * rows),
    text('payload'),
    text('String'),
    ...texts.flatMap((bytes) => [varint(bytes.length), bytes]),
  ];
  return [...head, ...filled, rest];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  bytes.push(left);
  return Buffer.from(bytes);
}

const text = (value: string): Buffer => Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);

class Reader {
  readonly #block: Buffer;
  at = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  varint(): number {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.#block.readUInt8(this.at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  bytes(): Buffer {
    const length = this.varint();
    this.at += length;
    return this.#block.subarray(this.at - length, this.at);
  }

  uint64(): bigint {
    this.at += 8;
    return this.#block.readBigUInt64LE(this.at - 8);
  }

  uint32(): number {
    this.at += 4;
    return this.#block.readUInt32LE(this.at - 4);
  }

  column(name: string, type: string): void {
    const [isName, isType] = [this.bytes().toString('utf8'), this.bytes().toString('utf8')];
    if (isName !== name || isType !== type) throw new TypeError(`a block has ${isName} ${isType}, not ${name} ${type}`);
  }
}
