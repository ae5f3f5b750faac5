/** Metrics, which no page shows yet: kept as they came, in JSON, with attributes as objects so that scrubbing sees their names. */
import { Nanos } from '../../../base/otlp/index.ts';
import { asObject, type JsonObject } from '../../steps/json.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import { keepAside, type ReceivedItem } from '../kept/index.ts';
import { plainAttributes } from './any-value.ts';
import type { Owner, Request } from './read.ts';

const category = 'trace_metric';
/** Messages of a record nest no deeper. */
const maxDepth = 12;

const pairLists = new Set(['attributes', 'filteredAttributes']);

export function keepMetrics({ found }: Request, item: ReceivedItem, context: ItemContext): ItemResult {
  if (found.length === 0) return { outcomes: [] };
  const groups = [...Map.groupBy(found, ({ owner }) => owner)].map(([owner, records]) => ({
    ...plainOwner(owner),
    records: records.map(({ record }) => plainRecord(record)),
  }));
  const payload = Buffer.from(JSON.stringify({ groups }));
  const outcome = { kind: 'accepted' } as const;
  // Written as JSON, whatever they came as: scrubbing reads it.
  const asJson = { ...item, header: { ...item.header, form: 'json' }, payload };
  return {
    ...keepAside(asJson, context, category, outcome),
    outcomes: [{ category, outcome, quantity: found.length }],
  };
}

function plainOwner({ resource, scope }: Owner): JsonObject {
  return {
    resource: plainAttributes(resource.attributes),
    scope: { name: scope.name, version: scope.version, attributes: plainAttributes(scope.attributes) },
  };
}

export function plainRecord(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) return value.map((entry) => plainRecord(entry, depth + 1));
  if (value instanceof Nanos) return String(value);
  const object = asObject(value);
  if (!object) return value;
  const plain = Object.create(null) as JsonObject;
  for (const [name, entry] of Object.entries(object)) {
    if (pairLists.has(name)) plain[name] = plainAttributes(entry);
    else plain[name] = plainRecord(entry, depth + 1);
  }
  return plain;
}
