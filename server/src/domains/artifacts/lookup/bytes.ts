/** Growing byte sequences and the numbers in them. Small numbers are stored as LEB128: seven bits a byte, the low ones first. */

const pieceBytes = 1 << 20;

/** Bytes that are only ever added to; kept in pieces, so that growing copies nothing. */
export class ByteSink {
  readonly pieces: Uint8Array[] = [];
  length = 0;
  #piece = new Uint8Array(0);
  #used = 0;

  add(bytes: Uint8Array): void {
    this.length += bytes.length;
    for (let at = 0; at < bytes.length;) {
      if (this.#used === this.#piece.length) {
        this.#piece = new Uint8Array(Math.min(pieceBytes, Math.max(4096, this.length)));
        this.pieces.push(this.#piece);
        this.#used = 0;
      }
      const taken = bytes.subarray(at, at + this.#piece.length - this.#used);
      this.#piece.set(taken, this.#used);
      this.#used += taken.length;
      at += taken.length;
    }
  }

  /** What was added, piece by piece. */
  *read(): Generator<Uint8Array> {
    const last = this.pieces.length - 1;
    for (const [index, piece] of this.pieces.entries()) yield index === last ? piece.subarray(0, this.#used) : piece;
  }
}

/** A reusable buffer for one block. */
export class BlockWriter {
  #bytes = new Uint8Array(1 << 16);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  /** A whole number from 0 to 2^32 − 1. */
  unsigned(value: number): void {
    this.#reserve(5);
    let left = value;
    while (left > 127) {
      this.#bytes[this.#used++] = (left & 127) | 128;
      left >>>= 7;
    }
    this.#bytes[this.#used++] = left;
  }

  /** A difference of two numbers below 2^31. */
  signed(value: number): void {
    this.unsigned(((value << 1) ^ (value >> 31)) >>> 0);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#used);
    this.#used += value.length;
  }

  /** A view that is valid until the next write; the writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }
}

/** Reads what BlockWriter wrote; throws at the end of the bytes. */
export class BlockReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  unsigned(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Error('the lookup file is damaged: truncated number');
  }

  signed(): number {
    const value = this.unsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  bytes(count: number): Uint8Array {
    if (this.#at + count > this.#bytes.length) throw new Error('the lookup file is damaged: truncated text');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

/** Numbers below 2^32 that are only ever added to. */
export class NumberList {
  #values = new Uint32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** Keeps the memory for what is added next. */
  clear(): void {
    this.length = 0;
  }

  /** A view that is valid until the next push. */
  view(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}
