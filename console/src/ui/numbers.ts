/** Numbers, sizes and shares in the language of the page. A value and its unit stay on one line. */
import { form, isolated, locale, number } from '../messages/format.ts';

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });

/** A value and its unit, never apart at the end of a line. */
export const withUnit = (value: number | string, unit: string): string =>
  isolated(`${typeof value === 'number' ? number(value) : value}\u00a0${unit}`);

/** `1,204` */
export const exactNumber = number;

const digits = [0, 1, 2, 3].map(
  (most) => new Intl.NumberFormat(locale, { minimumFractionDigits: most, maximumFractionDigits: most }),
);

/** `0.930` of three digits: as many behind the point in every row. */
export const fixedNumber = (value: number, fractionDigits: 0 | 1 | 2 | 3): string =>
  digits[fractionDigits]?.format(value) ?? number(value);

const upTo = [0, 1, 2, 3].map((most) => new Intl.NumberFormat(locale, { maximumFractionDigits: most }));

/** `0.93` of up to three digits behind the point. */
export const roundedNumber = (value: number, most: 0 | 1 | 2 | 3): string => upTo[most]?.format(value) ?? number(value);

/** `3.1×`, `24×`: how many times as much. */
export const times = (factor: number): string => isolated(`${roundedNumber(factor, factor >= 9.95 ? 0 : 1)}×`);

const twoDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });

/** `0.0012`: two digits that count, of what is near to nothing. */
export const smallNumber = (value: number): string => twoDigits.format(value);

/** From here on a number is shortened: four digits are read as fast as `1.2K`, and say more. */
const leastCompact = 10_000;

/** `132`, `1,204`, `34.4K`, `1.5M`. */
export function compactNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) < leastCompact ? number(value) : compact.format(value);
}

/** `640 B`, `1.5 kB`, `104.9 MB`: thousands, not 1024. */
export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let scaled = bytes;
  let unit = 0;
  while (Math.abs(scaled) >= 999.95 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return withUnit(Math.round(scaled * 10) / 10, units[unit] ?? '');
}

/** `98.8%` of a share from 0 to 1, with at most two digits behind the point. */
export const percentage = (share: number): string => shares.format(share);

/** `91%`, and `<1%` rather than a zero that is none. */
export function percent(part: number, total: number): string {
  if (!(total > 0)) return percentage(0);
  const share = part / total;
  if (share > 0 && share < 0.01) return isolated(`<${percentage(0.01)}`);
  if (share < 1 && share > 0.99) return isolated(`>${percentage(0.99)}`);
  return percentage(Math.round(share * 100) / 100);
}

/** `event` of one, `events` of any other count: for words that stand apart from their number. */
export function pluralForm(count: number, one: string, many = `${one}s`): string {
  return form(count) === 'one' ? one : many;
}

/** `1 event`, `2 events`. */
export function plural(count: number, one: string, many?: string): string {
  return `${number(count)} ${pluralForm(count, one, many)}`;
}
