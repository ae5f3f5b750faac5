/**
 * When a metric rule is in alarm, and when that is over.
 *
 * A value becomes a **score** that is worse the larger it is: itself or its negative, a change in percent, or how unusual it
 * is. Held against the thresholds it is a **reading**: critical, warning, between (over no threshold, but not past the
 * one that ends the alarm), normal, none (nothing to make a value of), learning (nothing to compare it with yet).
 *
 * The **state** is ok, warning, critical, no_data or learning. It becomes worse at once. It becomes better only when two
 * evaluations in a row say so, and `between` leaves it as it is, so that a value around a threshold does not make it flap.
 */
import type { Metric, MetricState } from '../types.ts';

export type Reading = 'critical' | 'warning' | 'between' | 'normal' | 'none' | 'learning';

/** Of scores. */
export interface Thresholds {
  readonly warning: number | null;
  readonly critical: number | null;
  /** At or below it is normal. */
  readonly resolve: number;
}

/** As a share of the lowest threshold: how far below it an alarm is over. */
const easing = 0.1;

/** Of static rules and changes. At least one of warning and critical is there. */
export function thresholdsOf({ warning, critical, resolve, direction, comparison }: Metric): Thresholds {
  const sign = direction === 'below' && comparison.type === 'static' ? -1 : 1;
  const signed = (value: number | null): number | null => (value === null ? null : sign * value);
  const [worst, bad] = [signed(critical), signed(warning)];
  const lowest = Math.min(worst ?? Infinity, bad ?? Infinity);
  return { warning: bad, critical: worst, resolve: signed(resolve) ?? lowest - Math.abs(lowest) * easing };
}

export function readingOf(score: number | null, { warning, critical, resolve }: Thresholds): Reading {
  if (score === null) return 'none';
  if (critical !== null && score >= critical) return 'critical';
  if (warning !== null && score >= warning) return 'warning';
  return score <= resolve ? 'normal' : 'between';
}

export interface Held {
  readonly state: MetricState;
  /** How many evaluations in a row said that it is better. */
  readonly calm: number;
}

/** Evaluations that must agree that it is better. */
const calmNeeded = 2;

/** What a reading does: a worse state at once, a better one after a while, or nothing. */
type Step = { readonly to: MetricState } | { readonly easesTo: MetricState } | 'stay';

const to = (state: MetricState): Step => ({ to: state });
const easesTo = (state: MetricState): Step => ({ easesTo: state });

/** `none` stands here as what it means where it counts as normal; see `noDataStep`. */
const steps: Readonly<Record<MetricState, Readonly<Record<Exclude<Reading, 'none'>, Step>>>> = {
  ok: { critical: to('critical'), warning: to('warning'), between: 'stay', normal: 'stay', learning: to('learning') },
  learning: { critical: to('critical'), warning: to('warning'), between: to('ok'), normal: to('ok'), learning: 'stay' },
  no_data: {
    critical: to('critical'),
    warning: to('warning'),
    between: to('ok'),
    normal: to('ok'),
    learning: to('learning'),
  },
  warning: {
    critical: to('critical'),
    warning: 'stay',
    between: 'stay',
    normal: easesTo('ok'),
    learning: easesTo('ok'),
  },
  critical: {
    critical: 'stay',
    warning: easesTo('warning'),
    between: 'stay',
    normal: easesTo('ok'),
    learning: easesTo('ok'),
  },
};

function stepOf(state: MetricState, reading: Reading, noData: Metric['noData']): Step {
  if (reading !== 'none') return steps[state][reading];
  if (noData === 'keep') return 'stay';
  if (noData === 'ok') return steps[state].normal;
  return state === 'no_data' ? 'stay' : to('no_data');
}

export function nextState(held: Held, reading: Reading, noData: Metric['noData']): Held {
  const step = stepOf(held.state, reading, noData);
  if (step === 'stay') return { state: held.state, calm: 0 };
  if ('to' in step) return { state: step.to, calm: 0 };
  return held.calm + 1 >= calmNeeded ? { state: step.easesTo, calm: 0 } : { state: held.state, calm: held.calm + 1 };
}

export type NotifiedState = Exclude<MetricState, 'learning'>;

const rank: Readonly<Record<NotifiedState, number>> = { ok: 0, no_data: 1, warning: 2, critical: 3 };

/** What is to be said once a rule is in a state, with what was said last; undefined for nothing. A step down to warning is not told. */
export function tellingOf(state: MetricState, notified: NotifiedState): NotifiedState | undefined {
  if (state === 'learning') return undefined;
  if (state === 'ok') return notified === 'ok' ? undefined : 'ok';
  return rank[state] > rank[notified] ? state : undefined;
}
