/** Times on the heatmap, where the reader is. All values are seconds since the epoch. */

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const both = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

export const clockTime = (at: number): string => clock.format(at * 1000);

/** `Nov 21, 14:00 – 14:10`, `Nov 20, 23:50 – Nov 21, 00:10`. */
export function spanWords(since: number, before: number): string {
  const sameDay = day.format(since * 1000) === day.format(before * 1000);
  return `${both.format(since * 1000)} – ${sameDay ? clockTime(before) : both.format(before * 1000)}`;
}

/** What a `datetime-local` input takes and gives. */
export function toInput(at: number): string {
  const date = new Date(at * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Undefined where nothing, or no time, was written. */
export function fromInput(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isFinite(at) ? Math.floor(at / 1000) : undefined;
}
