/**
 * What the spans of a resource and a scope have in common. It is stored with each of them, so that a request of a few
 * megabytes could become gigabytes: together it is bounded far below what one span may have.
 */
import type { JsonObject } from '../../steps/json.ts';
import { AttributeList } from '../../steps/span/index.ts';
import { plainAttributes } from './any-value.ts';
import type { Owner } from './read.ts';

/** Characters of all names and values of a resource; those that detectors find on Kubernetes come to half of it. */
const maxResource = 6_000;
const maxScope = 1_000;
const maxText = 1_000;

export interface Shared {
  readonly resource: JsonObject;
  readonly scope: JsonObject;
  /** Of both; the scope's win. */
  readonly common: AttributeList;
  /** Attributes that were left out or cut. */
  readonly cut: number;
}

export function readOwner({ resource, scope }: Owner): Shared {
  const named = plainAttributes(scope.attributes);
  if (typeof scope.name === 'string' && scope.name !== '') named['otel.scope.name'] = scope.name;
  if (typeof scope.version === 'string' && scope.version !== '') named['otel.scope.version'] = scope.version;
  const ofResource = bounded(plainAttributes(resource.attributes), maxResource);
  const ofScope = bounded(named, maxScope);
  const common = new AttributeList();
  for (const name in ofResource.kept) common.add(name, ofResource.kept[name]);
  for (const name in ofScope.kept) common.set(name, ofScope.kept[name]);
  return { resource: ofResource.kept, scope: ofScope.kept, common, cut: ofResource.cut + ofScope.cut };
}

/** What the columns of a span are made of goes first. */
const essential = /^(?:service\.|deployment\.environment|telemetry\.|host\.name$|otel\.scope\.)/;

function bounded(attributes: JsonObject, maxLength: number): { kept: JsonObject; cut: number } {
  const kept = Object.create(null) as JsonObject;
  let length = 0;
  let cut = 0;
  const names = Object.keys(attributes);
  for (const name of [...names.filter((one) => essential.test(one)), ...names.filter((one) => !essential.test(one))]) {
    const value = attributes[name];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const isLong = text.length > maxText;
    const taken = Math.min(text.length, maxText) + name.length;
    if (isLong || length + taken > maxLength) cut++;
    if (length + taken > maxLength) continue;
    length += taken;
    kept[name] = isLong ? text.slice(0, maxText) : value;
  }
  return { kept, cut };
}
