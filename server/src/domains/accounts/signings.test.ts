/** No flood of failed sign-ins fills a log, and none is lost in it. */
import { expect, test } from 'vitest';
import { testSecrets } from '../../base/secrets/testing.ts';
import { onSqlite } from '../../ports/state/testing/databases.ts';
import { createAudit, listEntries, sealOf } from '../audit/index.ts';
import { createSignings } from './signings.ts';

onSqlite('failed sign-ins', (databases) => {
  test('beyond an allowance they are counted together, and come with the next room', async () => {
    const state = await databases.migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'acme', name: 'Acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    let nowMs = 1_000_000;
    const signings = createSignings({
      state,
      audit: createAudit(state, sealOf(testSecrets)),
      warn: () => {},
      now: () => nowMs,
    });
    for (let n = 0; n < 5_000; n += 1) signings.failed(`u${n}@example.com`, 'wrong', { address: `192.0.2.${n}` });
    await signings.flush();
    const read = async () => (await listEntries(state, 'acme', {}, { limit: 1_000 })).entries;
    const times = async (): Promise<number> =>
      (await read()).reduce((sum, { details }) => sum + Number(details?.['times']), 0);
    expect(await read()).toHaveLength(100);
    await signings.flush();
    expect(await read()).toHaveLength(100);
    nowMs += 30_000;
    await signings.flush();
    expect(await read()).toHaveLength(101);
    expect(await times()).toBe(5_000);
  });

  test('of who is signed in are told to no organisation that is not theirs, also where the account is gone', async () => {
    const state = await databases.migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'acme', name: 'Acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    const signings = createSignings({ state, audit: createAudit(state, sealOf(testSecrets)), warn: () => {} });
    const actor = { type: 'user', id: 'gone', email: 'gone@example.com', session: 's' } as const;
    signings.failed('gone@example.com', 'wrong', {}, actor);
    await signings.flush();
    expect((await listEntries(state, 'acme', {}, { limit: 10 })).entries).toEqual([]);
    signings.failed('gone@example.com', 'wrong', {});
    await signings.flush();
    expect((await listEntries(state, 'acme', {}, { limit: 10 })).entries).toMatchObject([{ action: 'sign_in.fail' }]);
  });
});
