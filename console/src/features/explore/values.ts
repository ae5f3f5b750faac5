/** Values of answers as people read them: by the type and unit that the answer's `meta` gives them. Pure. */
import { share } from '../performance/words.ts';
import * as m from '../../messages/explore.ts';
import { duration } from '../../ui/durations.ts';
import { byteSize, compactNumber, exactNumber, smallNumber } from '../../ui/numbers.ts';

export interface Measure {
  /** `integer`, `number`, `duration`, `percentage`, `rate`, `size`, `date`, `boolean`, `string`, `array`. */
  readonly type: string;
  /** `millisecond`, `byte`, `1/second`; null for none. */
  readonly unit: string | null;
}

/** What a field is of an answer that does not say. */
const plain: Measure = { type: 'string', unit: null };

export interface AnswerMeta {
  readonly fields: Readonly<Record<string, string>>;
  readonly units?: Readonly<Record<string, string | null>> | undefined;
}

export function measureOf(meta: AnswerMeta | undefined, field: string): Measure {
  if (!meta || !Object.hasOwn(meta.fields, field)) return plain;
  const units = meta.units ?? {};
  return {
    type: meta.fields[field] ?? 'string',
    unit: Object.hasOwn(units, field) ? (units[field] ?? null) : null,
  };
}

const numeric = new Set(['integer', 'number', 'duration', 'percentage', 'rate', 'size']);

/** Whether it stands on the right and can be drawn. */
export const isNumeric = ({ type }: Measure): boolean => numeric.has(type);

const microseconds: Readonly<Record<string, number>> = {
  nanosecond: 0.001,
  microsecond: 1,
  millisecond: 1000,
  second: 1_000_000,
  minute: 60_000_000,
  hour: 3_600_000_000,
  day: 86_400_000_000,
  week: 604_800_000_000,
};

const bytes: Readonly<Record<string, number>> = {
  bit: 0.125,
  byte: 1,
  kilobyte: 1e3,
  kibibyte: 1024,
  megabyte: 1e6,
  mebibyte: 1024 ** 2,
  gigabyte: 1e9,
  gibibyte: 1024 ** 3,
};

const rates: Readonly<Record<string, string>> = { '1/second': '/s', '1/minute': '/min', '1/hour': '/h' };

/** A number with its unit: `34.4K`, `340 ms`, `12%`, `3/min`; `exact` for tables and tips, where room is. */
export function numberWords(value: number, { type, unit }: Measure, exact = false): string {
  if (!Number.isFinite(value)) return '–';
  const count = exact ? exactNumber(value) : compactNumber(rounded(value));
  switch (type) {
    case 'duration':
      return duration(value * (microseconds[unit ?? ''] ?? 1000));
    case 'percentage':
      return share(value);
    case 'size':
      return byteSize(Math.round(value * (bytes[unit ?? ''] ?? 1)));
    case 'rate':
      return `${unlessSmall(value, count)}${rates[unit ?? ''] ?? ''}`;
    default:
      return unlessSmall(value, count);
  }
}

const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 100) / 100);

/** What two digits would call nothing has two that count. */
const unlessSmall = (value: number, words: string): string =>
  value !== 0 && Math.abs(value) < 0.01 ? smallNumber(value) : words;

/** How an absent value is called. */
export const { none } = m;

/** A value as one line of text, as it is written in a cell; never longer than it makes sense to show. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return none;
  if (Array.isArray(value)) return value.length ? value.map(valueText).join(', ').slice(0, longest) : none;
  if (typeof value === 'object') return JSON.stringify(value).slice(0, longest);
  return String(value).slice(0, longest);
}

const longest = 2000;

/** A moment of an answer, ms since the epoch; undefined for what is none. Without a zone it is UTC. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : undefined;
  if (typeof value !== 'string') return undefined;
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isFinite(at) ? at : undefined;
}

/** One text for the values of a group; absent ones are alike. */
export const groupKey = (values: readonly unknown[]): string =>
  JSON.stringify(values.map((value) => (value === undefined || value === '' ? null : value)));
