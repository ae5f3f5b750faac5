/** Answers that are estimated from a sample at first, and then of all rows: what they say of themselves. Pure. */
import * as m from '../../messages/explore.ts';
import { percent } from '../../ui/numbers.ts';
import { localTime } from '../../ui/relative-time.ts';
import { offBy } from '../charts/estimates.ts';
import type { DataSet } from './data-sets.ts';
import { momentOf, numberWords, type Measure } from './values.ts';

/** Ends between which the exact value is in 19 of 20 cases; null: unknown. */
export type Interval = readonly [low: number | string | null, high: number | string | null];

export interface Estimable {
  readonly meta?: { readonly sampling?: { readonly share: number } | undefined } | undefined;
  /** It took the place of an estimate. */
  readonly wasEstimated?: true | undefined;
}

/** What of the rows was read, 0 to 1; undefined for all. */
export const shareOf = (answer: Estimable | undefined): number | undefined => answer?.meta?.sampling?.share;

export interface ErrorWords {
  /** `±8%` */
  readonly text: string;
  /** `1,204 to 1,310`, with how sure that is. */
  readonly range: string;
}

/** How far an estimated value may be off. */
export function errorWords(measured: unknown, [low, high]: Interval, measure: Measure): ErrorWords {
  const words = (end: number | string): string => {
    if (measure.type === 'date') return localTime(momentOf(end) ?? 0);
    return typeof end === 'number' ? numberWords(end, measure, true) : end;
  };
  const isDate = measure.type === 'date';
  if (low !== null && high === null) {
    const value = words(low);
    return isDate
      ? { text: m.orLater, range: m.sampleLater({ value }) }
      : { text: m.orMore, range: m.sampleMore({ value }) };
  }
  if (low === null && high !== null) {
    const value = words(high);
    return isDate
      ? { text: m.orEarlier, range: m.sampleEarlier({ value }) }
      : { text: m.orLess, range: m.sampleLess({ value }) };
  }
  if (low === null || high === null) return { text: '±?', range: m.sampleTooSmall };
  const range = m.within({ low: words(low), high: words(high) });
  if (typeof measured !== 'number' || typeof low !== 'number' || typeof high !== 'number') return { text: '', range };
  return { text: measured === 0 && high > 0 ? `≤ ${words(high)}` : offBy(measured, [low, high]), range };
}

/** `Estimated from 4% of spans` */
export const estimateSentence = (share: number, dataSet: DataSet): string =>
  m.estimated[dataSet]({ share: percent(share, 1) });
