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

test('users and environments that wait are bounded, events are all counted', () => {
  const full: LimitState = { ...fresh, period: 1, kept: 2 };
  const crowd = Array.from({ length: 3 * mostUsers }, (_, index) =>
    event(minute, { users: [`user ${index}`], environment: `env ${index % 100}` }),
  );
  const { waiting } = decideLimit(full, crowd).next;
  expect(waiting).toHaveLength(mostEnvironments + 1);
  expect(waiting.reduce((sum, { events }) => sum + events, 0)).toBe(crowd.length);
  expect(waiting.reduce((sum, { users }) => sum + users.length, 0)).toBe(mostUsers);
});
