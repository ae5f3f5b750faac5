/** Times and dates, in the language of the page and by the habits of the reader's country. All values are ms. */
import { isolated, locale, number } from '../messages/format.ts';
import * as m from '../messages/time.ts';
import { timeZone } from './time-zone.ts';

const daySeconds = 86_400;

/** How many seconds they have, and from how many on they are used. */
const units = [
  ['second', 1, 0],
  ['minute', 60, 60],
  ['hour', 3600, 3600],
  ['day', daySeconds, daySeconds],
  ['month', 30.44 * daySeconds, 31 * daySeconds],
  ['year', 365.25 * daySeconds, 365.25 * daySeconds],
] as const;

function inOneUnit(seconds: number) {
  const [name, size] = units.findLast(([, , least]) => seconds >= least) ?? units[0];
  return { value: Math.floor(seconds / size), name };
}

/** What is less far away is now, seconds. */
const leastSeconds = 5;

/** How far `at` lies from `now`: `now`, `12 s`, `4 min`, `3 h`, `9 d`, `5 mo`, `2 y`. The direction is not said. */
export function shortDistance(at: number, now: number): string {
  const seconds = Math.floor(Math.abs(now - at) / 1000);
  if (!Number.isFinite(seconds)) return m.unknown;
  if (seconds < leastSeconds) return m.now;
  const { value, name } = inOneUnit(seconds);
  return isolated(`${number(value)}\u00a0${m.units[name]}`);
}

const relative = new Intl.RelativeTimeFormat(locale, { style: 'short' });

/** `4 min ago`, `9 days ago`, `in 3 hr`, `just now`. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.floor(Math.abs(now - at) / 1000);
  if (!Number.isFinite(seconds)) return m.unknown;
  if (seconds < leastSeconds) return m.justNow;
  const { value, name } = inOneUnit(seconds);
  const text = relative.format(at > now ? value : -value, name);
  return text.replaceAll('.', '').replace(/(?<=\d) /, '\u00a0');
}

/** The reader's own where the language is the page's: whether the day or the month comes first is the country's. */
const country =
  (typeof navigator === 'undefined' ? [] : (navigator.languages ?? [])).find(
    (each) => each.split('-', 1)[0] === locale.split('-', 1)[0],
  ) ?? locale;

type Options = Intl.DateTimeFormatOptions;
const day: Options = { month: 'short', day: 'numeric' };
const year: Options = { ...day, year: 'numeric' };
const minute: Options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `Intl` is slow to begin: each format is made when it is first asked for. */
function formatOf(options: Options): (at: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  let zone: string | undefined;
  return (at) => {
    if (!Number.isFinite(at) || Math.abs(at) >= 8.64e15) return m.unknown;
    if (format === undefined || zone !== timeZone()) {
      zone = timeZone();
      format = new Intl.DateTimeFormat(country, { ...options, timeZone: zone });
    }
    return format.format(at);
  };
}

/** Date, time and zone where the reader is. */
export const localTime = formatOf({ ...year, ...minute, second: '2-digit', timeZoneName: 'short' });

/** Day and minute where the reader is, where there is little room. */
export const localMinute = formatOf({ ...day, ...minute });

/** The day where the reader is. */
export const localDay = formatOf(year);

/** The same without its year. */
export const localShortDay = formatOf(day);

/** `14:00` where the reader is. */
export const localClock = formatOf(minute);

/** `2026-11-21 02:10:07 UTC` */
export function utcTime(at: number): string {
  return Number.isFinite(at) && Math.abs(at) < 8.64e15
    ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : m.unknown;
}
