/** When somebody wants to be left alone. Pure: times and time zones, no clock. */
import type { QuietHours } from './types.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a clock on a wall of the zone shows, as if it were UTC, ms. */
export function wallTime(atMs: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const seconds = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return seconds + (((atMs % 1000) + 1000) % 1000);
}

/** The first moment at which the wall shows that time, or has passed it where the clock is put forward over it. */
export function momentOf(wallMs: number, timeZone: string): number {
  // The offset differs by hours at most, so one that is right a moment before leads there.
  let moment = wallMs - (wallTime(wallMs, timeZone) - wallMs);
  for (let step = 0; step < 3; step += 1) {
    const off = wallMs - wallTime(moment, timeZone);
    if (off === 0) return moment;
    moment += off;
  }
  return moment;
}

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** When it is quiet at that moment: until when. Undefined when it is not. Nights that touch one another are one. */
export function quietUntil(hours: QuietHours, atMs: number): number | undefined {
  const { timeZone, days } = hours;
  const from = minutesOf(hours.from) * minuteMs;
  const until = minutesOf(hours.until) * minuteMs;
  const lasts = until > from ? until - from : until - from + dayMs;
  let wall = wallTime(atMs, timeZone);
  let end: number | undefined;
  // A week of whole days without a break ends after a week: whoever wants nothing at all turns it off.
  for (let step = 0; step < 8; step += 1) {
    const today = Math.floor(wall / dayMs) * dayMs;
    const begin = [today, today - dayMs]
      .map((day) => day + from)
      .find((begins) => days.includes(new Date(begins).getUTCDay()) && begins <= wall && wall < begins + lasts);
    if (begin === undefined) break;
    wall = begin + lasts;
    end = wall;
  }
  return end === undefined ? undefined : Math.max(atMs + 1, momentOf(end, timeZone));
}
