/** Counts, shares, measures, dates and lists in the texts that the server writes: mails, alerts, answers of the CLI. */
const locale = 'en';
const significant = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const forms = new Intl.PluralRules(locale);
const lists = {
  and: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  or: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
};

/** `0.125`, `12.34`, `1,030`. */
export const number = (value: number): string => (Math.abs(value) >= 1_000 ? whole : significant).format(value);

/** A value and its unit, never apart at the end of a line. */
export const withUnit = (value: number | string, unit: string): string =>
  `${typeof value === 'number' ? number(value) : value}\u00a0${unit}`;

/** `98.8%` of a share from 0 to 1: with so many digits behind the point, or with those that four digits leave. */
export function percentage(share: number, digits?: number): string {
  const precision =
    digits === undefined
      ? { maximumSignificantDigits: 4 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { style: 'percent', ...precision }).format(share);
}

/** `event` of one, `events` of any other count: for words that stand apart from their number. */
export const pluralForm = (count: number, one: string, many = `${one}s`): string =>
  forms.select(count) === 'one' ? one : many;

/** `1 event`, `1,030 events`. */
export const plural = (count: number, one: string, many?: string): string =>
  `${number(count)} ${pluralForm(count, one, many)}`;

/** Between which ends a count that is estimated lies, 19 times in 20. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** `about 1,204 (1,150–1,260)`, with a word `about 1,204 events (1,150–1,260)`; exact ones as `number` and `plural`. */
export function estimated(count: number, interval: Interval | null | undefined, one?: string): string {
  const shown = one === undefined ? number(count) : plural(count, one);
  return interval ? `about ${shown} (${number(interval.low)}–${number(interval.high)})` : shown;
}

/** `a, b and c` */
export const listed = (texts: readonly string[], word: 'and' | 'or'): string => lists[word].format(texts);

/** `2026-11-25` */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `2026-11-25 20:45 UTC`: mails and alerts are read in any time zone. */
export const utcMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.25 GB`, of decimal units. */
export function byteSize(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return withUnit(Number((bytes / 1000 ** power).toPrecision(3)), sizes[power] ?? 'B');
}
