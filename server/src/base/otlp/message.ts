/**
 * A protobuf message becomes the object that its JSON form would be: names in camel case, ids in hex, other bytes in
 * base64. The library's own decoder knows no bounds but its input's; this one reads with the same reader and stops at a
 * depth and at a number of messages, so that both forms go on as one.
 */
import protobuf from 'protobufjs/minimal.js';
import { otlp as texts } from '../texts/ingest.ts';
import type { FieldPlan, MessagePlan } from './schema.ts';
import { OtlpError } from './signals.ts';

type JsonObject = Record<string, unknown>;

/** Messages in one record: 10,000 attributes are 20,000. */
const maxMessages = 100_000;
/** A value within a value is two or three messages down. What lies deeper is left out. */
const maxDepth = 48;

const idNames = new Set(['traceId', 'spanId', 'parentSpanId']);

/** A time of 64 bits that nobody may need as text. */
export class Nanos {
  readonly #high: number;
  readonly #low: number;

  constructor(high: number, low: number) {
    this.#high = high;
    this.#low = low;
  }

  /** Whole µs. */
  get micros(): number {
    // 2^32 is 4,294,967 thousands and 296.
    const micros = this.#high * 4_294_967 + Math.floor((this.#high * 296 + this.#low) / 1000);
    return Number.isSafeInteger(micros) ? micros : Number(this.toString().slice(0, -3));
  }

  toString(): string {
    return wholeText(this.#high, this.#low);
  }
}

/**
 * Throws `OtlpError` where the bytes from `start` to before `end` are no such message, or one of more parts than anybody
 * needs. `asNanos`: 64 bits that no number holds are `Nanos`, not text.
 */
export function decodeMessage(
  bytes: Uint8Array,
  plan: MessagePlan,
  start = 0,
  end = bytes.length,
  asNanos = false,
): JsonObject {
  const reader = protobuf.Reader.create(bytes);
  reader.pos = start;
  reader.len = end;
  const decoder = new Decoder(reader, asNanos);
  try {
    return decoder.read(end, plan, 0);
  } catch (error) {
    if (error instanceof OtlpError) throw error;
    throw new OtlpError(texts.damaged(reader.pos - start), { cause: error });
  }
}

/** Of the key and the value of an attribute, and of a text and a whole number as a value. */
const [keyTag, valueTag, textTag, wholeTag] = [0x0a, 0x12, 0x0a, 0x18];

class Decoder {
  readonly #reader: protobuf.Reader;
  readonly #asNanos: boolean;
  #messages = 0;

  constructor(reader: protobuf.Reader, asNanos: boolean) {
    this.#reader = reader;
    this.#asNanos = asNanos;
  }

  read(end: number, plan: MessagePlan, depth: number): JsonObject {
    this.#count(1);
    const reader = this.#reader;
    const object: JsonObject = {};
    while (reader.pos < end) {
      const tag = reader.tag();
      const field = plan.fields[tag >>> 3];
      // A definition newer than ours.
      if (field) this.#readField(object, field, tag & 7, end, depth);
      else reader.skipType(tag & 7, 0, tag >>> 3);
    }
    if (reader.pos > end) throw new OtlpError(texts.partTooLong);
    return object;
  }

  #count(messages: number): void {
    this.#messages += messages;
    if (this.#messages > maxMessages) throw new OtlpError(texts.tooManyParts(maxMessages));
  }

  #readField(object: JsonObject, field: FieldPlan, wireType: number, end: number, depth: number): void {
    const reader = this.#reader;
    if (field.message) {
      if (wireType !== 2) throw wrongType(field);
      const stop = this.#endOf(end);
      if (depth === maxDepth) reader.pos = stop;
      else put(object, field, this.#readUsual(stop, field.message) ?? this.read(stop, field.message, depth + 1));
      return;
    }
    if (field.repeated && wireType === 2 && field.wireType !== 2) {
      const stop = this.#endOf(end);
      while (reader.pos < stop) put(object, field, readScalar(reader, field));
      return;
    }
    if (wireType !== field.wireType) throw wrongType(field);
    const isTime = this.#asNanos && field.scalar === 'fixed64' && reader.pos + 8 <= reader.len;
    put(object, field, isTime ? readNanos(reader) : readScalar(reader, field));
  }

  /** An attribute whose value is a text or a whole number, as nearly all are; undefined for all else. */
  #readUsual(end: number, { isAttribute }: MessagePlan): JsonObject | undefined {
    if (!isAttribute) return undefined;
    const reader = this.#reader;
    const { buf, pos: begin } = reader;
    if (buf[begin] === keyTag) {
      reader.pos = begin + 1;
      const length = buf[reader.pos] ?? 0;
      const at = reader.pos + 1 + length;
      const size = buf[at + 1] ?? 0;
      // Lengths of one byte, and nothing after the value.
      if (length < 128 && size < 128 && buf[at] === valueTag && at + 2 + size === end) {
        const key = readName(reader);
        reader.pos = at + 3;
        const tag = buf[at + 2];
        if (tag === textTag && (buf[at + 3] ?? 0) + 2 === size) {
          this.#count(2);
          return { key, value: { stringValue: readKnown(reader, values) } };
        }
        if (tag === wholeTag) {
          const intValue = whole(reader.int64());
          if (reader.pos === end) {
            this.#count(2);
            return { key, value: { intValue } };
          }
        }
      }
    }
    reader.pos = begin;
    return undefined;
  }

  #endOf(end: number): number {
    const reader = this.#reader;
    const length = reader.size();
    if (length > end - reader.pos) throw new OtlpError(texts.partTooLong);
    return reader.pos + length;
  }
}

function readScalar(reader: protobuf.Reader, { scalar, name }: FieldPlan): unknown {
  switch (scalar) {
    case 'string':
      return name === 'key' ? readName(reader) : reader.string();
    case 'bytes':
      return idNames.has(name) ? readId(reader, name) : bytesText(reader.bytes(), 'base64');
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

/** What each id was last: spans beside each other have a trace and a parent in common. */
const lastIds: Record<string, { readonly bytes: Uint8Array; readonly text: string } | undefined> = {};

function readId(reader: protobuf.Reader, name: string): string {
  const begin = reader.pos;
  const length = reader.size();
  const { buf, pos } = reader;
  const last = lastIds[name];
  if (last && pos + length <= reader.len && isSame(last.bytes, buf, pos, length)) {
    reader.pos = pos + length;
    return last.text;
  }
  reader.pos = begin;
  const bytes = reader.bytes();
  const text = bytesText(bytes, 'hex');
  if (length <= longestId) lastIds[name] = { bytes: copyOf(buf, pos, pos + length), text };
  return text;
}

const longestId = 16;

/** Memory of its own: what is read lies in memory that others get. */
const copyOf = (bytes: Uint8Array, start: number, end: number): Uint8Array =>
  Uint8Array.prototype.slice.call(bytes, start, end);

interface Known {
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Texts that come again and again: to compare their bytes takes less than to make them texts again. */
const names: Known[] = [];
const values: Known[] = [];
const knownPlaces = 512;
const longestKnown = 64;

/** Of an attribute; they are the same in every span. */
const readName = (reader: protobuf.Reader): string => readKnown(reader, names);

function readKnown(reader: protobuf.Reader, texts: Known[]): string {
  const begin = reader.pos;
  const length = reader.size();
  const { buf, pos } = reader;
  if (length === 0 || length > longestKnown || pos + length > reader.len) {
    reader.pos = begin;
    return reader.string();
  }
  const last = pos + length - 1;
  const mixed = (length * 31 + (buf[last] ?? 0)) * 31 + (buf[pos + (length >> 1)] ?? 0);
  const place = (mixed * 31 + (buf[Math.max(pos, last - 3)] ?? 0)) & (knownPlaces - 1);
  const known = texts[place];
  if (known && isSame(known.bytes, buf, pos, length)) {
    reader.pos = pos + length;
    return known.text;
  }
  reader.pos = begin;
  const text = reader.string();
  texts[place] = { bytes: copyOf(buf, pos, pos + length), text };
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

function readNanos(reader: protobuf.Reader): number | Nanos {
  const low = reader.fixed32();
  const high = reader.fixed32();
  return Number.isSafeInteger(high * 0x1_0000_0000 + low) ? (wholeOf(high, low) as number) : new Nanos(high, low);
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

const wrongType = ({ name }: FieldPlan): OtlpError => new OtlpError(texts.wireType(name));
