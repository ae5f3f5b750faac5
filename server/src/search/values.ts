/** Texts after the colon as numbers, dates and truth values. Undefined where the text is none. */
import { type Comparison, type SearchValue, type Unit, units } from './types.ts';

const multipliers = { '': 1, k: 1e3, m: 1e6, b: 1e9 } as const;

export function parseNumber(text: string): number | undefined {
  const match = /^(-?\d{1,15}(?:\.\d{1,15})?)([kmb]?)$/i.exec(text);
  return match ? Number(match[1]) * multipliers[(match[2] ?? '').toLowerCase() as keyof typeof multipliers] : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  if (/^(false|0)$/i.test(text)) return false;
  return undefined;
}

/** The moment and how long the text leaves open: a day for a date, a minute or less for a time. */
function parseMoment(text: string): { atMs: number; lengthMs: number } | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (!match) return undefined;
  const [, day, minutes, seconds, zone] = match;
  const atMs = Date.parse(`${day}T${minutes ?? '00:00'}${seconds ?? ':00'}${zone ?? 'Z'}`);
  // Date.parse rolls 31 February over into March.
  if (Number.isNaN(atMs) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return undefined;
  return { atMs, lengthMs: minutes === undefined ? units.d : seconds === undefined ? units.m : 1_000 };
}

export function parseDate(text: string, comparison: Comparison | undefined): SearchValue | undefined {
  const age = comparison ? null : /^([+-])(\d{1,6})([mhdw])$/.exec(text);
  if (age) return { type: 'age', sign: age[1] as '+' | '-', amount: Number(age[2]), unit: age[3] as Unit };
  const moment = parseMoment(text);
  if (!moment) return undefined;
  const { atMs, lengthMs } = moment;
  switch (comparison) {
    case '>':
      return { type: 'date', fromMs: atMs + 1, untilMs: Infinity };
    case '>=':
      return { type: 'date', fromMs: atMs, untilMs: Infinity };
    case '<':
      return { type: 'date', fromMs: -Infinity, untilMs: atMs };
    case '<=':
      return { type: 'date', fromMs: -Infinity, untilMs: atMs + 1 };
    default:
      return { type: 'date', fromMs: atMs, untilMs: atMs + lengthMs };
  }
}

/** The span of time that a date or an age means, ms since the epoch, the end not included. */
export function dateSpan(
  value: Extract<SearchValue, { type: 'date' | 'age' }>,
  nowMs: number,
): { fromMs: number; untilMs: number } {
  if (value.type === 'date') return value;
  const edge = nowMs - value.amount * units[value.unit];
  return value.sign === '-' ? { fromMs: edge, untilMs: Infinity } : { fromMs: -Infinity, untilMs: edge + 1 };
}
