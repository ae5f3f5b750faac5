/**
 * The columns of a block in ClickHouse's Native format, filled value by value. What the engine has to do with text rows,
 * finding where each value ends, is left out; and a text that many rows have is written once.
 */
import { isShared } from '../../../base/shared-lists.ts';
import type { Kind } from '../../../base/tables/index.ts';
import { Bytes } from './bytes.ts';

export interface Column {
  /** The engine's name of what it holds just now. */
  readonly type: string;
  add(value: never): void;
  /** No more bytes than these are its prefix and its values together. */
  readonly size: number;
  /** What stands before its values, that of what it is made of included. */
  writePrefix(out: Bytes): void;
  writeValues(out: Bytes): void;
  /** Empty again, in the same memory. */
  clear(): void;
}

/** Counts what its columns are given: about what the values are as text, whichever way they are written. */
export interface Weight {
  bytes: number;
}

/** As text, with what stands between them, about. */
const weightOfNumber = 4;

class Fixed<Value> implements Column {
  readonly type: string;
  readonly #write: (bytes: Bytes, value: Value) => void;
  readonly #weight: Weight;
  readonly #bytes = new Bytes();
  #count = 0;

  constructor(type: string, write: (bytes: Bytes, value: Value) => void, weight: Weight) {
    this.type = type;
    this.#write = write;
    this.#weight = weight;
  }

  add(value: Value): void {
    this.#write(this.#bytes, value);
    this.#count++;
    this.#weight.bytes += weightOfNumber;
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Of values. */
  get count(): number {
    return this.#count;
  }

  /** Values that were added before, once more. */
  repeat(start: number, end: number): void {
    const width = this.#bytes.length / this.#count;
    this.#bytes.repeat(start * width, end * width);
    this.#count += end - start;
    this.#weight.bytes += (end - start) * weightOfNumber;
  }

  writePrefix(): void {
    // There is none.
  }

  writeValues(out: Bytes): void {
    out.bytes(this.#bytes.view());
  }

  clear(): void {
    this.#bytes.clear();
    this.#count = 0;
  }
}

class OrNull implements Column {
  readonly type: string;
  readonly #nulls = new Bytes();
  readonly #values: Column;

  constructor(values: Column) {
    this.type = `Nullable(${values.type})`;
    this.#values = values;
  }

  get size(): number {
    return this.#nulls.length + this.#values.size;
  }

  add(value: unknown): void {
    this.#nulls.byte(value === null ? 1 : 0);
    this.#values.add((value ?? 0) as never);
  }

  writePrefix(out: Bytes): void {
    this.#values.writePrefix(out);
  }

  writeValues(out: Bytes): void {
    out.bytes(this.#nulls.view());
    this.#values.writeValues(out);
  }

  clear(): void {
    this.#nulls.clear();
    this.#values.clear();
  }
}

/** More different texts than these, and than every other one: each is written where it stands. */
const worthATableBelow = 64;
/** The engine's marks: the keys of this block follow, and replace those of the one before. */
const ownKeys = 0x600;
const keysVersion = 1;
/** Version, marks, and the numbers of keys and of values. */
const sizeOfHead = 32;

class Texts implements Column {
  readonly #weight: Weight;
  readonly #known = new Map<string, number>();
  readonly #keys = new Bytes();
  #places = new Uint32Array(64);
  #count = 0;
  #last: string | undefined;
  #lastPlace = 0;
  /** Every text where it stands, as soon as too few came before. */
  #isPlain = false;
  readonly #bytes = new Bytes();

  constructor(weight: Weight) {
    this.#weight = weight;
  }

  get type(): string {
    return this.#isPlain ? 'String' : 'LowCardinality(String)';
  }

  get size(): number {
    return this.#isPlain ? this.#bytes.length : sizeOfHead + this.#keys.length + this.#count * 2 ** this.#widthBits;
  }

  /** A place is so many times doubled a byte. */
  get #widthBits(): number {
    const { size } = this.#known;
    return size <= 0x100 ? 0 : size <= 0x10000 ? 1 : 2;
  }

  /** Of values. */
  get count(): number {
    return this.#count;
  }

  add(text: string): void {
    this.#weight.bytes += text.length + 1;
    if (this.#isPlain) {
      this.#count++;
      this.#bytes.text(text);
      return;
    }
    const different = this.#known.size;
    const place = this.#placeOf(text);
    this.#room(1);
    this.#places[this.#count++] = place;
    // Of a text that was there before, fewer are different.
    if (place === different && place >= worthATableBelow && (place + 1) * 2 > this.#count) this.#writeOut();
  }

  /** Values that were added before, once more. False where each is written by itself. */
  repeat(start: number, end: number): boolean {
    if (this.#isPlain) return false;
    this.#room(end - start);
    this.#places.copyWithin(this.#count, start, end);
    this.#count += end - start;
    return true;
  }

  #placeOf(text: string): number {
    if (text === this.#last) return this.#lastPlace;
    let place = this.#known.get(text);
    if (place === undefined) {
      place = this.#known.size;
      this.#known.set(text, place);
      this.#keys.text(text);
    }
    this.#last = text;
    this.#lastPlace = place;
    return place;
  }

  #room(places: number): void {
    if (this.#count + places <= this.#places.length) return;
    const larger = new Uint32Array(Math.max(this.#count + places, this.#places.length * 2));
    larger.set(this.#places);
    this.#places = larger;
  }

  #writeOut(): void {
    const texts = [...this.#known.keys()];
    for (let index = 0; index < this.#count; index++) this.#bytes.text(texts[this.#places[index] ?? 0] ?? '');
    this.#forget();
    this.#isPlain = true;
  }

  #forget(): void {
    this.#known.clear();
    this.#keys.clear();
    this.#last = undefined;
  }

  writePrefix(out: Bytes): void {
    if (!this.#isPlain) out.int64(keysVersion);
  }

  writeValues(out: Bytes): void {
    if (this.#isPlain) {
      out.bytes(this.#bytes.view());
      return;
    }
    if (this.#count === 0) return;
    const size = this.#known.size;
    const width = this.#widthBits;
    out.int64(ownKeys + width);
    out.int64(size);
    out.bytes(this.#keys.view());
    out.int64(this.#count);
    const places = this.#places.subarray(0, this.#count);
    const written = width === 0 ? new Uint8Array(places) : width === 1 ? new Uint16Array(places) : places;
    out.bytes(new Uint8Array(written.buffer, written.byteOffset, written.byteLength));
  }

  clear(): void {
    this.#forget();
    this.#bytes.clear();
    this.#isPlain = false;
    this.#count = 0;
  }
}

/** Lists of numbers, of which many rows have the very same. */
class NumberLists implements Column {
  readonly #ends = new Bytes();
  readonly #numbers: Fixed<number>;
  /** Where the values of a list begin. */
  readonly #known = new Map<readonly number[], number>();

  constructor(numbers: Fixed<number>) {
    this.#numbers = numbers;
  }

  get type(): string {
    return `Array(${this.#numbers.type})`;
  }

  get size(): number {
    return this.#ends.length + this.#numbers.size;
  }

  add(list: readonly number[]): void {
    const known = list.length > 0 ? this.#known.get(list) : undefined;
    if (known === undefined) {
      if (list.length > 0 && isShared(list)) this.#known.set(list, this.#numbers.count);
      for (const value of list) this.#numbers.add(value);
    } else {
      this.#numbers.repeat(known, known + list.length);
    }
    this.#ends.int64(this.#numbers.count);
  }

  writePrefix(): void {
    // Numbers have none.
  }

  writeValues(out: Bytes): void {
    out.bytes(this.#ends.view());
    this.#numbers.writeValues(out);
  }

  clear(): void {
    this.#ends.clear();
    this.#numbers.clear();
    this.#known.clear();
  }
}

/** Lists of texts, of which many rows have the very same. */
class TextLists implements Column {
  readonly #weight: Weight;
  readonly #ends = new Bytes();
  readonly #texts: Texts;
  /** Where the values of a list begin, and what they weigh. */
  readonly #known = new Map<readonly string[], { readonly start: number; readonly weight: number }>();

  constructor(weight: Weight) {
    this.#weight = weight;
    this.#texts = new Texts(weight);
  }

  get type(): string {
    return `Array(${this.#texts.type})`;
  }

  get size(): number {
    return this.#ends.length + this.#texts.size;
  }

  add(list: readonly string[]): void {
    const start = this.#texts.count;
    const known = list.length > 0 ? this.#known.get(list) : undefined;
    if (known && this.#texts.repeat(known.start, known.start + list.length)) {
      this.#weight.bytes += known.weight;
    } else {
      const before = this.#weight.bytes;
      for (const text of list) this.#texts.add(text);
      if (list.length > 0 && !known && isShared(list))
        this.#known.set(list, { start, weight: this.#weight.bytes - before });
    }
    this.#ends.int64(this.#texts.count);
  }

  writePrefix(out: Bytes): void {
    this.#texts.writePrefix(out);
  }

  writeValues(out: Bytes): void {
    out.bytes(this.#ends.view());
    this.#texts.writeValues(out);
  }

  clear(): void {
    this.#ends.clear();
    this.#texts.clear();
    this.#known.clear();
  }
}

class ByName implements Column {
  readonly #ends = new Bytes();
  readonly #names: Texts;
  readonly #values: Column;

  constructor(values: Column, weight: Weight) {
    this.#names = new Texts(weight);
    this.#values = values;
  }

  get type(): string {
    return `Map(${this.#names.type}, ${this.#values.type})`;
  }

  get size(): number {
    return this.#ends.length + this.#names.size + this.#values.size;
  }

  add(values: Readonly<Record<string, unknown>>): void {
    for (const name in values) {
      this.#names.add(name);
      this.#values.add(values[name] as never);
    }
    this.#ends.int64(this.#names.count);
  }

  writePrefix(out: Bytes): void {
    this.#names.writePrefix(out);
    this.#values.writePrefix(out);
  }

  writeValues(out: Bytes): void {
    out.bytes(this.#ends.view());
    this.#names.writeValues(out);
    this.#values.writeValues(out);
  }

  clear(): void {
    this.#ends.clear();
    this.#names.clear();
    this.#values.clear();
  }
}

/** What a DateTime64 can hold, ms since the epoch. */
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

const within = (value: number, unit: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), earliestMs * unit), latestMs * unit) : 0;

const most32 = 0xffff_ffff;
const upTo32 = (value: number): number => (value >= 0 ? Math.min(Math.trunc(value), most32) : 0);

const makers: { readonly [K in Kind]: (weight: Weight) => Column } = {
  text: (weight) => new Texts(weight),
  texts: (weight) => new TextLists(weight),
  number: (weight) => new Fixed<number>('UInt64', (bytes, value) => bytes.int64(value), weight),
  signed: (weight) => new Fixed<number>('Int64', (bytes, value) => bytes.int64(value), weight),
  numbers: (weight) =>
    new NumberLists(new Fixed<number>('UInt32', (bytes, value) => bytes.uint32(upTo32(value)), weight)),
  flag: (weight) => new Fixed<number>('UInt8', (bytes, value) => bytes.byte(value), weight),
  flags: (weight) => new NumberLists(new Fixed<number>('UInt8', (bytes, value) => bytes.byte(value), weight)),
  'flag or null': (weight) => new OrNull(new Fixed<number>('UInt8', (bytes, value) => bytes.byte(value), weight)),
  millis: (weight) => new Fixed<number>("DateTime64(3, 'UTC')", (bytes, ms) => bytes.int64(within(ms, 1)), weight),
  micros: (weight) => new Fixed<number>("DateTime64(6, 'UTC')", (bytes, us) => bytes.int64(within(us, 1_000)), weight),
  hash: (weight) => new Fixed<string>('UInt64', (bytes, value) => bytes.uint64(BigInt(value)), weight),
  'text by name': (weight) => new ByName(new Texts(weight), weight),
  'number by name': (weight) =>
    new ByName(
      new Fixed<number>('Float64', (bytes, value) => bytes.float64(Number.isFinite(value) ? value : 0), weight),
      weight,
    ),
};

export const createColumn = (kind: Kind, weight: Weight): Column => makers[kind](weight);
