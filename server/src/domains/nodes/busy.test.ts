import { expect, test } from 'vitest';
import { onSqlite } from '../../ports/state/testing/databases.ts';
import { createBusy } from './index.ts';

onSqlite('whether processing is behind', (databases) => {
  test('is what the nodes that process said last; of one that processes itself, what it knows', async () => {
    const state = await databases.migrated();
    let nowMs = 10_000_000;
    let ownMs: number | undefined;
    const isBusy = createBusy({ state, busyLagMs: 2_000, ownLagMs: () => ownMs, now: () => nowMs });
    const report = (id: string, lagMs: number | null, seen_at = nowMs) => {
      const row = { seen_at, report: JSON.stringify({ stores: [], lagMs, waitingFor: '' }) };
      return state.db
        .insertInto('node')
        .values({ id, roles: lagMs === null ? 'jobs' : 'process', version: '1', address: 'a', started_at: 1, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    };
    expect(await isBusy()).toBe(false);
    await report('own', null);
    await report('gone', 9_000, nowMs - 61_000);
    await report('first', 300);
    await report('second', 2_500);
    nowMs += 2_001;
    expect(await isBusy()).toBe(true);
    await report('second', 900);
    expect(await isBusy(), 'asked a moment ago').toBe(true);
    nowMs += 2_001;
    expect(await isBusy()).toBe(false);
    ownMs = 2_100;
    expect(await isBusy()).toBe(true);
    await report('second', 9_000);
    ownMs = 0;
    expect(await isBusy()).toBe(false);
  });

  test('stays what it was while the state store is away', async () => {
    const state = await databases.migrated();
    const db = new Proxy(state.db, {
      get() {
        throw new Error('away');
      },
    });
    expect(await createBusy({ state: { db }, busyLagMs: 1, ownLagMs: () => undefined })()).toBe(false);
  });
});
