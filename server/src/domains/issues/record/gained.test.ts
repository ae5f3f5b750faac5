/** What a batch says that it added to issues. */
import { expect, test } from 'vitest';
import { hashKey } from '../rows.ts';
import { gainedBy, gainsOf } from './gained.ts';

const hour = 3_600_000;
const row = { project_id: 1, group_hash: 'a', timestamp: 10 * hour, environment: '', handled: null, user: '' } as const;
const owners = new Map([
  [hashKey(1, 'a'), 7],
  [hashKey(1, 'b'), 7],
  [hashKey(2, 'a'), 8],
]);

test('events of an issue by hour and environment, whatever hash they have; others are of no issue', () => {
  const gains = gainsOf(
    [
      { ...row, user: 'id:1' },
      { ...row, group_hash: 'b', timestamp: 10 * hour + 5, handled: 0, user: 'id:1' },
      { ...row, timestamp: 10 * hour + 3, handled: 1, user: 'id:2' },
      { ...row, timestamp: 11 * hour },
      { ...row, environment: 'staging' },
      { ...row, project_id: 2 },
      { ...row, group_hash: 'of nobody' },
    ],
    owners,
  );
  const one = { environment: '', events: 1, unhandled: 0, sampled: 0, users: [] };
  expect(gains).toEqual(
    new Map([
      [
        7,
        [
          { ...one, hourMs: 10 * hour, events: 3, unhandled: 1, lastSeen: 10 * hour + 5, users: ['id:1', 'id:2'] },
          { ...one, hourMs: 11 * hour, lastSeen: 11 * hour },
          { ...one, hourMs: 10 * hour, lastSeen: 10 * hour, environment: 'staging' },
        ],
      ],
      [8, [{ ...one, hourMs: 10 * hour, lastSeen: 10 * hour }]],
    ]),
  );
  const gained = { issues: gains, fromMs: 1, untilMs: 2 };
  expect(gainedBy(gained, [8, 9])?.issues).toEqual(new Map([[8, gains.get(8)]]));
  expect(gainedBy(undefined, [8])).toBeUndefined();
});

test('one that stands for others counts for them, and for whom they met', () => {
  const gains = gainsOf([{ ...row, handled: 0, user: 'id:1', stands_for: 9, sampled_users: ['id:1', 'id:2'] }], owners);
  const sum = { hourMs: 10 * hour, environment: '', lastSeen: 10 * hour, users: ['id:1', 'id:2'] };
  expect(gains.get(7)).toEqual([{ ...sum, events: 10, unhandled: 10, sampled: 9 }]);
});
