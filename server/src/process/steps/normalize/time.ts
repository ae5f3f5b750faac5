/** Times as clients send them, and correction of a clock that is off. All results are ms since the epoch. */

const driftThresholdMs = 55 * 60_000;
const maxFutureMs = 60_000;
const maxAgeMs = 30 * 24 * 3_600_000;

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d{0,9})?)?)?\s?(?:[zZ]|([+-])(\d\d):?(\d\d)|[+-]00)?$/;
const latestMs = Date.UTC(9999, 11, 31);

/**
 * Seconds since the epoch (number or text) or ISO text; no zone means UTC. Numbers that could only be ms are taken as
 * such. Undefined for all else.
 */
export function parseTime(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 48) return undefined;
  if (/^\d{1,13}(?:\.\d{1,12})?$/.test(value)) return fromNumber(Number(value));
  const match = iso.exec(value.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', sign, zoneHour, zoneMinute] = match;
  const atUtc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const zoneMs = sign ? (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000 : 0;
  const ms = atUtc + Number(`0.${fraction || '0'}`) * 1000 - zoneMs;
  return isTime(ms) && Number(month) <= 12 && Number(day) <= 31 ? ms : undefined;
}

function fromNumber(value: number): number | undefined {
  const ms = value > 1e11 ? value : value * 1000;
  return isTime(ms) ? ms : undefined;
}

function isTime(ms: number): boolean {
  return Number.isFinite(ms) && ms >= 0 && ms <= latestMs;
}

interface Clock {
  /** The event's time after correction. */
  readonly timestampMs: number;
  /** To be added to every other time of the event. */
  readonly shiftMs: number;
  readonly remark?: 'clock_drift' | 'future_timestamp' | 'past_timestamp';
}

/**
 * A sender whose `sent_at` is 55 minutes or more off has a wrong clock: its times are moved by the difference. An event
 * that still lies more than a minute ahead or 30 days back is moved to the time it arrived.
 */
export function correctClock(times: {
  timestampMs?: number;
  sentAtMs?: number;
  receivedMs: number;
  /** However old it is, it is known to be from then. */
  anyAge?: boolean;
}): Clock {
  const { receivedMs, sentAtMs, anyAge = false } = times;
  if (times.timestampMs === undefined) return { timestampMs: receivedMs, shiftMs: 0 };
  const drift = sentAtMs === undefined ? 0 : receivedMs - sentAtMs;
  const shiftMs = Math.abs(drift) >= driftThresholdMs ? drift : 0;
  const timestampMs = times.timestampMs + shiftMs;
  const age = receivedMs - timestampMs;
  if (age < -maxFutureMs) return { timestampMs: receivedMs, shiftMs: shiftMs + age, remark: 'future_timestamp' };
  if (age > maxAgeMs && !anyAge) return { timestampMs: receivedMs, shiftMs: shiftMs + age, remark: 'past_timestamp' };
  return shiftMs === 0 ? { timestampMs, shiftMs } : { timestampMs, shiftMs, remark: 'clock_drift' };
}

/** Seconds with the precision that clients send, without the noise that shifting leaves behind. */
export function toSeconds(ms: number): number {
  return Math.round(ms * 1000) / 1_000_000;
}
