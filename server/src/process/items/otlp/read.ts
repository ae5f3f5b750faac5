/** The records of a request, in either encoding, as the objects that their JSON form is. */
import {
  countJson,
  decodeMessage,
  eachFrame,
  messagePlan,
  OtlpError,
  type Range,
  type Signal,
  signals,
  type WireForm,
} from '../../../base/otlp/index.ts';
import { decodeJson } from '../../steps/decode.ts';
import { asList, asObject, type JsonObject } from '../../steps/json.ts';

/** Whose the records are: one object for all records that share it. */
export interface Owner {
  readonly resource: JsonObject;
  readonly scope: JsonObject;
}

export interface Reading {
  readonly signal: Signal;
  readonly form: WireForm;
  readonly payload: Uint8Array;
  /** Records to take; the sender was told that the rest is not. */
  readonly take: number;
}

interface Found {
  readonly owner: Owner;
  readonly record: JsonObject;
}

/** A record that cannot be read, and why. */
export interface Bad {
  readonly bytes: Uint8Array;
  readonly detail: string;
}

export interface Request {
  readonly found: readonly Found[];
  readonly bad: readonly Bad[];
}

const maxJsonBytes = 20 * 1024 * 1024;
const resourceMessage = 'opentelemetry.proto.resource.v1.Resource';
const scopeMessage = 'opentelemetry.proto.common.v1.InstrumentationScope';

/** Throws `OtlpError` where nothing can be read. */
export function readRequest(reading: Reading): Request {
  return reading.form === 'protobuf' ? readProtobuf(reading) : readJson(reading);
}

function readProtobuf({ signal, payload, take }: Reading): Request {
  const found: Found[] = [];
  const bad: Bad[] = [];
  const plan = messagePlan(signals[signal].record);
  const shared = createOwners(payload);
  eachFrame(payload, ({ resource, scope, record }) => {
    if (found.length + bad.length >= take) return false;
    try {
      const { start, end } = record;
      // Times of spans are needed as numbers alone; logs ask for their last digits.
      const decoded = decodeMessage(payload, plan, start, end, signal === 'traces');
      found.push({ owner: shared(resource, scope), record: decoded });
    } catch (error) {
      if (!(error instanceof OtlpError)) throw error;
      bad.push({ bytes: payload.subarray(record.start, record.end), detail: error.message });
    }
    return true;
  });
  return { found, bad };
}

/** Decodes a resource and a scope when their first record needs them. */
function createOwners(payload: Uint8Array): (resource: Range | undefined, scope: Range | undefined) => Owner {
  let ofResource: Range | undefined;
  let ofScope: Range | undefined;
  let owner: Owner | undefined;
  let resourceObject: JsonObject = {};
  const decode = (range: Range | undefined, name: string): JsonObject =>
    range ? decodeMessage(payload, messagePlan(name), range.start, range.end) : {};
  return (resource, scope) => {
    if (owner && resource === ofResource && scope === ofScope) return owner;
    if (!owner || resource !== ofResource) resourceObject = decode(resource, resourceMessage);
    ofResource = resource;
    ofScope = scope;
    owner = { resource: resourceObject, scope: decode(scope, scopeMessage) };
    return owner;
  };
}

function readJson({ signal, payload, take }: Reading): Request {
  // Again, for what came another way than through the endpoint: it bounds what parsing makes.
  countJson(payload, signal);
  const decoded = decodeJson(payload, maxJsonBytes);
  if (!decoded.ok) throw new OtlpError(decoded.detail);
  const { groups, scopes, records } = signals[signal];
  const found: Found[] = [];
  const bad: Bad[] = [];
  for (const group of objectsIn(decoded.value, groups)) {
    const resource = asObject(group.resource) ?? {};
    for (const scoped of objectsIn(group, scopes)) {
      const owner: Owner = { resource, scope: asObject(scoped.scope) ?? {} };
      for (const record of objectsIn(scoped, records)) {
        if (found.length >= take) return { found, bad };
        found.push({ owner, record });
      }
    }
  }
  return { found, bad };
}

function* objectsIn(value: unknown, name: string): Generator<JsonObject, void, void> {
  for (const entry of asList(asObject(value)?.[name]) ?? []) {
    const object = asObject(entry);
    if (object) yield object;
  }
}
