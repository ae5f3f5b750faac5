/** Numbers, sizes and shares in the language of the page. A value and its unit stay on one line. */

/** Of the words around them, which is not always the reader's own. */
const locale = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
const forms = new Intl.PluralRules(locale);

/** A value and its unit, never apart at the end of a line. */
export const withUnit = (value: number | string, unit: string): string => `${value}\u00a0${unit}`;

/** `1,204` */
export const exactNumber = (value: number): string => exact.format(value);

/** From here on a number is shortened: four digits are read as fast as `1.2K`, and say more. */
const leastCompact = 10_000;

/** `132`, `1,204`, `34.4K`, `1.5M`. */
export function compactNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return (Math.abs(value) < leastCompact ? exact : compact).format(value);
}

/** `640 B`, `1.5 kB`, `2.1 GB`: thousands, not 1024. */
export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let scaled = bytes;
  let unit = 0;
  while (Math.abs(scaled) >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return withUnit(scaled >= 99.95 ? Math.round(scaled) : Math.round(scaled * 10) / 10, units[unit] ?? '');
}

/** `98.8%` of a share from 0 to 1, with at most two digits behind the point. */
export const percentage = (share: number): string => shares.format(share);

/** `91%`, and `<1%` rather than a zero that is none. */
export function percent(part: number, total: number): string {
  if (!(total > 0)) return percentage(0);
  const share = part / total;
  if (share > 0 && share < 0.01) return `<${percentage(0.01)}`;
  if (share < 1 && share > 0.99) return `>${percentage(0.99)}`;
  return percentage(Math.round(share * 100) / 100);
}

/** `event` of one, `events` of any other count: for words that stand apart from their number. */
export function pluralForm(count: number, one: string, many = `${one}s`): string {
  return forms.select(count) === 'one' ? one : many;
}

/** `1 event`, `2 events`. */
export function plural(count: number, one: string, many?: string): string {
  return `${exactNumber(count)} ${pluralForm(count, one, many)}`;
}
