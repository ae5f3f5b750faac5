import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseField } from '@culprit/search';
import { errorRow, hash, openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { aggregateSql } from './aggregates.ts';
import { createBinder, eventsCount, eventsCountIf, partsOf, usersCount } from './index.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  const row = (user: string, stands_for: number, sampled_users: string[], release = 'a') => ({
    ...errorRow({ project_id: 1, group_hash: hash('one'), user, release }),
    stands_for,
    sampled_users,
  });
  await stores.events.insert(
    'errors',
    [row('id:1', 9, ['id:1', 'id:2']), row('', 4, ['id:3']), row('id:4', 0, [], 'b'), row('', 0, [], 'b')],
    'stood for',
  );
});
afterAll(() => stores[Symbol.asyncDispose]());

test('events count for those that they stand for, and for whom they met', async () => {
  const ofA = "release = 'a'";
  const [found] = await stores.events.query(
    `SELECT ${eventsCount} AS n, ${eventsCountIf(ofA)} AS a, ${usersCount()} AS users, ${usersCount(ofA)} AS usersOfA FROM errors`,
  );
  expect(found).toEqual({ n: 17, a: 15, users: 4, usersOfA: 3 });
});

test.each([
  ['count()', 17],
  ['count(user)', 11],
  ['count_if(release,equals,a)', 15],
  ['epm()', 17],
])('%s of Explore is about all of them', async (text, expected) => {
  const field = parseField(text, 'events');
  if ('code' in field || field.kind !== 'function') throw new Error(JSON.stringify(field));
  const { bind, params } = createBinder('p');
  const context = { dataSet: 'events', bind, nowMs: Date.now(), rangeSeconds: 60 } as const;
  const { sql } = aggregateSql(field, context);
  const parts = partsOf(field, context);
  const estimated = parts?.kind === 'total' ? `${parts.sql} / ${parts.per}` : 'NULL';
  const [found] = await stores.events.query(
    `SELECT toFloat64(${sql}) AS n, toFloat64(${estimated}) AS estimated FROM errors`,
    params,
  );
  expect(found).toEqual({ n: expected, estimated: expected });
});
