/** Answers that are estimated from a sample at first, and then of all rows: what they say of themselves. Pure. */
import { percent, pluralForm } from '../../ui/numbers.ts';
import { localTime } from '../../ui/relative-time.ts';
import { offBy } from '../charts/estimates.ts';
import { momentOf, numberWords, type Measure } from './values.ts';

/** Ends between which the exact value lies 19 times in 20; null: not known. */
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
export function errorWords(value: unknown, [low, high]: Interval, measure: Measure): ErrorWords {
  const words = (end: number | string): string => {
    if (measure.type === 'date') return localTime(momentOf(end) ?? 0);
    return typeof end === 'number' ? numberWords(end, measure, true) : end;
  };
  const isDate = measure.type === 'date';
  if (low !== null && high === null)
    return {
      text: isDate ? 'or later' : 'or more',
      range: `${words(low)} in the sample; there may be ${isDate ? 'later ones' : 'more'} in all`,
    };
  if (low === null && high !== null)
    return {
      text: isDate ? 'or earlier' : 'or less',
      range: `${words(high)} in the sample; there may be ${isDate ? 'earlier ones' : 'less'} in all`,
    };
  if (low === null || high === null)
    return { text: '±?', range: 'The sample has too little of it to say how exact this is' };
  const range = `${words(low)} to ${words(high)}, 19 times in 20`;
  if (typeof value !== 'number' || typeof low !== 'number' || typeof high !== 'number') return { text: '', range };
  return { text: value === 0 && high > 0 ? `≤ ${words(high)}` : offBy(value, [low, high]), range };
}

/** `Estimated from 4% of spans` */
export const estimateSentence = (share: number, noun: string): string =>
  `Estimated from ${percent(share, 1)} of ${pluralForm(2, noun)}`;
