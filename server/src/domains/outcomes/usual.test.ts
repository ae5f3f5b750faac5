import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { usualErrorRates } from './usual.ts';

const minute = 60_000;
const nowMs = Math.floor(Date.now() / minute) * minute;
const dayMs = 86_400_000;
let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

test('what a project sends in its busier minutes, without the storm of today', async () => {
  const row = { category: 'error', outcome: 'accepted', reason: '' };
  const steady = Array.from({ length: 100 }, (_, index) => ({
    ...row,
    project_id: 1,
    minute: nowMs - index * minute,
    quantity: 120,
  }));
  const rows = [
    ...steady,
    // Limited ones were sent, too; those that an SDK discarded were not, and others are no errors.
    { ...row, project_id: 1, minute: nowMs, outcome: 'rate_limited', reason: 'key_quota', quantity: 60 },
    { ...row, project_id: 1, minute: nowMs, outcome: 'client_discard', reason: 'queue', quantity: 6_000 },
    { ...row, project_id: 1, minute: nowMs, category: 'transaction', quantity: 6_000 },
    // A storm of today is not usual; yesterday's is.
    ...Array.from({ length: 50 }, (_, index) => [
      { ...row, project_id: 1, minute: nowMs - (200 + index) * minute, quantity: 6_000 },
      {
        ...row,
        project_id: 1,
        minute: nowMs - (200 + index) * minute,
        outcome: 'filtered',
        reason: 'storm',
        quantity: 9,
      },
      { ...row, project_id: 2, minute: nowMs - dayMs - index * minute, quantity: 5_991 },
      {
        ...row,
        project_id: 2,
        minute: nowMs - dayMs - index * minute,
        outcome: 'filtered',
        reason: 'storm',
        quantity: 9,
      },
    ]).flat(),
    // Older than a week.
    { ...row, project_id: 3, minute: nowMs - 8 * dayMs, quantity: 600 },
  ];
  await stores.events.insert('outcomes', rows, 'usual');
  const rates = await usualErrorRates(stores.events, nowMs);
  expect([...rates.keys()].toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(rates.get(1)).toBeCloseTo(2, 1);
  expect(rates.get(2)).toBeCloseTo(100, 1);
});
