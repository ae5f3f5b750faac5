/** Axes of values: how far they go, and which round numbers stand on them. Pure. */
import type { ChartSeries, Threshold } from './series.ts';

export interface Tick {
  readonly value: number;
  /** From 0 at the start (left, top) to 1. */
  readonly place: number;
  readonly label: string;
}

/** What is drawn: counts have no halves, durations (ms) have the steps of a clock. */
export type Measure = 'number' | 'count' | 'duration';

export interface ValueScale {
  readonly low: number;
  readonly high: number;
}

/** A little over the highest value, and never less than `least`; from nought, unless something lies under it. */
export function valueScale(
  series: readonly Pick<ChartSeries, 'values'>[],
  thresholds: readonly Pick<Threshold, 'value'>[],
  least: number,
): ValueScale {
  let [low, high] = [0, 0];
  const see = (value: number | null): void => {
    if (value === null) return;
    if (value > high) high = value;
    if (value < low) low = value;
  };
  for (const { values } of series) for (const value of values) see(value);
  for (const { value } of thresholds) see(value);
  return { low: low * 1.08, high: Math.max(least, high * 1.08) };
}

/** From 0 at the top to 1 at the bottom. */
export const placeOfValue = (value: number, { low, high }: ValueScale): number =>
  1 - (value - low) / Math.max(Number.MIN_VALUE, high - low);

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** From a second on people do not count in tens. */
const clockSteps = [
  ...[1, 2, 5, 10, 20, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 20, 30].map((count) => count * minute),
  ...[1, 2, 4, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 365].map((count) => count * day),
];

/** The least round step that cuts `length` into at most `most` parts. */
export function roundStep(length: number, most: number, measure: Measure = 'number'): number {
  const least = length / Math.max(1, most);
  if (measure === 'duration' && least > second / 2) {
    const step = clockSteps.find((each) => each >= least);
    if (step !== undefined) return step;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(least, Number.MIN_VALUE)));
  // Ten has the next power for those that lie a hair over nine.
  const step = [1, 2, 5, 10].map((round) => round * power).find((each) => each >= least * (1 - 1e-9)) ?? 10 * power;
  return measure === 'count' ? Math.max(1, step) : step;
}

/** The largest number of one digit that is not more. */
function roundBelow(high: number): number {
  const power = 10 ** Math.floor(Math.log10(high));
  return Math.floor(high / power) * power;
}

/** px between two numbers of the axis at least. */
const leastGap = 24;

/** Round numbers along `height` px. Two that would read the same are one. */
export function valueTicks(
  scale: ValueScale,
  height: number,
  format: (value: number) => string,
  measure: Measure = 'number',
): Tick[] {
  const length = scale.high - scale.low;
  if (!(length > 0)) return [];
  const most = Math.max(1, Math.floor(height / leastGap));
  const fitting = roundStep(length, most, measure);
  // A low chart has one number beside nought, however few it has room for.
  const step = fitting > scale.high ? roundBelow(scale.high) : fitting;
  const ticks: Tick[] = [];
  for (let index = Math.ceil(scale.low / step); ; index += 1) {
    // 3 × 0.1 is a hair more than 0.3.
    const value = Number((index * step).toPrecision(12));
    if (value > scale.high) return ticks;
    const label = value === 0 ? '0' : format(value);
    if (ticks.at(-1)?.label !== label) ticks.push({ value, place: placeOfValue(value, scale), label });
  }
}
