/**
 * A protobuf message becomes the object that its JSON form would be: names in camel case, ids in hex, other bytes in
 * base64. The library's own decoder knows no bounds but its input's; this one reads with the same reader and stops at a
 * depth and at a number of messages, so that both forms go on as one.
 */
import protobuf from 'protobufjs/minimal.js';
import type { FieldPlan, MessagePlan } from './schema.ts';
import { OtlpError } from './signals.ts';

type JsonObject = Record<string, unknown>;

/** Messages in one record: 10,000 attributes are 20,000. */
const maxMessages = 100_000;
/** A value within a value is two or three messages down. What lies deeper is left out. */
const maxDepth = 48;

const idNames = new Set(['traceId', 'spanId', 'parentSpanId']);

/** Throws `OtlpError` where the bytes from `start` to before `end` are no such message, or one of more parts than anybody needs. */
export function decodeMessage(bytes: Uint8Array, plan: MessagePlan, start = 0, end = bytes.length): JsonObject {
  const reader = protobuf.Reader.create(bytes);
  reader.pos = start;
  reader.len = end;
  const decoder = new Decoder(reader);
  try {
    return decoder.read(end, plan, 0);
  } catch (error) {
    if (error instanceof OtlpError) throw error;
    throw new OtlpError(`a record is damaged at byte ${reader.pos - start}`, { cause: error });
  }
}

class Decoder {
  readonly #reader: protobuf.Reader;
  #messages = 0;

  constructor(reader: protobuf.Reader) {
    this.#reader = reader;
  }

  read(end: number, plan: MessagePlan, depth: number): JsonObject {
    if (++this.#messages > maxMessages) throw new OtlpError(`a record has more than ${maxMessages} parts`);
    const reader = this.#reader;
    const object: JsonObject = {};
    while (reader.pos < end) {
      const tag = reader.tag();
      const field = plan.get(tag >>> 3);
      // A definition newer than ours.
      if (field) this.#readField(object, field, tag & 7, end, depth);
      else reader.skipType(tag & 7, 0, tag >>> 3);
    }
    if (reader.pos > end) throw new OtlpError('a part of a record is longer than the record');
    return object;
  }

  #readField(object: JsonObject, field: FieldPlan, wireType: number, end: number, depth: number): void {
    const reader = this.#reader;
    if (field.message) {
      if (wireType !== 2) throw wrongType(field);
      const stop = this.#endOf(end);
      if (depth === maxDepth) reader.pos = stop;
      else put(object, field, this.read(stop, field.message, depth + 1));
      return;
    }
    if (field.repeated && wireType === 2 && wireTypeOf(field.scalar) !== 2) {
      const stop = this.#endOf(end);
      while (reader.pos < stop) put(object, field, readScalar(reader, field));
      return;
    }
    if (wireType !== wireTypeOf(field.scalar)) throw wrongType(field);
    put(object, field, readScalar(reader, field));
  }

  #endOf(end: number): number {
    const reader = this.#reader;
    const length = reader.size();
    if (length > end - reader.pos) throw new OtlpError('a part of a record is longer than the record');
    return reader.pos + length;
  }
}

function readScalar(reader: protobuf.Reader, { scalar, name }: FieldPlan): unknown {
  switch (scalar) {
    case 'string':
      return name === 'key' ? readName(reader) : reader.string();
    case 'bytes':
      return bytesText(reader.bytes(), idNames.has(name) ? 'hex' : 'base64');
    case 'bool':
      return reader.bool();
    case 'double':
      return reader.double();
    case 'fixed32':
      return reader.fixed32();
    case 'fixed64':
      return readFixed64(reader);
    case 'sfixed64':
      return whole(reader.sfixed64());
    case 'int64':
      return whole(reader.int64());
    case 'uint64':
      return whole(reader.uint64());
    case 'sint32':
      return reader.sint32();
    case 'uint32':
      return reader.uint32();
    default:
      return reader.int32();
  }
}

function bytesText(bytes: Uint8Array, encoding: 'hex' | 'base64'): string {
  return (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString(encoding);
}

/** Names of attributes, which are the same in every span: to compare their bytes takes less than to make them texts again. */
const names: { readonly bytes: Uint8Array; readonly text: string }[] = [];
const namePlaces = 512;
const longestName = 64;

function readName(reader: protobuf.Reader): string {
  const begin = reader.pos;
  const length = reader.size();
  const { buf, pos } = reader;
  if (length === 0 || length > longestName || pos + length > reader.len) {
    reader.pos = begin;
    return reader.string();
  }
  const last = pos + length - 1;
  const mixed = (length * 31 + (buf[last] ?? 0)) * 31 + (buf[pos + (length >> 1)] ?? 0);
  const place = (mixed * 31 + (buf[Math.max(pos, last - 3)] ?? 0)) & (namePlaces - 1);
  const known = names[place];
  if (known && isSame(known.bytes, buf, pos, length)) {
    reader.pos = pos + length;
    return known.text;
  }
  reader.pos = begin;
  const text = reader.string();
  names[place] = { bytes: buf.slice(pos, pos + length), text };
  return text;
}

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let index = 0; index < length; index++) if (known[index] !== bytes[start + index]) return false;
  return true;
}

function put(object: JsonObject, { name, repeated }: FieldPlan, value: unknown): void {
  if (!repeated) object[name] = value;
  else if (name in object) (object[name] as unknown[]).push(value);
  else object[name] = [value];
}

/** Without an object for each: they are the times of spans. */
function readFixed64(reader: protobuf.Reader): number | string {
  // It says what is wrong.
  if (reader.pos + 8 > reader.len) return whole(reader.fixed64());
  const low = reader.fixed32();
  return wholeOf(reader.fixed32(), low);
}

/** 64 bits do not always fit a number; as in JSON they are text then. */
function whole(value: number | { low: number; high: number; unsigned: boolean }): number | string {
  if (typeof value === 'number') return value;
  return wholeOf(value.unsigned ? value.high >>> 0 : value.high, value.low >>> 0);
}

function wholeOf(high: number, low: number): number | string {
  const number = high * 0x1_0000_0000 + low;
  return Number.isSafeInteger(number) ? number : wholeText(high, low);
}

const lastDigits = 10;
const ofLastDigits = 10 ** lastDigits;
/** What the upper half alone comes to, in two parts; times of one batch share it. */
let upper = { high: 0, first: 0, last: 0 };

function wholeText(high: number, low: number): string {
  if (high < 0) return String((BigInt(high) << 32n) | BigInt(low));
  if (upper.high !== high) {
    const alone = BigInt(high) << 32n;
    const divisor = BigInt(ofLastDigits);
    upper = { high, first: Number(alone / divisor), last: Number(alone % divisor) };
  }
  const last = upper.last + low;
  const carry = last >= ofLastDigits ? 1 : 0;
  return `${upper.first + carry}${String(last - carry * ofLastDigits).padStart(lastDigits, '0')}`;
}

function wireTypeOf(scalar: string): number {
  switch (scalar) {
    case 'string':
    case 'bytes':
      return 2;
    case 'double':
    case 'fixed64':
    case 'sfixed64':
      return 1;
    case 'fixed32':
    case 'sfixed32':
    case 'float':
      return 5;
    default:
      return 0;
  }
}

const wrongType = ({ name }: FieldPlan): OtlpError =>
  new OtlpError(`the field ${name} of a record has the wrong wire type`);
