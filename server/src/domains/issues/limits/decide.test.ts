import { expect, test } from 'vitest';
import { decideLimit, type Limitable, type LimitState, mostEnvironments, mostUsers } from './decide.ts';

const minute = 60_000;
const fresh: LimitState = { events: 2, per: 'minute', period: 0, kept: 0, waiting: [] };

let count = 0;
const event = (
  receivedAt: number,
  more: { environment?: string; users?: string[]; events?: number } = {},
): Limitable => {
  const { environment = 'production', users = [], events = 1 } = more;
  return { key: `e${(count += 1)}`, environment, receivedAt, weight: { events, users } };
};
const many = (length: number, at: number, more?: Parameters<typeof event>[1]): Limitable[] =>
  Array.from({ length }, () => event(at, more));

/** Itself and whom it stands for, of each that is kept. */
const weights = ({ kept }: ReturnType<typeof decideLimit>): number[] =>
  kept
    .values()
    .toArray()
    .map(({ events }) => 1 + events);

test('the first of a period are kept, the others stand on the last of them', () => {
  const decided = decideLimit(fresh, many(10, 5 * minute));
  expect(weights(decided)).toEqual([1, 9]);
  expect(decided.next).toEqual({ ...fresh, period: 5, kept: 2 });
});

test('what finds none to stand on waits for the first of the next period', () => {
  const { next } = decideLimit(fresh, many(2, minute));
  const waits = decideLimit(next, many(7, minute, { users: ['u1'] }));
  expect(weights(waits)).toEqual([]);
  expect(waits.next.waiting).toEqual([{ environment: 'production', since: minute, events: 7, users: ['u1'] }]);
  const [first, ...others] = many(3, 2 * minute);
  const later = decideLimit(waits.next, [first!, ...others]);
  expect(later.kept.get(first!.key)).toEqual({ events: 7, users: ['u1'] });
  expect(weights(later)).toEqual([8, 2]);
  expect(later.next.waiting).toEqual([]);
});

test('a batch of several periods, and one that comes late', () => {
  const decided = decideLimit(fresh, [...many(5, 3 * minute), ...many(5, 4 * minute)]);
  expect(weights(decided)).toEqual([1, 4, 1, 4]);
  // In the period that runs, which is full.
  const late = decideLimit(decided.next, many(3, 3 * minute));
  expect(weights(late)).toEqual([]);
  expect(late.next).toMatchObject({ period: 4, kept: 2, waiting: [{ events: 3, since: 4 * minute }] });
});

test('each environment has its own where there is room, and takes what waits of others after a whole period', () => {
  const mixed = [...many(3, minute), event(minute, { environment: 'staging' })];
  const decided = decideLimit(fresh, mixed);
  expect([...decided.kept.keys()].toSorted()).toEqual([mixed[0]!.key, mixed[3]!.key].toSorted());
  expect(decided.kept.get(mixed[0]!.key)?.events).toBe(2);
  const waits = decideLimit(decided.next, many(4, minute, { environment: 'staging' }));
  const [second, third] = [event(2 * minute), event(3 * minute)];
  const next = decideLimit(waits.next, [second]);
  expect(next.kept.get(second.key)?.events).toBe(0);
  expect(decideLimit(next.next, [third]).kept.get(third.key)?.events).toBe(4);
});

test('what stands for others already counts for all of them', () => {
  const events = [event(minute, { events: 10 }), ...many(3, minute, { events: 10, users: ['a', 'b'] })];
  const decided = decideLimit({ ...fresh, events: 1 }, events);
  expect(decided.kept.get(events[0]!.key)).toEqual({ events: 30, users: ['a', 'b'] });
});

test('without a limit all are kept, and the first takes what waits', () => {
  const waiting = [{ environment: 'gone', since: 3 * minute, events: 5, users: [] }];
  const events = many(3, 3 * minute);
  const decided = decideLimit({ ...fresh, events: null, waiting }, events);
  expect(weights(decided)).toEqual([6, 1, 1]);
  expect(decided.next.waiting).toEqual([]);
});

test('where no more users may wait, or stand on one event, the next event is kept, so that all are counted', () => {
  const crowd = (length: number, of: (index: number) => string, environment?: string): Limitable[] =>
    Array.from({ length }, (_, index) => event(minute, { users: [of(index)], ...(environment && { environment }) }));
  const usersOf = ({ kept, next }: ReturnType<typeof decideLimit>): string[] =>
    [...kept.values(), ...next.waiting].flatMap(({ users }) => users);
  const full: LimitState = { ...fresh, period: 1, kept: 2 };
  // Those that are known need no room, and events without a user none either.
  const known = crowd(5 * mostUsers, (index) => `u${index % mostUsers}`);
  const waits = decideLimit(full, [...known, ...many(10, minute)]);
  expect(waits.kept.size).toBe(0);
  expect(usersOf(waits)).toHaveLength(mostUsers);
  const one = event(minute, { users: ['another'] });
  const carried = decideLimit(waits.next, [one, ...crowd(mostUsers, (index) => `v${index}`)]);
  expect(carried.kept.get(one.key)).toMatchObject({ events: 6 * mostUsers + 10 });
  expect(weights(carried)).toEqual([6 * mostUsers + 11]);
  expect(carried.next).toMatchObject({ kept: 2, waiting: [] });
  // Of an issue with room the same: what stands on one event is as bounded.
  const spread = decideLimit(
    fresh,
    crowd(3 * mostUsers, (index) => `w${index}`),
  );
  expect(spread.kept.size).toBe(2 + 2);
  expect(Math.max(...[...spread.kept.values()].map(({ users }) => users.length))).toBe(mostUsers);
  expect(weights(spread).reduce((a, b) => a + b)).toBe(3 * mostUsers);
});

test.each([15, 100])('of %i environments the users that wait are bounded, and all are counted', (environments) => {
  const environmentOf = (user: string): string => `env ${Number(user.slice('user '.length)) % environments}`;
  const users = Array.from({ length: 30 * mostUsers }, (_, index) => `user ${index}`);
  const crowd = users.map((user) => event(minute, { users: [user], environment: environmentOf(user) }));
  let state: LimitState = { ...fresh, period: 1, kept: 2 };
  const met: string[] = [];
  let events = 0;
  let kept = 0;
  for (let from = 0; from < crowd.length; from += 997) {
    const batch = new Map(crowd.slice(from, from + 997).map((one) => [one.key, one]));
    const decided = decideLimit(state, [...batch.values()]);
    state = decided.next;
    kept += decided.kept.size;
    for (const [key, weight] of decided.kept) {
      const { environment, weight: own } = batch.get(key)!;
      met.push(...own.users, ...weight.users);
      events += 1 + weight.events;
      if (environments > mostEnvironments) continue;
      expect(weight.users.filter((user) => environmentOf(user) !== environment)).toEqual([]);
    }
    expect(state.waiting.length).toBeLessThanOrEqual(mostEnvironments + 1);
    expect(state.waiting.reduce((sum, one) => sum + one.users.length, 0)).toBeLessThanOrEqual(2.1 * mostUsers);
  }
  met.push(...state.waiting.flatMap((one) => one.users));
  events += state.waiting.reduce((sum, one) => sum + one.events, 0);
  expect([events, met.length, new Set(met).size]).toEqual([crowd.length, crowd.length, crowd.length]);
  expect(kept).toBeLessThan(crowd.length / 50);
});
