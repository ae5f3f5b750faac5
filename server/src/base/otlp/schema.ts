/**
 * OpenTelemetry's published messages, read from its `.proto` files as they are: what a field number means is then
 * nowhere written twice. Reading them takes some ten milliseconds, once a thread.
 */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const files = ['common', 'resource', 'trace', 'logs', 'metrics'] as const;

export interface FieldPlan {
  /** As in JSON: `traceId`. */
  readonly name: string;
  readonly repeated: boolean;
  /** Scalar type of the definition (`fixed64`, `string`, …); enums are int32. */
  readonly scalar: string;
  /** Of one value. */
  readonly wireType: number;
  /** Of a message. */
  readonly message: MessagePlan | undefined;
}

/** How to read a message. */
export interface MessagePlan {
  /** By number. */
  readonly fields: readonly (FieldPlan | undefined)[];
  /** A name with its value. */
  readonly isAttribute: boolean;
}

let root: protobuf.Root | undefined;
const plans = new Map<protobuf.Type, MessagePlan>();

/** `name` in full: `opentelemetry.proto.trace.v1.Span`. */
export function messagePlan(name: string): MessagePlan {
  root ??= readFiles();
  return planOf(root.lookupType(name));
}

function readFiles(): protobuf.Root {
  const made = new protobuf.Root();
  for (const name of files) {
    const url = new URL(`proto/opentelemetry/proto/${name}/v1/${name}.proto`, import.meta.url);
    protobuf.parse(readFileSync(url, 'utf8'), made, { keepCase: false });
  }
  made.resolveAll();
  return made;
}

function planOf(type: protobuf.Type): MessagePlan {
  const known = plans.get(type);
  if (known) return known;
  const fields: FieldPlan[] = [];
  const plan: MessagePlan = { fields, isAttribute: type.name === 'KeyValue' };
  // Before its fields are looked at: messages hold messages of their own type.
  plans.set(type, plan);
  for (const field of type.fieldsArray) {
    const { id, name, repeated, type: scalar } = field.resolve();
    const message = field.resolvedType instanceof protobuf.Type ? planOf(field.resolvedType) : undefined;
    const known = field.resolvedType && !message ? 'int32' : scalar;
    fields[id] = { name, repeated, scalar: known, wireType: wireTypeOf(known), message };
  }
  return plan;
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
