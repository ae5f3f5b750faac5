/** Measures as people read them, and how they changed. */
import * as m from '../../messages/measures.ts';
import { duration } from '../../ui/durations.ts';
import { compactNumber, fixedNumber, percent, percentage, times } from '../../ui/numbers.ts';
import { releaseName } from '../release-names/names.ts';
import type { ReleaseMark } from './queries.ts';

export const milliseconds = (ms: number): string => duration(ms * 1000);

/** `1,204/min`, and for what is rare by the hour or the day. */
export function rate(perMinute: number): string {
  if (perMinute === 0 || perMinute >= 1) return m.ratePerMinute({ count: compactNumber(round(perMinute)) });
  if (perMinute * 60 >= 1) return m.ratePerHour({ count: compactNumber(round(perMinute * 60)) });
  return m.ratePerDay({ count: compactNumber(round(perMinute * 1440)) });
}

/**
 * Of a bucket, by how much of it has passed at `askedAt` (ms); null where that is too little to say. `at` is in seconds.
 */
export function perMinute(
  { at, count }: { readonly at: number; readonly count: number },
  bucketSeconds: number,
  askedAt: number,
): number | null {
  const passed = Math.min(bucketSeconds, askedAt / 1000 - at);
  return passed < bucketSeconds * leastPassed ? null : (count * 60) / passed;
}

const leastPassed = 0.2;

/** A share from 0 to 1 with as many digits as tell it from nothing: `0.3%`, `12%`. */
export function share(value: number): string {
  if (value <= 0) return percentage(0);
  if (value < 0.0005) return `<${percentage(0.001)}`;
  return value < 0.0995 ? percentage(round(value * 100) / 100) : percent(value, 1);
}

/** `0.93`, from 0 to 1. */
export const apdex = (value: number): string => fixedNumber(value, 2);

const round = (value: number): number => (value >= 99.5 ? Math.round(value) : Math.round(value * 10) / 10);

export type Direction = 'up' | 'down' | 'same';

export interface Change {
  readonly direction: Direction;
  /** Whether that is good news. */
  readonly tone: 'better' | 'worse' | 'neutral';
  /** `24%`, `3.1×` or `no change`. */
  readonly text: string;
  /** For tips and those who hear it: `24% higher than the period before, 120 ms`. */
  readonly sentence: string;
}

/** Up to here a difference is none. */
const leastChange = 0.05;

/** A measure beside the period before. `good`: in which direction it should go. Undefined where nothing was before. */
export function changeOf(
  now: number,
  before: number | undefined,
  good: 'up' | 'down' | 'none',
  format: (value: number) => string,
): Change | undefined {
  if (before === undefined) return undefined;
  const was = { before: format(before) };
  if (before === 0 && now !== 0)
    return { direction: 'up', tone: toneOf('up', good), text: m.fromZero, sentence: m.wasZero };
  const relative = before === 0 ? 0 : now / before - 1;
  if (Math.abs(relative) < leastChange)
    return { direction: 'same', tone: 'neutral', text: m.noChange, sentence: m.same(was) };
  const direction = relative > 0 ? 'up' : 'down';
  const tone = toneOf(direction, good);
  if (relative >= 1) {
    const change = times(relative + 1);
    return { direction, tone, text: change, sentence: m.times({ change, ...was }) };
  }
  const change = percentage(Math.round(Math.abs(relative) * 100) / 100);
  const sentence = direction === 'up' ? m.higher({ change, ...was }) : m.lower({ change, ...was });
  return { direction, tone, text: change, sentence };
}

const toneOf = (direction: 'up' | 'down', good: 'up' | 'down' | 'none'): Change['tone'] =>
  good === 'none' ? 'neutral' : good === direction ? 'better' : 'worse';

/** Marks on a chart: `shop@5.2: deployed to production`, and `shop@5.2: first seen` where no deploy is known. */
export const toMarks = (marks: readonly ReleaseMark[]) =>
  marks.map((mark) => ({
    at: mark.at,
    version: mark.version,
    label: releaseName(mark, marks),
    detail:
      mark.environment === null
        ? m.firstSeen({ version: mark.version })
        : m.deployed({ version: mark.version, environment: mark.environment }),
  }));

/** `3.2× as frequent`, than among all. */
export const liftWords = (lift: number): string => m.lift({ times: times(lift) });
