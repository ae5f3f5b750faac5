/**
 * Which events of an issue with a limit are stored, and for whom they stand. Pure.
 *
 * Of each minute or hour, by when events were received, the first so many are kept, one of each environment before a second
 * of any. Those beyond are counted: they stand on a kept event of the same batch, period and environment, else they wait
 * for the next one of their environment. What has waited for a whole period goes with whichever comes next.
 */
import { type EventLimit, type LimitPeriod, periodMs } from '../../../base/event-limit.ts';

/** Whom an event stands for, beside itself. */
export interface Weight {
  readonly events: number;
  /** Whom they met, each once. */
  readonly users: readonly string[];
}

export interface Waiting extends Weight {
  /** Null: of environments beyond those that are told apart. */
  readonly environment: string | null;
  /** Start of the period in which the first of them came, ms since the epoch. */
  readonly since: number;
}

/** What is known of an issue between batches. */
export interface LimitState {
  /** Null: none any more, but something may wait. */
  readonly events: EventLimit['events'] | null;
  readonly per: LimitPeriod;
  /** Number of the minute or hour since the epoch in which `kept` counts. */
  readonly period: number;
  readonly kept: number;
  readonly waiting: readonly Waiting[];
}

export interface Limitable {
  /** Its own in the batch. */
  readonly key: string;
  readonly environment: string;
  /** ms since the epoch. */
  readonly receivedAt: number;
  /** Itself, and whom it stands for. */
  readonly weight: Weight;
}

export interface Decided {
  readonly next: LimitState;
  /** By key, what is added to those that are stored; the others are not. */
  readonly kept: ReadonlyMap<string, Weight>;
}

/** Users that wait, or stand on one event; of more the count falls short. */
export const mostUsers = 1_000;
/** Environments that wait apart. */
export const mostEnvironments = 20;

const noWeight: Weight = { events: 0, users: [] };

function sumOf(weights: readonly Weight[]): Weight {
  const users = new Set<string>();
  for (const weight of weights) {
    for (const user of weight.users) if (users.size < mostUsers) users.add(user);
  }
  return { events: weights.reduce((sum, { events }) => sum + events, 0), users: [...users] };
}

export const plus = (a: Weight, b: Weight): Weight => sumOf([a, b]);

export function decideLimit(before: LimitState, events: readonly Limitable[]): Decided {
  const { events: limit, per } = before;
  let { period, kept: keptSoFar, waiting } = before;
  const kept = new Map<string, Weight>();
  // Never back: what was received earlier, and comes later, counts in the period that runs.
  const periodOf = ({ receivedAt }: Limitable): number => Math.floor(receivedAt / periodMs[per]);
  const byPeriod = Map.groupBy(events, (event) => Math.max(before.period, periodOf(event)));
  for (const current of [...byPeriod.keys()].toSorted((a, b) => a - b)) {
    const ofPeriod = byPeriod.get(current) ?? [];
    if (current > period) [period, keptSoFar] = [current, 0];
    const room = limit === null ? Infinity : Math.max(0, limit - keptSoFar);
    const chosen = new Set(eachEnvironmentFirst(ofPeriod).slice(0, room));
    keptSoFar += chosen.size;
    /** Of each environment the last one that is kept. */
    const bearers = new Map<string, string>();
    const startOf = (number: number): number => number * periodMs[per];
    for (const event of ofPeriod) {
      if (!chosen.has(event)) continue;
      const goes = (one: Waiting): boolean =>
        one.environment === event.environment ||
        one.environment === null ||
        one.since < startOf(period - 1) ||
        limit === null;
      const taken = waiting.filter(goes);
      if (taken.length > 0) waiting = waiting.filter((one) => !goes(one));
      kept.set(event.key, taken.length > 0 ? sumOf(taken) : noWeight);
      bearers.set(event.environment, event.key);
    }
    const others = ofPeriod.filter((event) => !chosen.has(event));
    for (const [environment, same] of Map.groupBy(others, (event) => event.environment)) {
      const weight = sumOf(same.map((event) => event.weight));
      const bearer = bearers.get(environment);
      if (bearer === undefined) waiting = withWaiting(waiting, environment, weight, startOf(period));
      else kept.set(bearer, plus(kept.get(bearer) ?? noWeight, weight));
    }
  }
  return { next: { events: limit, per, period, kept: keptSoFar, waiting }, kept };
}

/** So that what waits of each finds one that it can go with. */
function eachEnvironmentFirst(events: readonly Limitable[]): Limitable[] {
  const firsts = new Map<string, Limitable>();
  for (const event of events) if (!firsts.has(event.environment)) firsts.set(event.environment, event);
  if (firsts.size <= 1) return [...events];
  const first = new Set(firsts.values());
  return [...first, ...events.filter((event) => !first.has(event))];
}

function withWaiting(
  waiting: readonly Waiting[],
  environment: string,
  weight: Weight,
  since: number,
): readonly Waiting[] {
  const isKnown = waiting.some((one) => one.environment === environment);
  const place = isKnown || waiting.length < mostEnvironments ? environment : null;
  const known = waiting.find((one) => one.environment === place);
  // All that wait of an issue share one bound on their users.
  const usersElsewhere = waiting.reduce((sum, one) => sum + (one === known ? 0 : one.users.length), 0);
  const { events, users } = known ? plus(known, weight) : weight;
  const sum = { environment: place, since: known?.since ?? since, events };
  const bounded = { ...sum, users: users.slice(0, Math.max(0, mostUsers - usersElsewhere)) };
  return known ? waiting.map((one) => (one === known ? bounded : one)) : [...waiting, bounded];
}
