/** Web vitals: names, thresholds and words. The server scores them. */
import * as m from '../../messages/performance.ts';
import { roundedNumber } from '../../ui/numbers.ts';
import type { VitalName } from './queries.ts';
import { milliseconds } from './words.ts';

export type Rating = 'good' | 'meh' | 'poor';

interface VitalFacts {
  readonly short: string;
  readonly name: string;
  /** Up to here good, above `poor` poor. ms; CLS has no unit. */
  readonly good: number;
  readonly poor: number;
}

export const vitalFacts: Readonly<Record<VitalName, VitalFacts>> = {
  lcp: { short: m.vitalsShort.lcp, name: m.vitals.lcp, good: 2500, poor: 4000 },
  inp: { short: m.vitalsShort.inp, name: m.vitals.inp, good: 200, poor: 500 },
  cls: { short: m.vitalsShort.cls, name: m.vitals.cls, good: 0.1, poor: 0.25 },
  fcp: { short: m.vitalsShort.fcp, name: m.vitals.fcp, good: 1800, poor: 3000 },
  ttfb: { short: m.vitalsShort.ttfb, name: m.vitals.ttfb, good: 800, poor: 1800 },
};

export const vitalNames = Object.keys(vitalFacts) as VitalName[];

export const ratingWords: Readonly<Record<Rating, string>> = m.ratings;

/** By a value. */
export function vitalRating(vital: VitalName, value: number): Rating {
  const { good, poor } = vitalFacts[vital];
  return value <= good ? 'good' : value <= poor ? 'meh' : 'poor';
}

export const formatVital = (vital: VitalName, value: number): string =>
  vital === 'cls' ? roundedNumber(value, 3) : milliseconds(value);

/** `good up to 2.5 s, poor above 4 s` */
export function thresholdWords(vital: VitalName): string {
  const { good, poor } = vitalFacts[vital];
  return m.thresholds({ good: formatVital(vital, good), poor: formatVital(vital, poor) });
}

export interface RatingPart {
  readonly rating: Rating;
  readonly count: number;
  /** From 0 to 100. */
  readonly percent: number;
}

/** How samples divide into the three ratings; whole percents that add up to 100. */
export function ratingParts({
  count,
  good,
  poor,
}: {
  readonly count: number;
  readonly good: number;
  readonly poor: number;
}): RatingPart[] {
  const counts: [Rating, number][] = [
    ['good', good],
    ['meh', Math.max(0, count - good - poor)],
    ['poor', poor],
  ];
  const total = Math.max(
    1,
    counts.reduce((sum, [, part]) => sum + part, 0),
  );
  const parts = counts.map(([rating, part]) => ({ rating, count: part, exact: (part / total) * 100 }));
  const floors = parts.map(({ exact }) => Math.floor(exact));
  let left = count > 0 ? 100 - floors.reduce((sum, part) => sum + part, 0) : 0;
  for (const index of [...parts.keys()].toSorted((a, b) => rest(parts[b]?.exact) - rest(parts[a]?.exact))) {
    if (left <= 0) break;
    floors[index] = (floors[index] ?? 0) + 1;
    left -= 1;
  }
  return parts.map(({ rating, count: part }, index) => ({ rating, count: part, percent: floors[index] ?? 0 }));
}

const rest = (value = 0): number => value - Math.floor(value);

/** `3.2 points to gain`, for the score of all. */
export const opportunityWords = (points: number): string =>
  points < 0.05 ? m.noOpportunity : m.opportunity({ points: Math.round(points * 10) / 10 });
