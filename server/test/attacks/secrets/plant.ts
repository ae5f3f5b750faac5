/** Puts a secret into each text of a payload. */
import type { FormName, Secrets, Side } from './forms.ts';
import { secretNames } from './forms.ts';

export interface Planting {
  readonly secrets: Secrets;
  readonly side: Side;
  /** By the number of the text, of the payloads that share it. */
  readonly form: (index: number) => FormName;
  /** Of the request. */
  readonly what: string;
}

const id = /^[0-9a-f]{16}$|^[0-9a-f]{32}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const time = /^\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:\d\d)?$|^\d{1,20}(?:\.\d+)?$/;

const words = new Set(['exception', 'csp-violation', 'auto']);

/** What is no text to people: ids, times, and words that say what a payload is. */
export const isStructure = (text: string): boolean => id.test(text) || time.test(text) || words.has(text);

let count = 0;

/** A copy with a secret in each text: after what stands there, alone where nothing does. */
export function plant<T>(value: T, place: string, planting: Planting): T {
  return walk(value, place, planting) as T;
}

export function plantText(text: string, place: string, { secrets, side, form }: Planting): string {
  if (text !== '' && isStructure(text)) return text;
  const name = place.slice(place.lastIndexOf('.') + 1);
  if (text === '' && secretNames.includes(name)) return secrets.bare({ side, place, form: 'by name' });
  const secret = secrets.text({ side, place, form: form(count++) });
  return text === '' ? secret : `${text} ${secret}`;
}

function walk(value: unknown, place: string, planting: Planting): unknown {
  if (typeof value === 'string') return plantText(value, place, planting);
  if (Array.isArray(value)) {
    // `[name, value]` and `{key, value}` are places by that name.
    if (value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'string') {
      return [value[0], walk(value[1], `${place}.${value[0]}`, planting)];
    }
    return value.map((entry) => walk(entry, `${place}[]`, planting));
  }
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  if (typeof object.key === 'string' && 'value' in object) {
    return { ...object, value: walk(object.value, `${place}.${object.key}`, planting) };
  }
  return Object.fromEntries(
    Object.entries(object).map(([name, entry]) => [name, walk(entry, `${place}.${name}`, planting)]),
  );
}
