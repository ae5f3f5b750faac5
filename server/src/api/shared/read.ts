/** Reading stored JSON: null for what is not there or is something else. */

export type Json = Record<string, unknown>;

export const object = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const text = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

export const integer = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

export const objects = (value: unknown): Json[] =>
  list(value)
    .map(object)
    .filter((one) => one !== null);

/** Lists of the protocol are `{values: [...]}`. */
export const values = (value: unknown): Json[] => objects(object(value)?.['values']);

/** ms since the epoch as ISO 8601; times beyond what dates can hold become the epoch. */
export const iso = (ms: number): string => new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** A value of any kind as text. */
export const asShown = (value: unknown): string | null =>
  value === null || value === undefined ? null : (text(value) ?? JSON.stringify(value));
