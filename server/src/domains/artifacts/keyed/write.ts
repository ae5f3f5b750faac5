/**
 * The keyed file: texts by key, so that one costs a small read. A class of a mapping lies under its obfuscated name, a
 * source file under its path. Numbers of the header are 4 bytes, little-endian.
 *
 * - header: magic, version, bytes of the index, bytes of the file
 * - index: number of blocks; of each its bytes in the file, its bytes once inflated, and its first key
 * - blocks, deflated: of each text its key and its bytes, in the order of the keys' bytes
 *
 * In index and blocks, numbers are LEB128 and stand before the bytes that they count.
 */
import { deflateRawSync } from 'node:zlib';
import { BlockWriter, ByteSink } from '../lookup/bytes.ts';

/** Of the file; rises whenever it is written or must be read differently. */
export const keyedVersion = 1;
export const keyedMagic = 0x4b45_4c43;
export const keyedHeaderBytes = 16;

/** Of texts before compression; a longer text has a block of its own. */
const blockBytes = 32 * 1024;
const level = 3;
const maxBytes = 2 ** 32 - 1;

export interface KeyedText {
  readonly key: Uint8Array;
  readonly text: Uint8Array;
}

/** Keys must rise; of two that are equal the first is kept. Undefined where the file would be too large. */
export async function buildKeyed(
  texts: Iterable<KeyedText> | AsyncIterable<KeyedText>,
): Promise<Iterable<Uint8Array> | undefined> {
  const sink = new ByteSink();
  const index = new BlockWriter();
  const block = new BlockWriter();
  let blocks = 0;
  let first: Uint8Array = new Uint8Array();
  let last: Uint8Array | undefined;

  const flush = (): void => {
    if (block.length === 0) return;
    const raw = block.take();
    const bytes = deflateRawSync(raw, { level });
    index.unsigned(bytes.length);
    index.unsigned(raw.length);
    index.unsigned(first.length);
    index.bytes(first);
    sink.add(bytes);
    blocks += 1;
  };
  for await (const { key, text } of texts) {
    if (last && Buffer.compare(last, key) >= 0) continue;
    last = Uint8Array.from(key);
    if (block.length > 0 && block.length + text.length > blockBytes) flush();
    if (block.length === 0) first = last;
    block.unsigned(key.length);
    block.bytes(key);
    block.unsigned(text.length);
    block.bytes(text);
    if (sink.length > maxBytes / 2) return undefined;
  }
  flush();
  const count = new BlockWriter();
  count.unsigned(blocks);
  const [head, entries] = [count.take(), index.take()];
  const header = new Uint8Array(keyedHeaderBytes);
  const view = new DataView(header.buffer);
  const indexBytes = head.length + entries.length;
  const numbers = [keyedMagic, keyedVersion, indexBytes, keyedHeaderBytes + indexBytes + sink.length];
  for (const [at, number] of numbers.entries()) view.setUint32(at * 4, number, true);
  return piecesOf([header, head, entries], sink);
}

function* piecesOf(heads: readonly Uint8Array[], sink: ByteSink): Generator<Uint8Array> {
  yield* heads;
  yield* sink.read();
}
