import { expect } from 'vitest';
import { test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { deleteEndedWindows, takeShares } from './rate-windows.ts';

onEachDatabase('windows of rate limits', (databases) => {
  test('shares add up, over nodes and within a window', async () => {
    const state = await databases.migrated();
    const share = (category: string, items: number, endMs = 60_000) => ({ keyId: 1, category, endMs, items });
    expect(await takeShares(state, [share('transaction', 2), share('error', 3)])).toEqual([2, 3]);
    const sums = await Promise.all(Array.from({ length: 20 }, () => takeShares(state, [share('error', 1)])));
    expect(sums.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 4));
    // A window that is newer begins anew, and a clock that is behind counts into it.
    expect(await takeShares(state, [share('error', 5, 120_000)])).toEqual([5]);
    expect(await takeShares(state, [share('error', 1)])).toEqual([6]);
    await deleteEndedWindows(state, 120_000);
    expect(await state.db.selectFrom('rate_window').select('category').execute()).toEqual([{ category: 'error' }]);
  });
});
