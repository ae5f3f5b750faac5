/** Measurements of SDKs up to 10 as attributes: durations in ms, sizes in bytes, all else as it came. */
import { asObject, type JsonObject } from '../json.ts';

const maxMeasurements = 100;

const factors: Readonly<Record<string, number>> = {
  nanosecond: 1e-6,
  microsecond: 1e-3,
  millisecond: 1,
  second: 1e3,
  minute: 60e3,
  hour: 3600e3,
  day: 86_400e3,
  week: 604_800e3,
  bit: 1 / 8,
  byte: 1,
  kilobyte: 1e3,
  kibibyte: 1024,
  megabyte: 1e6,
  mebibyte: 1024 ** 2,
  gigabyte: 1e9,
  gibibyte: 1024 ** 3,
};

/** Cannot be less than nothing: a browser that says so measured wrong. */
const vitals = new Set(['lcp', 'cls', 'inp', 'fcp', 'fp', 'fid', 'ttfb', 'ttfb.requestTime']);

/** Adds them to the attributes that have none of that name. */
export function addMeasurements(attributes: JsonObject, sent: unknown): void {
  const measurements = asObject(sent);
  let count = 0;
  for (const name in measurements) {
    if (++count > maxMeasurements) break;
    const entry = measurements[name];
    const value = typeof entry === 'number' ? entry : asObject(entry)?.value;
    if (typeof value !== 'number' || !Number.isFinite(value) || name === '__proto__') continue;
    if (Object.hasOwn(attributes, name) || (value < 0 && vitals.has(name))) continue;
    const unit = asObject(entry)?.unit;
    const factor = typeof unit === 'string' && Object.hasOwn(factors, unit) ? (factors[unit] ?? 1) : 1;
    attributes[name] = value * factor;
  }
}
