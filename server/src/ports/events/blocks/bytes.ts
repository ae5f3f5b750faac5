/** Bytes that grow at their end, little-endian as the engine reads them. */
import { giveBack, takeBuffer, worthKeepingBytes } from '../../../base/spare-buffers.ts';

const firstBytes = 4 * 1024;
const none: Buffer = Buffer.alloc(0);
const twoTo32 = 4_294_967_296;

export class Bytes {
  #buffer = none;
  #view = new DataView(none.buffer, none.byteOffset, 0);
  #end = 0;

  get length(): number {
    return this.#end;
  }

  /** Until the next byte is added. */
  view(start = 0, end = this.#end): Buffer {
    return this.#buffer.subarray(start, end);
  }

  byte(value: number): void {
    this.#room(1);
    this.#buffer[this.#end++] = value;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.#end, value, true);
    this.#end += 4;
  }

  /** A whole number, negative ones in two's complement; 0 for what is not finite. */
  int64(value: number): void {
    this.#room(8);
    const high = Math.floor(value / twoTo32);
    this.#view.setUint32(this.#end, value - high * twoTo32, true);
    this.#view.setInt32(this.#end + 4, high, true);
    this.#end += 8;
  }

  uint64(value: bigint): void {
    this.#room(8);
    this.#view.setBigUint64(this.#end, value, true);
    this.#end += 8;
  }

  float64(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#end, value, true);
    this.#end += 8;
  }

  varint(value: number): void {
    this.#room(5);
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#buffer[this.#end++] = (rest & 127) | 128;
    this.#buffer[this.#end++] = rest;
  }

  /** UTF-8 with its length before it; lone surrogates become U+FFFD. */
  text(text: string): void {
    const most = text.length * 3;
    const places = most < 128 ? 1 : most < 16_384 ? 2 : most < 2_097_152 ? 3 : 5;
    this.#room(most + places);
    const start = this.#end + places;
    let length = text.length === 0 ? 0 : this.#buffer.write(text, start);
    const end = start + length;
    // In as many places as the longest would take: the length is known only once the text stands there.
    for (let place = 1; place < places; place++, length >>>= 7) this.#buffer[this.#end++] = (length & 127) | 128;
    this.#buffer[this.#end] = length;
    this.#end = end;
  }

  /** So much will be added: in memory that served before, if there is some. */
  expect(bytes: number): void {
    if (bytes > this.#buffer.length) this.#grow(takeBuffer(bytes));
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** What was added there, once more. */
  repeat(start: number, end: number): void {
    this.#room(end - start);
    this.#buffer.copyWithin(this.#end, start, end);
    this.#end += end - start;
  }

  /** Its memory serves whatever is added next. */
  clear(): void {
    this.#end = 0;
  }

  /** Its memory goes to whoever needs some. */
  release(): void {
    giveBack(this.#buffer);
    this.#buffer = none;
    this.#end = 0;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const least = Math.max(this.#end + bytes, this.#buffer.length * 2, firstBytes);
    // A spare one is far too large for a column of a few numbers.
    this.#grow(least < worthKeepingBytes ? Buffer.allocUnsafeSlow(least) : takeBuffer(least));
  }

  #grow(larger: Buffer): void {
    this.#buffer.copy(larger, 0, 0, this.#end);
    giveBack(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
  }
}
