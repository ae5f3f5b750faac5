import { withUnit } from './numbers.ts';

/** How far `at` lies from `now`, both ms: `now`, `12 s`, `4 min`, `3 h`, `9 d`, `5 mo`, `2 y`. The direction is not said. */
export function shortDistance(at: number, now: number): string {
  const seconds = Math.floor(Math.abs(now - at) / 1000);
  if (!Number.isFinite(seconds)) return 'unknown';
  if (seconds < 5) return 'now';
  if (seconds < 60) return withUnit(seconds, 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withUnit(minutes, 'min');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return withUnit(hours, 'h');
  const days = Math.floor(hours / 24);
  if (days < 31) return withUnit(days, 'd');
  const months = Math.floor(days / 30.44);
  return months < 12 ? withUnit(months, 'mo') : withUnit(Math.floor(days / 365.25), 'y');
}

/** `4 min ago`, `in 3 h`, `just now`. */
export function relativeTime(at: number, now: number): string {
  const distance = shortDistance(at, now);
  if (distance === 'now') return 'just now';
  if (distance === 'unknown') return 'unknown time';
  return at > now ? `in ${distance}` : `${distance} ago`;
}

const localFormat = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** Date, time and zone where the reader is. */
export function localTime(at: number): string {
  return Number.isFinite(at) ? localFormat.format(at) : 'unknown time';
}

const minuteFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Day and minute where the reader is, where there is little room. */
export function localMinute(at: number): string {
  return Number.isFinite(at) ? minuteFormat.format(at) : 'unknown time';
}

const dayFormat = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

/** The day where the reader is. */
export function localDay(at: number): string {
  return Number.isFinite(at) ? dayFormat.format(at) : 'unknown time';
}

/** `2026-11-21 02:10:07 UTC` */
export function utcTime(at: number): string {
  return Number.isFinite(at) && Math.abs(at) < 8.64e15
    ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : 'unknown time';
}
