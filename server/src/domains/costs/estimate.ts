/** Bytes of groups of events from a sample, with 95 % intervals, as they were measured: compressed they are fewer. Pure. */
import type { Sized, SizedEvent, Sizes } from './sizes.ts';

export interface Sampled extends Sized {
  readonly release: string;
}

/** An error. */
export interface SampledEvent extends Sampled, SizedEvent {
  readonly sdk: string;
  /** Group hash. */
  readonly group: string;
}

export interface Estimate {
  readonly bytes: number;
  /** The interval. */
  readonly low: number;
  readonly high: number;
}

/** Of a group, or a part of events. */
export interface Cost extends Estimate {
  readonly name: string;
  /** Events; of all of them for a part. */
  readonly events: number;
}

/** A part of events, or all of it under '', that one release sends more of than the one before. */
export interface Growth {
  readonly release: string;
  readonly before: string;
  readonly part: string;
  /** Of bytes an event. */
  readonly times: number;
  readonly low: number;
  readonly high: number;
}

interface Mean {
  readonly count: number;
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
}

/** Of 95 %. */
const z = 1.96;
/** Fewer say nothing of how far values lie apart. */
const leastSampled = 8;
/** From such a lower bound on it is growth. */
const leastGrowth = 1.2;
/** Parts of fewer bytes, and of a smaller share, are not worth telling of. */
const leastPartBytes = 200;
const leastPartShare = 0.05;

export const meanOf = (values: readonly number[]): Mean =>
  meanBy(
    values.length,
    values.reduce((sum, value) => sum + value, 0),
    values.reduce((sum, value) => sum + value ** 2, 0),
  );

/** Of `count` values, by their sum and that of their squares. */
function meanBy(count: number, sum: number, squares: number): Mean {
  if (count === 0) return { count, mean: 0, error: Infinity };
  const mean = sum / count;
  if (count < 2) return { count, mean, error: Infinity };
  const variance = Math.max(0, squares - count * mean ** 2) / (count - 1);
  return { count, mean, error: Math.sqrt(variance / count) };
}

/** Of each part; those that lack it have none of it. One look at each size: names are as many as somebody likes. */
function meansOf(sizes: readonly Sizes[]): Map<string, Mean> {
  const sums = new Map<string, { sum: number; squares: number }>();
  for (const each of sizes) {
    for (const [name, bytes] of each) {
      const { sum, squares } = sums.get(name) ?? { sum: 0, squares: 0 };
      sums.set(name, { sum: sum + bytes, squares: squares + bytes ** 2 });
    }
  }
  return new Map([...sums].map(([name, { sum, squares }]) => [name, meanBy(sizes.length, sum, squares)]));
}

/** Of groups by how many there are of each. Those of which few were sampled go by all. */
export function costsOfGroups<Of extends Sampled>(
  sample: readonly Of[],
  key: (one: Of) => string,
  counts: readonly { readonly name: string; readonly events: number }[],
): Cost[] {
  const all = meanOf(sample.map(({ bytes }) => bytes));
  const spread = all.error * Math.sqrt(Math.max(1, sample.length));
  const byName = Map.groupBy(sample, key);
  return counts
    .map(({ name, events }) => {
      const own = meanOf((byName.get(name) ?? []).map(({ bytes }) => bytes));
      // Of few, how far one event may lie from the others.
      const { mean, error } = own.count >= leastSampled ? own : { mean: all.mean, error: spread };
      return { name, events, ...around(events * mean, events * error) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** The largest first, so many of them. */
export const costsOfParts = (sizes: readonly Sizes[], events: number, most: number): Cost[] =>
  [...meansOf(sizes)]
    .sort(([, a], [, b]) => b.mean - a.mean)
    .slice(0, most)
    .map(([name, { mean, error }]) => ({ name, events, ...around(events * mean, events * error) }));

/** What the later release sends more of, the most first; nothing that may be chance. */
export function growthOf(
  [earlier, later]: readonly [readonly Sampled[], readonly Sampled[]],
  [before, release]: readonly [string, string],
): Growth[] {
  if (earlier.length < leastSampled || later.length < leastSampled) return [];
  const means = (sample: readonly Sampled[]): Map<string, Mean> =>
    meansOf(sample.map(({ parts, bytes }) => new Map([...parts, ['', bytes]])));
  const [olds, news] = [means(earlier), means(later)];
  const least = Math.min(leastPartBytes, leastPartShare * (news.get('')?.mean ?? 0));
  return [...news]
    .flatMap(([part, now]): Growth[] => {
      const old = olds.get(part);
      if (!old || old.mean === 0 || now.mean < least) return [];
      const times = now.mean / old.mean;
      // The interval of a ratio lies evenly around its logarithm.
      const width = z * Math.hypot(old.error / old.mean, now.error / now.mean);
      const [low, high] = [times * Math.exp(-width), times * Math.exp(width)];
      return low >= leastGrowth ? [{ release, before, part, times, low, high }] : [];
    })
    .sort((a, b) => b.times - a.times);
}

function around(bytes: number, error: number): Estimate {
  const most = Number.isFinite(error) ? bytes + z * error : bytes * 2;
  const least = Number.isFinite(error) ? Math.max(0, bytes - z * error) : 0;
  return { bytes: Math.round(bytes), low: Math.round(least), high: Math.round(most) };
}
