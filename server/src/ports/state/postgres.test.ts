import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { stateContract } from './contract.ts';
import { openState } from './open.ts';
import { onPostgres } from './testing/databases.ts';

onPostgres('state', (databases) => {
  stateContract(databases);

  test('says which database cannot be reached', async () => {
    await using state = await openState({ url: 'postgres://nobody@127.0.0.1:1/none', dataDir: '' });
    await expect(state.migrate()).rejects.toThrow(/ECONNREFUSED/);
  });

  test('work that loses its race for half a minute is said to be one too many, and what it was', async () => {
    const state = await databases.migrated();
    const lost = Object.assign(new Error('could not serialize access'), { code: '40001' });
    let attempts = 0;
    const start = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + attempts * 11_000);
    try {
      const losing = state.transaction(async () => {
        attempts += 1;
        throw lost;
      });
      await expect(losing).rejects.toMatchObject({ code: 'STATE_BUSY', status: 503, retryAfter: 5, cause: lost });
      expect(attempts).toBe(3);
    } finally {
      clock.mockRestore();
    }
  });

  test('a connection that breaks while it is held and asked nothing does not end the process', async () => {
    const state = await databases.migrated();
    const broken = state.transaction(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      const pid = rows[0]?.pid;
      await sql`select pg_terminate_backend(${pid})`.execute(state.db);
      const isThere = async (): Promise<boolean> =>
        (await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(state.db)).rows.length > 0;
      while (await isThere()) await delay(10);
      await sql`select 1`.execute(trx);
    });
    await expect(broken).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' });
    expect((await sql`select 1`.execute(state.db)).rows).toHaveLength(1);
  });
});
