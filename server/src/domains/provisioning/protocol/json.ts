/** Resources as a directory writes them: names of attributes in any case, with or without the address of their schema. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Of attributes, the only schemas that are known here. */
const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;

export const withoutSchema = (name: string): string => name.replace(core, '');

/** The value of an attribute; names are the same in any case. */
export function valueOf(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const key = keyOf(object, name);
  return key === undefined ? undefined : object[key];
}

/** Under which name an object has an attribute. */
export function keyOf(object: JsonObject, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === wanted);
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** A copy with another value; undefined takes the attribute out. */
export function withValue(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const key = keyOf(object, name) ?? name;
  if (forbidden.has(key.toLowerCase())) return object;
  const { [key]: _former, ...rest } = object;
  return value === undefined ? rest : { ...rest, [key]: value };
}

const deepest = 16;

/** The object that a text is; undefined for what is none, or so deep that only an attack writes it. */
export function readObject(text: string): JsonObject | undefined {
  if (depthOf(text) > deepest) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** How deep brackets are nested, no matter what of. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '[' || sign === '{') most = Math.max(most, ++depth);
    else if (sign === ']' || sign === '}') depth -= 1;
  }
  return most;
}
