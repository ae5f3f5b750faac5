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

/** Throws `OtlpError` where the bytes are no such message, or one of more parts than anybody needs. */
export function decodeMessage(bytes: Uint8Array, plan: MessagePlan): JsonObject {
  const reader = protobuf.Reader.create(bytes);
  let messages = 0;

  function read(end: number, messagePlan: MessagePlan, depth: number): JsonObject {
    if (++messages > maxMessages) throw new OtlpError(`a record has more than ${maxMessages} parts`);
    const object: JsonObject = {};
    while (reader.pos < end) {
      const tag = reader.tag();
      const field = messagePlan.get(tag >>> 3);
      // A definition newer than ours.
      if (field) readField(object, field, tag & 7, end, depth);
      else reader.skipType(tag & 7, 0, tag >>> 3);
    }
    if (reader.pos > end) throw new OtlpError('a part of a record is longer than the record');
    return object;
  }

  function readField(object: JsonObject, field: FieldPlan, wireType: number, end: number, depth: number): void {
    if (field.message) {
      if (wireType !== 2) throw wrongType(field);
      const stop = endOf(end);
      if (depth === maxDepth) reader.pos = stop;
      else put(object, field, read(stop, field.message, depth + 1));
      return;
    }
    if (field.repeated && wireType === 2 && wireTypeOf(field.scalar) !== 2) {
      const stop = endOf(end);
      while (reader.pos < stop) put(object, field, readScalar(field));
      return;
    }
    if (wireType !== wireTypeOf(field.scalar)) throw wrongType(field);
    put(object, field, readScalar(field));
  }

  function endOf(end: number): number {
    const length = reader.size();
    if (length > end - reader.pos) throw new OtlpError('a part of a record is longer than the record');
    return reader.pos + length;
  }

  function readScalar({ scalar, name }: FieldPlan): unknown {
    switch (scalar) {
      case 'string':
        return reader.string();
      case 'bytes': {
        const value = Buffer.from(reader.bytes());
        return value.toString(idNames.has(name) ? 'hex' : 'base64');
      }
      case 'bool':
        return reader.bool();
      case 'double':
        return reader.double();
      case 'fixed32':
        return reader.fixed32();
      case 'fixed64':
        return whole(reader.fixed64());
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

  try {
    return read(bytes.length, plan, 0);
  } catch (error) {
    if (error instanceof OtlpError) throw error;
    throw new OtlpError(`a record is damaged at byte ${reader.pos}`, { cause: error });
  }
}

function put(object: JsonObject, { name, repeated }: FieldPlan, value: unknown): void {
  if (!repeated) object[name] = value;
  else if (name in object) (object[name] as unknown[]).push(value);
  else object[name] = [value];
}

/** 64 bits do not always fit a number; as in JSON they are text then. */
function whole(value: number | { low: number; high: number; unsigned: boolean }): number | string {
  if (typeof value === 'number') return value;
  const high = value.unsigned ? value.high >>> 0 : value.high;
  const number = high * 0x1_0000_0000 + (value.low >>> 0);
  return Number.isSafeInteger(number) ? number : String((BigInt(high) << 32n) | BigInt(value.low >>> 0));
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
