import { localClock, localShortDay } from './relative-time.ts';

/** A day less what the change of clocks takes from one. */
const daySeconds = 86_400 - 7200;

/** Labels of an axis of time, ticks in seconds since the epoch: `14:00`, at midnight and where each is another day `Nov 21`. */
export function timeTickLabels(ticks: readonly number[]): string[] {
  const areDays = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= daySeconds;
  return ticks.map((at) => {
    const time = new Date(at * 1000);
    const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
    return (areDays || isMidnight ? localShortDay : localClock)(at * 1000);
  });
}
