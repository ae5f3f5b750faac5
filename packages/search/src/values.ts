/** Texts after the colon as amounts, dates and truth values. Undefined where the text is none. */
import type { Comparison, SearchValue } from './types.ts';

type Value<Type extends SearchValue['type']> = Extract<SearchValue, { type: Type }>;

const minute = 60_000;
const day = 86_400_000;

/** Of relative dates, in ms. */
const ageUnits = { m: minute, h: 60 * minute, d: day, w: 7 * day } as const;

const multipliers: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };

const durations: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: minute,
  m: minute,
  hr: 60 * minute,
  h: 60 * minute,
  day,
  d: day,
  wk: 7 * day,
  w: 7 * day,
};

/** `nb` is a nibble. Of a size `b` are bytes, and not billions as of a number. */
const sizes: Readonly<Record<string, number>> = {
  bit: 1 / 8,
  nb: 1 / 2,
  b: 1,
  byte: 1,
  bytes: 1,
  ...Object.fromEntries(
    [...'kmgtpe'].flatMap((letter, index) => [
      [`${letter}b`, 1000 ** (index + 1)],
      [`${letter}ib`, 1024 ** (index + 1)],
    ]),
  ),
};

function readAmount(text: string): { amount: number; unit: string } | undefined {
  const match = /^(-?\d{1,15}(?:\.\d{1,15})?)([a-z]{0,5}|%)$/i.exec(text);
  return match ? { amount: Number(match[1]), unit: (match[2] ?? '').toLowerCase() } : undefined;
}

/** A factor of the table, never what objects inherit. */
const factor = (table: Readonly<Record<string, number>>, unit: string): number | undefined =>
  Object.hasOwn(table, unit) ? table[unit] : undefined;

export function readNumber(text: string): number | undefined {
  const read = readAmount(text);
  const times = read && factor(multipliers, read.unit);
  return read && times && read.amount * times;
}

/** What has no unit of time is in ms, thousands and billions included; `2m` is two minutes. */
export function readDuration(text: string, comparison: Comparison): Value<'duration'> | undefined {
  const read = readAmount(text);
  if (!read) return undefined;
  const ms = factor(durations, read.unit);
  if (ms !== undefined) return { type: 'duration', comparison, ...read, ms: read.amount * ms };
  const number = readNumber(text);
  return number === undefined ? undefined : { type: 'duration', comparison, amount: number, unit: '', ms: number };
}

export function readSize(text: string, comparison: Comparison): Value<'size'> | undefined {
  const read = readAmount(text);
  if (!read) return undefined;
  const bytes = factor(sizes, read.unit);
  if (bytes !== undefined) return { type: 'size', comparison, ...read, bytes: read.amount * bytes };
  const number = readNumber(text);
  return number === undefined ? undefined : { type: 'size', comparison, amount: number, unit: '', bytes: number };
}

export function readPercentage(text: string, comparison: Comparison): Value<'percentage'> | undefined {
  const read = readAmount(text);
  if (read?.unit === '%') return { type: 'percentage', comparison, ...read, fraction: read.amount / 100 };
  const number = readNumber(text);
  return number === undefined
    ? undefined
    : { type: 'percentage', comparison, amount: number, unit: '', fraction: number };
}

export function readBoolean(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

const versionPattern = /^\d{1,9}(\.\d{1,9}){0,3}(-[0-9A-Za-z.-]{1,100})?(\+[0-9A-Za-z.-]{1,100})?$/;
const versionWildcard = /^[0-9A-Za-z.*+-]{1,100}$/;

/** `1.2.3-beta.1`; without an operator also with stars. */
export function readVersion(text: string, comparison: Comparison): Value<'version'> | undefined {
  const wildcard = hasWildcard(text);
  if (wildcard ? comparison !== '=' || !versionWildcard.test(text) : !versionPattern.test(text)) return undefined;
  return { type: 'version', comparison, text, wildcard };
}

/** What a text of builds is compared with: a number, or a version. */
export const readOrdered = (text: string, comparison: Comparison): Value<'version'> | undefined =>
  /^\d{1,18}$/.test(text) || versionPattern.test(text)
    ? { type: 'version', comparison, text, wildcard: false }
    : undefined;

/** The moment and how long the text leaves open: a day for a date, a minute or less for a time. */
function readMoment(text: string): { atMs: number; lengthMs: number } | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3])(:[0-5]\d)(:[0-5]\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(
    text,
  );
  if (!match) return undefined;
  const [, date, hour, minutes, seconds, zone] = match;
  // Times are stored to the millisecond, and two databases read years in two ways outside of these.
  const zoned = (zone ?? 'Z').replace(/^(.\d\d)(\d\d)$/, '$1:$2');
  const atMs = Date.parse(`${date}T${hour ?? '00'}${minutes ?? ':00'}${seconds ?? ':00'}${zoned}`);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(atMs) || Number.isNaN(midnight)) return undefined;
  // Date.parse rolls 31 February over into March.
  if (new Date(midnight).toISOString().slice(0, 10) !== date) return undefined;
  if (midnight < earliestMs || midnight > latestMs) return undefined;
  return { atMs, lengthMs: hour === undefined ? day : seconds === undefined ? minute : 1_000 };
}

const earliestMs = Date.UTC(1900, 0, 2);
const latestMs = Date.UTC(2200, 0, 1);

export function readDate(text: string, comparison: Comparison | undefined): Value<'date' | 'age'> | undefined {
  const age = comparison ? null : /^([+-])(\d{1,6})([mhdw])$/.exec(text);
  if (age) {
    const [, sign, amount, unit] = age;
    return { type: 'age', sign: sign as '+' | '-', amount: Number(amount), unit: unit as keyof typeof ageUnits };
  }
  const moment = readMoment(text);
  if (!moment) return undefined;
  const { atMs, lengthMs } = moment;
  const [fromMs, untilMs] = {
    '>': [atMs + 1, Infinity],
    '>=': [atMs, Infinity],
    '<': [-Infinity, atMs],
    '<=': [-Infinity, atMs + 1],
    '=': [atMs, atMs + lengthMs],
  }[comparison ?? '='] as [number, number];
  return { type: 'date', comparison, fromMs, untilMs };
}

/** The span of time that a date or an age means, ms since the epoch, the end not included. */
export function dateSpan(value: Value<'date' | 'age'>, nowMs: number): { fromMs: number; untilMs: number } {
  if (value.type === 'date') return value;
  const edge = nowMs - value.amount * ageUnits[value.unit];
  return value.sign === '-' ? { fromMs: edge, untilMs: Infinity } : { fromMs: -Infinity, untilMs: edge + 1 };
}

/** Whether a star stands in it that is not escaped. */
export const hasWildcard = (text: string): boolean => /(?<!\\)\*/.test(text);

/** Words with and without stars to a pattern: what is between stars, in order; `\*` is a star. */
export const wildcardParts = (text: string): string[] =>
  text.split(/(?<!\\)\*+/).map((part) => part.replaceAll('\\*', '*'));
