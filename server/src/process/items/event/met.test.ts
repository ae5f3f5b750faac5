import { expect, test } from 'vitest';
import type { StandsFor } from '../../../base/stands-for.ts';
import { defaultProjectSettings } from '../../types.ts';
import { context, outcomesOf, run } from '../testing.ts';

const event = { message: 'x', platform: 'javascript', user: { id: '1' } };
const standsFor: StandsFor = {
  events: 9,
  met: [
    ['{"id":"2"}', ''],
    ['{"email":"who@example.com"}', ''],
    ['{"id":2}', '203.0.113.7'],
    ['', '203.0.113.8'],
    ['{"id":', '203.0.113.8'],
    ['{"ip_address":"{{auto}}"}', '203.0.113.10'],
    ['[]', 'no address'],
  ],
};

test('it counts for them, and they for nothing else', () => {
  const result = run('event', event, { standsFor });
  expect(outcomesOf(result)).toEqual([
    ['error', 'accepted', 1],
    ['error', 'filtered:storm', 9],
  ]);
  const [{ row } = { row: undefined }] = result.events ?? [];
  expect(row?.stands_for).toBe(9);
  // As their own rows would say it.
  const own = (user: unknown, remoteAddress: string): string | undefined =>
    run('event', { ...event, user }, { remoteAddress }).events?.[0]?.row.user;
  const expected = [
    own({ id: '2' }, ''),
    own({ email: 'who@example.com' }, ''),
    own(undefined, '203.0.113.8'),
    own({ ip_address: '{{auto}}' }, '203.0.113.10'),
  ];
  expect(row?.sampled_users).toEqual(expected);
  expect(expected.every(Boolean)).toBe(true);
});

test('under the rules of the project', () => {
  const settings = { ...defaultProjectSettings, storeIpAddresses: false, pseudonymizeUsers: true, pseudonymKey: 'ab' };
  const [{ row } = { row: undefined }] = run('event', event, { standsFor, settings }).events ?? [];
  const users = row?.sampled_users ?? [];
  expect(users.length).toBeGreaterThanOrEqual(2);
  expect(users.join()).not.toMatch(/who@|203\.0|id:2/);
  expect(users).toContain(run('event', { ...event, user: { id: '2' } }, { settings }).events?.[0]?.row.user);
});

test('one that is damaged is counted with them all the same', () => {
  expect(outcomesOf(run('event', '{"message":', { standsFor }))).toEqual(
    expect.arrayContaining([['error', 'filtered:storm', 9]]),
  );
});

test('an event that stands for none says so', () => {
  const [{ row } = { row: undefined }] = run('event', event).events ?? [];
  expect([row?.stands_for, row?.sampled_users]).toEqual([0, []]);
  expect(context.standsFor).toBeUndefined();
});
