/** What clocks on walls show. Pure: times and time zones, no clock. */

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
  let before = moment;
  for (let step = 0; step < 3; step += 1) {
    const off = wallMs - wallTime(moment, timeZone);
    if (off === 0) return moment;
    before = moment;
    moment += off;
  }
  // Where no clock shows it, the moments go to and fro around it.
  return wallTime(moment, timeZone) === wallMs ? moment : Math.max(before, moment);
}
