const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };

/** A day less what the change of clocks takes from one. */
const daySeconds = 86_400 - 7200;

/** Labels of an axis of time, ticks in seconds since the epoch: `14:00`, at midnight and where each is another day `Nov 21`. */
export function timeTickLabels(ticks: readonly number[], locale?: string): string[] {
  const areDays = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= daySeconds;
  return ticks.map((at) => {
    const time = new Date(at * 1000);
    return areDays || (time.getHours() === 0 && time.getMinutes() === 0)
      ? time.toLocaleDateString(locale, day)
      : time.toLocaleTimeString(locale, clock);
  });
}
