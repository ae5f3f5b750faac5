/** What is known of an issue after it got more events, without asking for it again. */
import type { Gain } from '../../../base/live.ts';
import type { TimeRange } from '../../../base/time-range.ts';
import type { IssueNumbers } from '../types.ts';
import { middleOf } from './halves.ts';
import type { IssueTotals } from './issue.ts';
import type { Growing } from './known-entry.ts';
import type { NumbersFilter } from './numbers.ts';
import { type UserSet, withUsers } from './users/user-set.ts';

const dayMs = 86_400_000;

interface Counted {
  readonly count: number;
  readonly userCount: number;
  readonly lastSeen: number;
}

export function growingNumbers(
  { environments, range, halves }: Pick<NumbersFilter, 'environments' | 'range' | 'halves'>,
  seriesRange: TimeRange,
): Growing<IssueNumbers> {
  const isListed = among(environments);
  return (numbers, gains) => {
    const listed = gains.filter(isListed);
    const ranged = listed.filter(within(range));
    const lifetime = added(numbers.lifetime, numbers.users?.lifetime, gains);
    const counted = added(numbers, numbers.users?.ranged, ranged);
    if (!lifetime || !counted) return undefined;
    const half = halves ? { ...range, startMs: middleOf(range) } : undefined;
    const answer = {
      ...counted.sum,
      recent: numbers.recent + (half ? eventsOf(ranged.filter(within(half))) : 0),
      series: withSeries(numbers.series, seriesRange, listed),
      lifetime: lifetime.sum,
      unhandled: numbers.unhandled || ranged.some(({ unhandled }) => unhandled > 0),
      users: numbers.users && { ranged: counted.users, lifetime: lifetime.users },
    };
    return { answer, isExact: counted.isExact && lifetime.isExact };
  };
}

/** Of the whole life, in all environments. */
export const growingLife: Growing<Counted & { readonly users?: UserSet | undefined }> = (life, gains) => {
  const grown = added(life, life.users, gains);
  return grown && { answer: { ...grown.sum, users: grown.users }, isExact: grown.isExact };
};

export function growingTotals(environments: readonly string[]): Growing<IssueTotals> {
  const isCounted = among(environments);
  return (totals, gains) => {
    const own = gains.filter(isCounted);
    const grown = added(totals, totals.users, own);
    if (!grown) return undefined;
    const { sum, users, isExact } = grown;
    const { dayRange, monthRange } = totals;
    const answer = {
      ...sum,
      unhandled: totals.unhandled || own.some(({ unhandled }) => unhandled > 0),
      stored: totals.stored + own.reduce((sum, { events, sampled = 0 }) => sum + events - sampled, 0),
      day: withSeries(totals.day, dayRange, own),
      month: withSeries(totals.month, monthRange, own),
      dayRange,
      monthRange,
      users,
    };
    return { answer, isExact };
  };
}

const among =
  (environments: readonly string[]) =>
  ({ environment }: Gain): boolean =>
    !environments.length || environments.includes(environment);

/** Of ranges that begin and end with an hour or a day. */
const within =
  ({ startMs, endMs, open }: Pick<TimeRange, 'startMs' | 'endMs' | 'open'>) =>
  ({ hourMs }: Gain): boolean =>
    hourMs >= startMs && (open || hourMs < endMs);

const eventsOf = (gains: readonly Gain[]): number => gains.reduce((sum, { events }) => sum + events, 0);

/** Exact as long as its users are told apart; undefined where they were not yet. */
function added(
  { count, userCount, lastSeen }: Counted,
  known: UserSet | undefined,
  gains: readonly Gain[],
): { readonly sum: Counted; readonly users: UserSet | undefined; readonly isExact: boolean } | undefined {
  const named = gains.flatMap((gain) => gain.users);
  if (!known && named.length) return undefined;
  const users = known && withUsers(known, named);
  const sum = {
    count: count + eventsOf(gains),
    userCount: users && users !== 'too many' ? users.length : userCount,
    lastSeen: Math.max(count ? lastSeen : 0, ...gains.map((gain) => gain.lastSeen)),
  };
  return { sum, users, isExact: users !== 'too many' || !named.length };
}

/** Days count whole; what lies behind the end of an open range belongs to the last bucket. */
function withSeries(
  series: ReadonlyMap<number, number>,
  range: TimeRange,
  gains: readonly Gain[],
): ReadonlyMap<number, number> {
  const { startMs, bucketMs, buckets, grain } = range;
  const step = grain === 'day' && bucketMs % dayMs === 0 ? dayMs : 1;
  const grown = new Map(series);
  for (const { hourMs, events } of gains.filter(within(range))) {
    const at = Math.floor(hourMs / step) * step;
    const index = Math.min(buckets - 1, Math.floor((at - startMs) / bucketMs));
    grown.set(index, (grown.get(index) ?? 0) + events);
  }
  return grown;
}
