/** Tables of texts, read a block at a time. A block: the length of each text in bytes, then the texts. */
import { BlockReader, BlockWriter, ByteSink, NumberList } from './bytes.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface TableShape {
  readonly perBlock: number;
  /** Longer texts are cut. */
  readonly longest: number;
}

export const namesShape: TableShape = { perBlock: 32, longest: 1024 };
export const sourcesShape: TableShape = { perBlock: 8, longest: 4096 };

export class TableWriter {
  readonly sink = new ByteSink();
  /** Where each block begins, in bytes from the first. */
  readonly offsets = new NumberList();
  readonly #shape: TableShape;
  readonly #lengths = new BlockWriter();
  readonly #texts = new BlockWriter();
  count = 0;

  constructor(shape: TableShape) {
    this.#shape = shape;
  }

  /** Gives the number of the text. */
  add(utf8: Uint8Array): number {
    const text = utf8.length > this.#shape.longest ? cut(utf8, this.#shape.longest) : utf8;
    this.#lengths.unsigned(text.length);
    this.#texts.bytes(text);
    if (++this.count % this.#shape.perBlock === 0) this.#flush();
    return this.count - 1;
  }

  #flush(): void {
    this.offsets.push(this.sink.length);
    this.sink.add(this.#lengths.take());
    this.sink.add(this.#texts.take());
  }

  end(): void {
    if (this.#lengths.length > 0) this.#flush();
  }
}

/** At most `longest` bytes, without half a character at the end. */
function cut(utf8: Uint8Array, longest: number): Uint8Array {
  let end = longest;
  while (end > 0 && ((utf8[end] ?? 0) & 0xc0) === 0x80) end--;
  return utf8.subarray(0, end);
}

/** PostgreSQL takes no NUL, whoever wrote it into a name. */
export const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

export function readTableBlock(bytes: Uint8Array, count: number): string[] {
  const reader = new BlockReader(bytes);
  const lengths = Array.from({ length: count }, () => reader.unsigned());
  const bytesOfTexts = reader.bytes(lengths.reduce((sum, length) => sum + length, 0));
  const whole = decoder.decode(bytesOfTexts);
  // Of ASCII alone a byte is a character; most blocks are.
  const isAscii = whole.length === bytesOfTexts.length;
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return withoutNul(isAscii ? whole.slice(at - length, at) : decoder.decode(bytesOfTexts.subarray(at - length, at)));
  });
}
