/** Time ranges as requests give them, cut into buckets for series. */
import { CodedError } from './errors.ts';
import { timeRange } from './texts/requests.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const periodUnits: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day };
const bucketSizes = [1, 2, 5, 10, 15, 30]
  .map((minutes) => minutes * minute)
  .concat([1, 2, 3, 4, 6, 12, 24, 2 * 24, 7 * 24, 14 * 24, 30 * 24, 90 * 24].map((hours) => hours * hour));

export interface TimeRange {
  readonly startMs: number;
  /** Not included. For an open range the moment of asking. */
  readonly endMs: number;
  /** Up to now: what clients with a fast clock have dated into the future belongs to it. */
  readonly open: boolean;
  readonly bucketMs: number;
  readonly buckets: number;
  /** The finest grain to which both ends are exact: aggregates of that grain answer truly. */
  readonly grain: 'ms' | 'hour' | 'day';
  /** `24h`, or `range` for start and end. */
  readonly label: string;
}

export interface RangeRequest {
  readonly statsPeriod?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** Longest range, about ten years: more than any retention. */
const longestMs = 3_660 * day;

export const periodMs = (period: string): number =>
  Number.parseInt(period, 10) * (periodUnits[period.slice(-1)] ?? Number.NaN);

function parseTime(name: string, text: string): number {
  const zoned = /^\d{4}-\d\d-\d\d$/.test(text) || /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(ms)) throw new CodedError('INPUT_INVALID', [timeRange.time(name)]);
  return ms;
}

const floor = (ms: number, grain: number): number => Math.floor(ms / grain) * grain;

/** As it is asked for, to the millisecond. */
export type ExactRange = Pick<TimeRange, 'startMs' | 'endMs' | 'open'>;

/** Undefined when the request names no range. Throws `CodedError('INPUT_INVALID')`. */
export function parseTimeRange(request: RangeRequest, nowMs: number, maxBuckets = 120): TimeRange | undefined {
  if (!request.start && !request.end) {
    return request.statsPeriod ? lastPeriod(request.statsPeriod, nowMs, maxBuckets) : undefined;
  }
  const { startMs, endMs, open } = betweenTimes(request, nowMs);
  return cut(startMs, endMs, open, 'range', maxBuckets);
}

/** The same without rounding, for what is asked of the events themselves. */
export function exactTimeRange(request: RangeRequest, nowMs: number): ExactRange | undefined {
  if (request.start || request.end) return betweenTimes(request, nowMs);
  return request.statsPeriod ? sincePeriod(request.statsPeriod, nowMs) : undefined;
}

function betweenTimes({ start, end }: RangeRequest, nowMs: number): ExactRange {
  if (!start) throw new CodedError('INPUT_INVALID', [timeRange.noStart]);
  const startMs = parseTime('start', start);
  const endMs = end ? parseTime('end', end) : nowMs;
  if (endMs <= startMs) throw new CodedError('INPUT_INVALID', [timeRange.order]);
  if (endMs - startMs > longestMs) throw new CodedError('INPUT_INVALID', [timeRange.tooLong]);
  return { startMs, endMs, open: endMs >= nowMs };
}

/** The range from `period` (such as 24h) ago until now. */
export function lastPeriod(period: string, nowMs: number, maxBuckets = 120): TimeRange {
  const { startMs, endMs } = sincePeriod(period, nowMs);
  return cut(startMs, endMs, true, period, maxBuckets);
}

function sincePeriod(period: string, nowMs: number): ExactRange {
  const lengthMs = periodMs(period);
  if (!(lengthMs > 0 && lengthMs <= longestMs)) {
    throw new CodedError('INPUT_INVALID', [timeRange.period]);
  }
  return { startMs: nowMs - lengthMs, endMs: nowMs, open: true };
}

/**
 * Short ranges are exact to the millisecond and asked of the events themselves. Longer ones begin at a full hour, and
 * from a week on relative ones at a full day, so that aggregates answer for them.
 */
function cut(startMs: number, endMs: number, open: boolean, label: string, maxBuckets: number): TimeRange {
  const lengthMs = endMs - startMs;
  const grain = lengthMs < 12 * hour ? 'ms' : open && label !== 'range' && lengthMs >= 7 * day ? 'day' : 'hour';
  const start = grain === 'ms' ? startMs : floor(startMs, grain === 'day' ? day : hour);
  const end = grain === 'ms' || open ? endMs : Math.ceil(endMs / hour) * hour;
  const bucketMs =
    bucketSizes.find((size) => (size >= hour || grain === 'ms') && Math.ceil((end - start) / size) <= maxBuckets) ??
    90 * day;
  return {
    startMs: start,
    endMs: end,
    open,
    bucketMs,
    buckets: Math.max(1, Math.ceil((end - start) / bucketMs)),
    grain,
    label,
  };
}

/** A range of whole days in buckets of whole days, so that daily aggregates have its series; others as they are. */
export function byDays(range: TimeRange): TimeRange {
  if (range.grain !== 'day' || range.bucketMs % day === 0) return range;
  return { ...range, bucketMs: day, buckets: Math.max(1, Math.ceil((range.endMs - range.startMs) / day)) };
}

/** Counts by bucket index as `[seconds since the epoch, count]` pairs, zeros filled in. */
export function seriesOf(range: TimeRange, counts: ReadonlyMap<number, number>): [number, number][] {
  return Array.from({ length: range.buckets }, (_, index) => [
    Math.floor((range.startMs + index * range.bucketMs) / 1000),
    counts.get(index) ?? 0,
  ]);
}
