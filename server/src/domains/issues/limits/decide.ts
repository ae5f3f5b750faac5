/**
 * Which events of an issue with a limit are stored, and for whom they stand. Pure.
 *
 * Of each minute or hour, by when events were received, the first so many are kept, one of each environment before a second
 * of any. Those beyond are counted: they stand on a kept event of the same batch, period and environment, else they wait
 * for the next one of their environment. What has waited for a whole period goes with whichever comes next.
 *
 * Users are carried by name, so that each is counted once. Where as many stand on one event, or wait, as may, the next one
 * beyond the limit is kept as well, and carries from there: one more event for each so many users, and none uncounted.
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

/** Users that wait of one issue, or stand on one event beside those that waited: from there on the next event is kept. */
export const mostUsers = 1_000;
/** Environments that wait apart. */
export const mostEnvironments = 20;
/** So many may wait of an environment whatever others take up, so that an event more is worth it. */
const leastUsers = mostUsers / mostEnvironments;

const noWeight: Weight = { events: 0, users: [] };

/** Weights that are put together one by one. */
class Sum {
  #events = 0;
  readonly #users = new Set<string>();

  constructor(...weights: readonly Weight[]) {
    for (const weight of weights) this.add(weight);
  }

  add({ events, users }: Weight): void {
    this.#events += events;
    for (const user of users) this.#users.add(user);
  }

  /** Whether it would have no more than so many users, or none that it does not have. */
  hasRoom({ users }: Weight, most: number): boolean {
    const fresh = users.reduce((count, user) => count + (this.#users.has(user) ? 0 : 1), 0);
    return fresh === 0 || this.#users.size + fresh <= most;
  }

  get users(): number {
    return this.#users.size;
  }

  get weight(): Weight {
    return { events: this.#events, users: [...this.#users] };
  }
}

export const plus = (a: Weight, b: Weight): Weight => new Sum(a, b).weight;

export function decideLimit(before: LimitState, events: readonly Limitable[]): Decided {
  const { events: limit, per } = before;
  let { period, kept: keptSoFar, waiting } = before;
  const kept = new Map<string, Weight>();
  const startOf = (number: number): number => number * periodMs[per];
  // Never back: what was received earlier, and comes later, counts in the period that runs.
  const periodOf = ({ receivedAt }: Limitable): number => Math.floor(receivedAt / periodMs[per]);
  const keep = ({ key, environment }: Limitable): void => {
    const goes = (one: Waiting): boolean =>
      one.environment === environment || one.environment === null || one.since < startOf(period - 1) || limit === null;
    const taken = waiting.filter(goes);
    if (taken.length > 0) waiting = waiting.filter((one) => !goes(one));
    kept.set(key, new Sum(...taken).weight);
  };
  /** Those of one environment beyond the limit; `bearer`: the last one of it that is kept. */
  const count = (environment: string, others: readonly Limitable[], bearer: string | undefined): void => {
    let carrier = bearer;
    let sum = new Sum((carrier === undefined ? waitingOf(waiting, environment) : kept.get(carrier)) ?? noWeight);
    let most = carrier === undefined ? roomIn(waiting, environment) : sum.users + mostUsers;
    const put = (): void => {
      if (carrier !== undefined) kept.set(carrier, sum.weight);
      else waiting = withWaiting(waiting, environment, sum.weight, startOf(period));
    };
    for (const event of others) {
      if (sum.hasRoom(event.weight, most)) {
        sum.add(event.weight);
        continue;
      }
      put();
      keep(event);
      carrier = event.key;
      sum = new Sum(kept.get(carrier) ?? noWeight);
      most = sum.users + mostUsers;
    }
    put();
  };
  const byPeriod = Map.groupBy(events, (event) => Math.max(before.period, periodOf(event)));
  for (const current of [...byPeriod.keys()].toSorted((a, b) => a - b)) {
    const ofPeriod = byPeriod.get(current) ?? [];
    if (current > period) [period, keptSoFar] = [current, 0];
    const room = limit === null ? Infinity : Math.max(0, limit - keptSoFar);
    const chosen = new Set(eachEnvironmentFirst(ofPeriod).slice(0, room));
    keptSoFar += chosen.size;
    const bearers = new Map<string, string>();
    for (const event of ofPeriod) {
      if (!chosen.has(event)) continue;
      keep(event);
      bearers.set(event.environment, event.key);
    }
    const others = ofPeriod.filter((event) => !chosen.has(event));
    for (const [environment, same] of Map.groupBy(others, (event) => event.environment)) {
      count(environment, same, bearers.get(environment));
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

/** Where it waits: apart, or with others that do not. */
const placeOf = (waiting: readonly Waiting[], environment: string): string | null =>
  waiting.length < mostEnvironments || waiting.some((one) => one.environment === environment) ? environment : null;

const waitingOf = (waiting: readonly Waiting[], environment: string): Waiting | undefined =>
  waiting.find((one) => one.environment === placeOf(waiting, environment));

/** All that wait of an issue share one bound on their users. */
function roomIn(waiting: readonly Waiting[], environment: string): number {
  const place = placeOf(waiting, environment);
  const elsewhere = waiting.reduce((sum, one) => sum + (one.environment === place ? 0 : one.users.length), 0);
  return Math.max(leastUsers, mostUsers - elsewhere);
}

/** With all that waits of the environment by now. */
function withWaiting(waiting: readonly Waiting[], environment: string, weight: Weight, from: number): Waiting[] {
  const known = waitingOf(waiting, environment);
  const place = placeOf(waiting, environment);
  const now = { environment: place, since: known?.since ?? from, ...weight };
  return known ? waiting.map((one) => (one === known ? now : one)) : [...waiting, now];
}
