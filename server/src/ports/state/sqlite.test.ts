import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { stateContract } from './contract.ts';
import { openState } from './open.ts';
import { onSqlite } from './testing/databases.ts';

onSqlite('state', (databases) => {
  stateContract(databases);

  test('is durable, lets readers be, and is for its owner only', async () => {
    const place = await databases.fresh();
    await using state = await openState(place);
    await state.migrate();
    const path = join(place.dataDir, 'state.db');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const other = new DatabaseSync(path);
    expect(other.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    other.close();
  });

  test('waits for a lock that another connection of the same thread holds', async () => {
    const place = await databases.fresh();
    await using state = await openState(place);
    await state.migrate();
    const other = new DatabaseSync(join(place.dataDir, 'state.db'));
    other.exec('begin immediate');
    const write = state.db.insertInto('setting').values({ name: 'a', value: '1' }).execute();
    const work = state.transaction((trx) => trx.selectFrom('setting').select('name').execute());
    setTimeout(() => other.exec('commit'), 100);
    await write;
    expect(await work).toEqual([{ name: 'a' }]);
    other.close();
  });

  test('a query that would wait for its own transaction is refused instead', async () => {
    const state = await databases.migrated();
    const stuck = state.transaction(() => state.db.selectFrom('setting').select('name').execute());
    await expect(stuck).rejects.toThrow(/must use the transaction/);
    // Work that a transaction has started and that outlives it is no longer part of it.
    let later: Promise<unknown> | undefined;
    await state.transaction(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 5)).then(() =>
        state.db.selectFrom('setting').select('name').execute(),
      );
    });
    expect(await later).toEqual([]);
  });

  test('is written to by threads at once', async () => {
    const place = await databases.fresh();
    await using state = await openState(place);
    await state.migrate();
    const work = `
      const { workerData } = require('node:worker_threads');
      (async () => {
        const { openState } = await import(workerData.module);
        const state = await openState(workerData.place);
        for (let round = 0; round < 25; round++) {
          await state.transaction(async (trx) => {
            const row = await trx.selectFrom('setting').select('value').where('name', '=', 'n').executeTakeFirst();
            const value = String(Number(row?.value ?? 0) + 1);
            await trx.insertInto('setting').values({ name: 'n', value }).onConflict((c) => c.column('name').doUpdateSet({ value })).execute();
          });
        }
        await state.close();
      })();`;
    const workerData = { module: new URL('./open.ts', import.meta.url).href, place };
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((resolve, reject) =>
            new Worker(work, { eval: true, workerData }).once('error', reject).once('exit', resolve),
          ),
      ),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(await state.db.selectFrom('setting').selectAll().execute()).toEqual([{ name: 'n', value: '75' }]);
  });
});
