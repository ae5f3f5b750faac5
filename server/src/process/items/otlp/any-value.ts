/** Attributes of OTLP as plain values. They are nested by the sender: how deep and how many is bounded here. */
import { asList, asObject, type JsonObject } from '../../steps/json.ts';
import { AttributeList } from '../../steps/span/index.ts';

const maxDepth = 8;
/** Values of one attribute, all levels together. What is stored of it is far less. */
const maxValues = 1_000;
/** Attributes that are looked at; what is stored of them is far less. */
const maxAttributes = 20_000;

interface Budget {
  left: number;
}

/**
 * The pairs of a list of attributes; the last of a name counts, and what cannot be read is left out. Without a
 * prototype, so that every name is an ordinary one.
 */
export function plainAttributes(list: unknown): JsonObject {
  const into = bare();
  for (const [key, value] of pairsOf(list, maxAttributes)) {
    const plain = plainValue(value);
    if (plain !== undefined) into[key] = plain;
  }
  return into;
}

/** The same as a list, after what is common to its like; of a name that both have, this value counts. */
export function withOwn(common: AttributeList, list: unknown): AttributeList {
  const attributes = new AttributeList(common.names.slice(), common.values.slice());
  const entries = asList(list) ?? [];
  const most = Math.min(entries.length, maxAttributes);
  for (let index = 0; index < most; index++) {
    const pair = asObject(entries[index]);
    if (!pair || typeof pair.key !== 'string' || pair.key === '') continue;
    const plain = plainValue(pair.value);
    if (plain !== undefined) attributes.set(pair.key, plain);
  }
  return attributes;
}

/** Undefined for a value that says nothing. */
export function plainValue(value: unknown): unknown {
  const text = asObject(value)?.stringValue;
  if (typeof text === 'string') return text;
  return read(value, 0, { left: maxValues });
}

function* pairsOf(list: unknown, most: number): Generator<[key: string, value: unknown], void, void> {
  for (const entry of (asList(list) ?? []).slice(0, most)) {
    const pair = asObject(entry);
    if (pair && typeof pair.key === 'string' && pair.key !== '') yield [pair.key, pair.value];
  }
}

function read(value: unknown, depth: number, budget: Budget): unknown {
  const any = asObject(value);
  if (!any || --budget.left < 0) return undefined;
  // Exactly one of these is there; JSON has 64-bit numbers as text, some exporters as numbers.
  if (typeof any.stringValue === 'string') return any.stringValue;
  if (typeof any.boolValue === 'boolean') return any.boolValue;
  if (any.intValue !== undefined) return toInteger(any.intValue);
  if (any.doubleValue !== undefined) return toDouble(any.doubleValue);
  if (typeof any.bytesValue === 'string') return any.bytesValue;
  if (depth >= maxDepth) return any.arrayValue || any.kvlistValue ? '[…]' : undefined;
  const list = asObject(any.arrayValue);
  if (list) {
    const values: unknown[] = [];
    for (const entry of asList(list.values) ?? []) {
      if (budget.left <= 0) break;
      values.push(read(entry, depth + 1, budget) ?? null);
    }
    return values;
  }
  const pairs = asObject(any.kvlistValue);
  if (!pairs) return undefined;
  const object = bare();
  for (const [key, entry] of pairsOf(pairs.values, Math.max(budget.left, 0))) {
    const plain = read(entry, depth + 1, budget);
    if (plain !== undefined) object[key] = plain;
  }
  return object;
}

/** Beyond 2^53 the digits stay text. */
function toInteger(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** JSON of protobuf writes what JSON has no number for as text; such a number says nothing here. */
function toDouble(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.length <= 40 ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function bare(): JsonObject {
  return Object.create(null) as JsonObject;
}
