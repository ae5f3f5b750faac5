/** Time to places on the screen and back. All times are µs from the start of the trace. */
import { duration } from '../../ui/durations.ts';

/** A part of the trace's time. */
export interface TimeWindow {
  readonly fromUs: number;
  readonly untilUs: number;
}

/** Where a bar lies, in shares of the width, cut at the window. */
export interface Placed {
  readonly left: number;
  readonly width: number;
  /** It lies outside altogether, on this side. */
  readonly outside: 'before' | 'after' | undefined;
}

/** What is zoomed into is never shorter. */
const shortestUs = 10;

export const widthOf = ({ fromUs, untilUs }: TimeWindow): number => Math.max(1, untilUs - fromUs);

export function place(window: TimeWindow, offsetUs: number, durationUs: number): Placed {
  const total = widthOf(window);
  const until = offsetUs + durationUs;
  if (until < window.fromUs) return { left: 0, width: 0, outside: 'before' };
  if (offsetUs > window.untilUs) return { left: 1, width: 0, outside: 'after' };
  const left = Math.max(0, (offsetUs - window.fromUs) / total);
  return { left, width: Math.max(0, Math.min(1, (until - window.fromUs) / total) - left), outside: undefined };
}

/** The window within its bounds: moved, and cut only where it is longer than they are. */
export function within({ fromUs, untilUs }: TimeWindow, bounds: TimeWindow): TimeWindow {
  const most = bounds.untilUs - bounds.fromUs;
  const length = Math.min(most, Math.max(Math.min(shortestUs, most), untilUs - fromUs));
  const from = Math.max(bounds.fromUs, Math.min(fromUs, bounds.untilUs - length));
  return { fromUs: Math.round(from), untilUs: Math.round(from + length) };
}

/** `factor` below 1 zooms in; `share` is the place in the window that stays where it is. */
export function zoomed(window: TimeWindow, bounds: TimeWindow, factor: number, share = 0.5): TimeWindow {
  const length = widthOf(window);
  const next = Math.max(shortestUs, length * factor);
  const still = window.fromUs + length * share;
  return within({ fromUs: still - next * share, untilUs: still + next * (1 - share) }, bounds);
}

/** By a share of the window, to the right for positive ones. */
export function panned(window: TimeWindow, bounds: TimeWindow, share: number): TimeWindow {
  const by = widthOf(window) * share;
  return within({ fromUs: window.fromUs + by, untilUs: window.untilUs + by }, bounds);
}

/** `120000-340000` of an address. Undefined where it makes no sense. */
export function parseWindow(text: string | undefined): TimeWindow | undefined {
  const [, from, until] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  const window = { fromUs: Number(from), untilUs: Number(until) };
  return window.untilUs > window.fromUs ? window : undefined;
}

export const formatWindow = ({ fromUs, untilUs }: TimeWindow): string => `${fromUs}-${untilUs}`;

export interface Tick {
  readonly us: number;
  readonly share: number;
  readonly label: string;
}

const minuteUs = 60_000_000;
const dayUs = 1440 * minuteUs;
/** What people count in, where it is no power of ten. */
const longSteps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteUs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * 60 * minuteUs),
  ...[1, 2, 5, 10, 30, 60, 180, 365].map((days) => days * dayUs),
];

/** The least round step that gives at most `most` ticks. */
function stepFor(total: number, most: number): number {
  const least = total / Math.max(1, most);
  for (let power = 1; power <= 10_000_000; power *= 10)
    for (const round of [1, 2, 5]) if (round * power >= least && round * power <= 30_000_000) return round * power;
  return longSteps.find((step) => step >= least) ?? Math.ceil(least / (365 * dayUs)) * 365 * dayUs;
}

/** Round moments of the window, counted from `originUs`. */
export function ticksOf(window: TimeWindow, most: number, originUs = 0): Tick[] {
  const total = widthOf(window);
  const step = stepFor(total, most);
  const ticks: Tick[] = [];
  for (let at = Math.ceil((window.fromUs - originUs) / step); at * step + originUs <= window.untilUs; at++) {
    const us = at * step + originUs;
    ticks.push({ us, share: (us - window.fromUs) / total, label: at === 0 ? '0' : duration(us - originUs) });
  }
  return ticks;
}

/** Bars of many spans in one row, those that touch or nearly touch as one; by start. At most about `1 / nearness` of them. */
export function mergedPlaces(
  window: TimeWindow,
  stretches: Iterable<{ readonly offsetUs: number; readonly durationUs: number }>,
  nearness = 0.004,
): { left: number; width: number }[] {
  const merged: { left: number; width: number }[] = [];
  const places = [...stretches]
    .map(({ offsetUs, durationUs }) => place(window, offsetUs, durationUs))
    .filter(({ outside }) => !outside)
    .toSorted((a, b) => a.left - b.left);
  for (const { left, width } of places) {
    const last = merged.at(-1);
    if (last && left <= last.left + last.width + nearness) last.width = Math.max(last.width, left + width - last.left);
    else merged.push({ left, width });
  }
  return merged;
}
