/** Moments that are named on an axis of time, on the reader's clock. Pure; times are seconds since the epoch. */
import { localClock, localShortDay } from '../../ui/relative-time.ts';
import type { Tick } from './scales.ts';
import type { TimeSpan } from './series.ts';

const hour = 3600;
const daySeconds = 24 * hour;
/** Within a day. */
const steps = [60, 120, 300, 600, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour];
const days = [1, 2, 7, 14, 28, 56, 112, 182, 364];

/** px that a label takes. */
const labelWidth = 72;

/** As many as stand beside each other in `width` px. */
export function timeTicks(span: TimeSpan, width: number): Tick[] {
  const { from, until } = span;
  const most = Math.max(2, width / labelWidth);
  const length = until - from;
  if (!(length > 0)) return [];
  const step = steps.find((size) => length / size <= most);
  const moments = step === undefined ? midnights(from, until, dayStep(length, most)) : onTheClock(from, until, step);
  const labels = timeTickLabels(moments);
  return moments.map((value, index) => ({ value, place: (value - from) / length, label: labels[index] ?? '' }));
}

const dayStep = (length: number, most: number): number =>
  days.find((count) => length / (count * daySeconds) <= most) ?? Math.ceil(length / most / daySeconds);

function onTheClock(from: number, until: number, step: number): number[] {
  const offset = -new Date(from * 1000).getTimezoneOffset() * 60;
  const moments: number[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at < until; at += step) moments.push(at);
  return moments;
}

/** Days are counted on the calendar: those on which clocks change are shorter or longer. */
function midnights(from: number, until: number, step: number): number[] {
  const start = new Date(from * 1000);
  const [year, month, date] = [start.getFullYear(), start.getMonth(), start.getDate()];
  const midnight = (days: number): number => new Date(year, month, date + days).getTime() / 1000;
  const moments: number[] = [];
  for (let days = midnight(0) < from ? 1 : 0; midnight(days) < until; days += step) moments.push(midnight(days));
  return moments;
}

/** A day less what the change of clocks takes from one. */
const leastDay = daySeconds - 2 * hour;

/** `14:00`, at midnight and where each is another day `Nov 21`. */
export function timeTickLabels(ticks: readonly number[]): string[] {
  const areDays = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= leastDay;
  return ticks.map((at) => {
    const time = new Date(at * 1000);
    const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
    return (areDays || isMidnight ? localShortDay : localClock)(at * 1000);
  });
}
