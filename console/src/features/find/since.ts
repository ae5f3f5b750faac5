import { localClock, localDay, localMinute } from '../../ui/relative-time.ts';

/** Where the reader is: `02:10` of today, `Nov 18, 02:10` of this year, else `Nov 18, 2024`. */
export function sinceText(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return localClock(at);
  return (then.getFullYear() === today.getFullYear() ? localMinute : localDay)(at);
}
