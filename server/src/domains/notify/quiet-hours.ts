/** When somebody wants to be left alone. Pure: times and time zones, no clock. */
import { momentOf, wallTime } from '../../base/wall-time.ts';
import type { QuietHours } from './types.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

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
