/**
 * Changes of a resource (RFC 7644, 3.5.2), in the ways in which directories write them: with and without a path, names
 * with dots as keys, what is to be removed as a value, an address that is not there yet named by its type. Pure.
 */
import { scim as texts } from '../../../base/texts/provisioning.ts';
import { ScimError } from './error.ts';
import { type Filter, longestFilter, parseFilter, pathOf } from './filter.ts';
import { isList, isObject, type Json, type JsonObject, valueOf, withoutSchema, withValue } from './json.ts';
import { matches } from './matches.ts';

const mostOperations = 1_000;

/** Attributes that are lists, whatever is written to them. */
const lists: ReadonlySet<string> = new Set(['emails', 'members', 'groups', 'phonenumbers', 'addresses', 'roles']);
const isListName = (name: string): boolean => lists.has(name.toLowerCase());

type Verb = 'add' | 'replace' | 'remove';

interface Target {
  readonly name: string;
  readonly filter: Filter | undefined;
  readonly sub: string | undefined;
}

/** The operations of a request, one after the other. Throws `ScimError`. */
export function patched(resource: JsonObject, body: JsonObject): JsonObject {
  const operations = valueOf(body, 'Operations');
  if (!isList(operations)) throw new ScimError(400, texts.operations, 'invalidSyntax');
  if (operations.length > mostOperations) {
    throw new ScimError(413, texts.tooManyOperations(mostOperations), 'tooMany');
  }
  return operations.reduce<JsonObject>((current, operation) => applied(current, operation), resource);
}

function applied(resource: JsonObject, operation: Json): JsonObject {
  const verb = isObject(operation) ? String(valueOf(operation, 'op')).toLowerCase() : '';
  if (!isObject(operation) || !isVerb(verb)) throw new ScimError(400, texts.operations, 'invalidSyntax');
  const path = valueOf(operation, 'path');
  const value = valueOf(operation, 'value');
  if (typeof path === 'string' && path.trim() !== '') return at(resource, verb, targetOf(path.trim()), value);
  if (verb === 'remove') throw new ScimError(400, texts.removeAll, 'noTarget');
  if (!isObject(value)) throw new ScimError(400, texts.object, 'invalidValue');
  return Object.entries(value).reduce((current, [key, one]) => at(current, verb, targetOf(key), one), resource);
}

const isVerb = (text: string): text is Verb => text === 'add' || text === 'replace' || text === 'remove';

const form = /^([^[\]]+)(?:\[(.*)\])?(?:\.([\w$-]+))?$/s;

function targetOf(path: string): Target {
  const [, name, inner, sub] = path.length <= longestFilter ? (form.exec(path) ?? []) : [];
  if (name === undefined) throw new ScimError(400, texts.path(path.slice(0, 100)), 'invalidPath');
  if (inner !== undefined) return { name: withoutSchema(name), filter: parseFilter(inner), sub };
  const plain = pathOf(sub === undefined ? name : `${name}.${sub}`);
  return { name: plain.name, filter: undefined, sub: plain.sub };
}

function at(resource: JsonObject, verb: Verb, target: Target, value: Json | undefined): JsonObject {
  const { name, filter, sub } = target;
  const current = valueOf(resource, name);
  if (filter) return withValue(resource, name, chosen(listOf(current), verb, { ...target, filter }, value));
  if (sub !== undefined) {
    const changed = isListName(name)
      ? everyOne(listOf(current), verb, sub, value)
      : part(isObject(current) ? current : {}, verb, sub, value);
    return withValue(resource, name, changed);
  }
  if (verb === 'remove')
    return withValue(resource, name, isListName(name) ? without(listOf(current), value) : undefined);
  if (value === undefined) throw new ScimError(400, texts.value(name, texts.object), 'invalidValue');
  if (isListName(name)) {
    const given = isList(value) ? value : [value];
    return withValue(resource, name, verb === 'add' ? joined(listOf(current), given) : given);
  }
  return withValue(resource, name, isObject(current) && isObject(value) ? { ...current, ...value } : value);
}

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : value == null ? [] : [value]);

function part(object: JsonObject, verb: Verb, sub: string, value: Json | undefined): JsonObject {
  return withValue(object, sub, verb === 'remove' ? undefined : value);
}

/** `emails.value`, which names none of them: all, or the first one. */
function everyOne(list: readonly Json[], verb: Verb, sub: string, value: Json | undefined): readonly Json[] {
  const objects = list.filter(isObject);
  if (objects.length === 0) return verb === 'remove' ? [] : [part({}, verb, sub, value)];
  return objects.map((one) => part(one, verb, sub, value));
}

const keyOf = (value: Json): string => {
  const own = isObject(value) ? valueOf(value, 'value') : value;
  return typeof own === 'string' ? own : JSON.stringify(value);
};

function joined(list: readonly Json[], given: readonly Json[]): readonly Json[] {
  const known = new Map(list.map((one) => [keyOf(one), one]));
  for (const one of given) known.set(keyOf(one), one);
  return [...known.values()];
}

/** All, or those that are named in the value. */
function without(list: readonly Json[], value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || value === null) return undefined;
  const gone = new Set(listOf(value).map(keyOf));
  return list.filter((one) => !gone.has(keyOf(one)));
}

function chosen(
  list: readonly Json[],
  verb: Verb,
  { name, filter, sub }: Target & { readonly filter: Filter },
  value: Json | undefined,
): readonly Json[] {
  const isChosen = (one: Json): boolean => matches(isObject(one) ? one : { value: one }, filter);
  if (verb === 'remove') {
    // Who is not there any more is removed: directories say it again.
    return sub === undefined
      ? list.filter((one) => !isChosen(one))
      : list.map((one) => (isObject(one) && isChosen(one) ? part(one, verb, sub, value) : one));
  }
  const change = (one: JsonObject): JsonObject =>
    sub !== undefined
      ? part(one, verb, sub, value)
      : isObject(value)
        ? { ...one, ...value }
        : { ...one, value: value ?? null };
  if (list.some(isChosen)) return list.map((one) => (isObject(one) && isChosen(one) ? change(one) : one));
  const made = describedBy(filter);
  if (!made) throw new ScimError(400, texts.noTarget(name), 'noTarget');
  return [...list, change(made)];
}

/** The value that a filter describes; undefined where it could be several. */
function describedBy(filter: Filter): JsonObject | undefined {
  if (filter.kind === 'and') {
    const parts = filter.parts.map(describedBy);
    return parts.every((one) => one !== undefined) ? Object.assign({}, ...parts) : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.path.sub !== undefined) return undefined;
  return withValue({}, filter.path.name, filter.value);
}
