/** Times on the heatmap, where the reader is. All values are seconds since the epoch. */
import { localClock, localMinute, localShortDay } from '../../ui/relative-time.ts';

export const clockTime = (at: number): string => localClock(at * 1000);

/** `Nov 21, 14:00 – 14:10`, `Nov 20, 23:50 – Nov 21, 00:10`. */
export function spanWords(since: number, before: number): string {
  const sameDay = localShortDay(since * 1000) === localShortDay(before * 1000);
  return `${localMinute(since * 1000)} – ${(sameDay ? localClock : localMinute)(before * 1000)}`;
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
