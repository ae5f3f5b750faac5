/** Reading JSON that nobody has checked: every reader answers undefined for what it does not expect. */

export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Strings as they are; numbers and booleans as text; '' and all else undefined. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** A whole number, also given as text; undefined for negative ones and those beyond 2^53. */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER
    ? Math.floor(number)
    : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** The three shapes of a list on the wire: `{values: [...]}`, a bare list, one object alone. */
export function asValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const object = asObject(value);
  if (!object) return [];
  const values = object.values;
  if (Array.isArray(values)) return values;
  if (asObject(values)) return [values];
  return 'values' in object ? [] : [object];
}

/** Pairs of an object, or of a list of pairs; values stay as they are. */
export function asPairs(value: unknown): readonly (readonly [key: string, value: unknown])[] {
  const list = asList(value);
  if (!list) return Object.entries(asObject(value) ?? {});
  const pairs: [string, unknown][] = [];
  for (const entry of list) {
    if (!Array.isArray(entry) || entry.length !== 2) continue;
    const key = asText(entry[0]);
    if (key !== undefined) pairs.push([key, entry[1]]);
  }
  return pairs;
}
