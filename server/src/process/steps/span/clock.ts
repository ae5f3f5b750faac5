/** Times of spans in µs since the epoch: the sender's clock, and what is beyond sense. */
import { correctClock, parseTime } from '../normalize/time.ts';
import type { SpanRemark } from './input.ts';

/** How far back a span may begin; a longer one is cut there, so that rows stay in few partitions. */
const maxAgeUs = 30 * 86_400_000_000;
const maxFutureUs = 60_000_000;

/** Seconds (or ms) since the epoch or ISO text as µs; undefined for what is no time. */
export function parseMicros(value: unknown): number | undefined {
  const ms = parseTime(value);
  return ms === undefined ? undefined : Math.round(ms * 1000);
}

export interface ClockShift {
  /** To be added to every time of the sender. */
  readonly shiftUs: number;
  readonly remark?: SpanRemark;
}

/**
 * What spans that came together are moved by: they are judged by the middle one of their ends, so that one time beyond
 * sense does not move the others. `sentAt` and `receivedAt` are ms.
 */
export function clockShift(
  endsUs: readonly number[],
  { sentAt, receivedAt }: { readonly sentAt?: number | undefined; readonly receivedAt: number },
): ClockShift {
  if (endsUs.length === 0) return { shiftUs: 0 };
  const middle = endsUs.toSorted((a, b) => a - b)[endsUs.length >> 1] ?? 0;
  const timestampMs = middle / 1000;
  const { shiftMs, remark } = correctClock({ timestampMs, sentAtMs: sentAt, receivedMs: receivedAt });
  const shiftUs = Math.round(shiftMs * 1000);
  return remark === undefined ? { shiftUs } : { shiftUs, remark: { field: 'started_at', what: remark, was: -shiftUs } };
}

export interface Interval {
  readonly startUs: number;
  readonly endUs: number;
}

/**
 * The times as they may be stored: an end before the start becomes the start, a span that ends more than a minute ahead
 * is moved to when it was received, and one that began over 30 days before is cut there. `add` gets what was changed.
 */
export function sensibleTimes(times: Interval, receivedAt: number, add: (remark: SpanRemark) => void): Interval {
  const receivedUs = receivedAt * 1000;
  let startUs = wholeOr(times.startUs, receivedUs);
  let endUs = wholeOr(times.endUs, startUs);
  if (endUs < startUs) {
    add({ field: 'duration_us', what: 'negative_duration', was: endUs - startUs });
    endUs = startUs;
  }
  if (endUs > receivedUs + maxFutureUs) {
    add({ field: 'started_at', what: 'future_timestamp', was: startUs });
    startUs -= endUs - receivedUs;
    endUs = receivedUs;
  }
  const earliest = receivedUs - maxAgeUs;
  if (startUs < earliest) {
    add({ field: 'started_at', what: endUs < earliest ? 'past_timestamp' : 'long_span', was: startUs });
    if (endUs < earliest) endUs = Math.min(earliest + endUs - startUs, receivedUs);
    startUs = earliest;
  }
  return { startUs, endUs };
}

function wholeOr(value: number, other: number): number {
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) ? whole : other;
}
