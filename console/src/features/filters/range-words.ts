/** What ranges of time are called. */
import * as m from '../../messages/filters.ts';
import { localMinute } from '../../ui/relative-time.ts';
import { defaultRange, type Filters } from './filters.ts';

export const ranges = (Object.keys(m.ranges) as (keyof typeof m.ranges)[]).map((value) => ({
  value,
  label: m.ranges[value],
}));

const lastOf: Readonly<Record<string, (p: { readonly count: number }) => string>> = {
  m: m.lastMinutes,
  h: m.lastHours,
  d: m.lastDays,
  w: m.lastWeeks,
};

/** `Last 14 days`, or the two instants; with an empty fallback `Any time`. */
export function rangeLabel(filters: Filters, fallback = defaultRange): string {
  if (filters.start && filters.end) {
    return m.fromTo({ from: localMinute(Date.parse(filters.start)), to: localMinute(Date.parse(filters.end)) });
  }
  const value = filters.range ?? fallback;
  return lastOf[value.slice(-1)]?.({ count: Number.parseInt(value, 10) }) ?? m.anyTime;
}
