/** Blocks read back, see `encode.ts`: what the store refuses is kept as what it was. */
import { columnsOf, type Kind, type TableRows } from '../../../base/tables/index.ts';

/** Times are ms or µs since the epoch again; a column that was left out is left out. */
export function decodeRows<T extends keyof TableRows>(table: T, bytes: Uint8Array): TableRows[T][] {
  const reader = new Reader(bytes);
  const kinds = new Map(columnsOf(table).map(({ name, kind }) => [name, kind]));
  const columns = reader.varint();
  const rows = Array.from({ length: reader.varint() }, (): Record<string, unknown> => ({}));
  for (let column = 0; column < columns; column++) {
    const name = reader.text();
    const type = parseType(reader.text());
    readPrefix(reader, type);
    const values = readValues(reader, type, rows.length);
    const convert = fromBlock[kinds.get(name) ?? 'text'];
    for (const [index, row] of rows.entries()) row[name] = convert ? convert(values[index]) : values[index];
  }
  return rows as TableRows[T][];
}

/** Of kinds whose values in a row are not what the block gives. */
const fromBlock: Readonly<Partial<Record<Kind, (value: unknown) => unknown>>> = {
  number: Number,
  signed: Number,
  hash: String,
  millis: Number,
  micros: Number,
};

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  varint(): number {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const length = this.varint();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  /** The next one of so many bytes. */
  next<Value>(bytes: number, read: (buffer: Buffer, at: number) => Value): Value {
    this.#at += bytes;
    return read(this.#bytes, this.#at - bytes);
  }

  int64(): number {
    return Number(this.next(8, (buffer, at) => buffer.readBigInt64LE(at)));
  }
}

interface Type {
  readonly name: string;
  readonly of: readonly Type[];
}

/** As `Map(LowCardinality(String), Float64)`. */
function parseType(text: string): Type {
  const [, name = '', inner] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? [];
  if (inner === undefined || name === 'DateTime64') return { name, of: [] };
  // Of a map, whose first one has no comma of its own.
  return { name, of: (name === 'Map' ? inner.split(/, (.*)/, 2) : [inner]).map(parseType) };
}

function readPrefix(reader: Reader, { name, of }: Type): void {
  if (name === 'LowCardinality') reader.int64();
  else for (const type of of) readPrefix(reader, type);
}

const fixed: Readonly<Record<string, (reader: Reader) => unknown>> = {
  String: (reader) => reader.text(),
  UInt8: (reader) => reader.next(1, (buffer, at) => buffer.readUInt8(at)),
  UInt32: (reader) => reader.next(4, (buffer, at) => buffer.readUInt32LE(at)),
  UInt64: (reader) => reader.next(8, (buffer, at) => buffer.readBigUInt64LE(at)),
  Int64: (reader) => reader.next(8, (buffer, at) => buffer.readBigInt64LE(at)),
  Float64: (reader) => reader.next(8, (buffer, at) => buffer.readDoubleLE(at)),
  DateTime64: (reader) => reader.int64(),
};

const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

function readValues(reader: Reader, { name, of }: Type, count: number): unknown[] {
  const [first = { name: 'String', of: [] }, second = first] = of;
  switch (name) {
    case 'LowCardinality':
      return readRepeated(reader, first, count);
    case 'Nullable': {
      const nulls = times(count, () => fixed.UInt8?.(reader));
      return readValues(reader, first, count).map((value, index) => (nulls[index] === 1 ? null : value));
    }
    case 'Array': {
      const ends = times(count, () => reader.int64());
      return parts(ends, readValues(reader, first, ends.at(-1) ?? 0));
    }
    case 'Map': {
      const ends = times(count, () => reader.int64());
      const names = readValues(reader, first, ends.at(-1) ?? 0);
      const values = readValues(reader, second, names.length);
      return parts(
        ends,
        names.map((key, index) => [key, values[index]] as const),
      ).map((entries) => Object.fromEntries(entries as [string, unknown][]));
    }
    default: {
      const read = fixed[name];
      if (!read) throw new TypeError(`a block has a column of type ${name}`);
      return times(count, () => read(reader));
    }
  }
}

/** Keys, then which of them each value is, in numbers as wide as it takes. */
function readRepeated(reader: Reader, type: Type, count: number): unknown[] {
  if (count === 0) return [];
  const width = [1, 2, 4][reader.int64() & 0xff] ?? 4;
  const keys = readValues(reader, type, reader.int64());
  return times(reader.int64(), () => keys[reader.next(width, (buffer, at) => buffer.readUIntLE(at, width))]);
}

const parts = (ends: readonly number[], values: readonly unknown[]): unknown[][] =>
  ends.map((end, index) => values.slice(ends[index - 1] ?? 0, end));
