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
  /** Of a message. */
  readonly message: MessagePlan | undefined;
}

/** How to read a message: its fields by number. */
export type MessagePlan = ReadonlyMap<number, FieldPlan>;

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
  const plan = new Map<number, FieldPlan>();
  // Before its fields are looked at: messages hold messages of their own type.
  plans.set(type, plan);
  for (const field of type.fieldsArray) {
    const { id, name, repeated, type: scalar } = field.resolve();
    const message = field.resolvedType instanceof protobuf.Type ? planOf(field.resolvedType) : undefined;
    plan.set(id, { name, repeated, scalar: field.resolvedType && !message ? 'int32' : scalar, message });
  }
  return plan;
}
