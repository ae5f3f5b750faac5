/**
 * Records that were appended together are one message: NATS writes, replicates and acknowledges them as one. A position is
 * the message's sequence and the place in it.
 *
 * Layout: of each record its length, u32le, and its bytes, sealed. The top bit of a length: what follows is JSON that names
 * the messages which a record that is too large for one lies in.
 */
import { Buffer } from 'node:buffer';
import type { Position } from '../log.ts';

/** How many records a message has at most. */
export const positionsPerMessage = 256;

export const positionOf = (sequence: number, index: number): Position => sequence * positionsPerMessage + index;
export const sequenceOf = (position: Position): number => Math.floor(position / positionsPerMessage);
export const indexOf = (position: Position): number => position % positionsPerMessage;

/** Where a large record lies: messages of the stream `large`. */
export interface LargeRecord {
  readonly id: string;
  /** Sequences of its parts, in order. */
  readonly parts: readonly number[];
  /** Of the whole, sealed. */
  readonly bytes: number;
}

export type Entry = Uint8Array | LargeRecord;

const lengthBytes = 4;
const largeBit = 0x8000_0000;

/** What a record of so many bytes takes in a message. */
export const entryBytes = (bytes: number): number => lengthBytes + bytes;

/** Writes records one after the other; each in memory that `write` is given. */
export function encodeRecords(
  lengths: readonly number[],
  write: (index: number, place: Uint8Array) => void,
): Uint8Array {
  const message = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + entryBytes(length), 0));
  let offset = 0;
  for (const [index, length] of lengths.entries()) {
    message.writeUInt32LE(length, offset);
    offset += lengthBytes;
    write(index, message.subarray(offset, offset + length));
    offset += length;
  }
  return message;
}

export function encodeLarge(large: LargeRecord): Uint8Array {
  const json = Buffer.from(JSON.stringify(large));
  const head = Buffer.alloc(lengthBytes);
  head.writeUInt32LE((json.length | largeBit) >>> 0);
  return Buffer.concat([head, json]);
}

/** Views on the message. Throws on what is no such message. */
export function decodeMessage(data: Uint8Array): Entry[] {
  const message = Buffer.from(data.buffer, data.byteOffset, data.length);
  const entries: Entry[] = [];
  for (let offset = 0; offset < message.length;) {
    const head = message.readUInt32LE(offset);
    const end = offset + lengthBytes + (head & ~largeBit);
    if (end > message.length || entries.length >= positionsPerMessage)
      throw new Error('a message of the log is damaged');
    const bytes = message.subarray(offset + lengthBytes, end);
    entries.push(head >= largeBit ? readLarge(bytes) : bytes);
    offset = end;
  }
  return entries;
}

function readLarge(bytes: Buffer): LargeRecord {
  const large = JSON.parse(String(bytes)) as LargeRecord;
  const isSound =
    /^\w{1,64}$/.test(large.id) &&
    Array.isArray(large.parts) &&
    large.parts.every((part) => Number.isSafeInteger(part));
  if (!isSound) throw new Error('a message of the log is damaged');
  return large;
}

/** In memory of its own: it is handed to a thread. */
export const copyOf = (bytes: Uint8Array): Uint8Array => Uint8Array.prototype.slice.call(bytes);
