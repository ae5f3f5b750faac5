/** The chain on both databases: what it finds, what two nodes do to it, and what retention leaves. */
import { expect, test } from 'vitest';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openState } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import {
  allEntries,
  beginLogs,
  createAudit,
  type Deed,
  type Entry,
  expireEntries,
  listEntries,
  type Noted,
  type Seal,
  setRetention,
  verifyChain,
} from './index.ts';

const organizationId = 'acme';
const seal: Seal = { keyId: testSecrets.fingerprint, key: testSecrets.derive('head of the audit log') };
const other: Seal = { keyId: 'another', key: Buffer.alloc(32, 7) };
const deed: Deed = {
  organizationId,
  actor: { type: 'user', id: 'u1', name: 'Ada', email: 'ada@example.com' },
  source: { address: '192.0.2.7', agent: 'curl/8' },
  action: 'team.create',
};

const write = async (state: State, count: number, by: Seal | 'none' = seal): Promise<void> => {
  const audit = createAudit(state, by === 'none' ? undefined : by);
  for (let n = 1; n <= count; n += 1) {
    await audit.recorded(deed, async (_state, note) => note({ id: n, name: `team ${n}` }));
  }
};

const breaksOf = async (state: State, noted?: Noted, by = seal) => {
  const { breaks = [] } = (await verifyChain(state, by, organizationId, noted)) ?? {};
  return breaks.map(({ kind, seq, until }) => `${kind} ${seq === until ? seq : `${seq}-${until}`}`);
};

const everything = async (state: State): Promise<Entry[]> => {
  const found: Entry[] = [];
  for await (const part of allEntries(state, organizationId, {})) found.push(...part);
  return found;
};

onEachDatabase('the chain of the audit log', (databases) => {
  test('it is whole, and says where it ends', async () => {
    const state = await databases.migrated();
    await write(state, 5);
    const verified = await verifyChain(state, seal, organizationId);
    expect(verified).toMatchObject({ first: 1, last: 5, entries: 5, breaks: [] });
    expect((await everything(state)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(await verifyChain(state, seal, 'nobody')).toBeUndefined();
  });

  test('an entry stands in the transaction of its change, or not at all', async () => {
    const state = await databases.migrated();
    const audit = createAudit(state, seal);
    const failing = audit.recorded(deed, async (inner, note) => {
      await inner.db.insertInto('setting').values({ name: 'a', value: '1' }).execute();
      note({ id: 1, name: 'one' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await state.db.selectFrom('setting').selectAll().execute()).toEqual([]);
    expect(await everything(state)).toEqual([]);
    await audit.recorded(deed, (inner, note) =>
      inner.transaction(async (trx) => {
        await trx.insertInto('setting').values({ name: 'a', value: '1' }).execute();
        note({ id: 1, name: 'one' });
      }),
    );
    expect(await state.db.selectFrom('setting').selectAll().execute()).toHaveLength(1);
    expect(await everything(state)).toHaveLength(1);
  });

  test.each<[string, (state: State) => Promise<unknown>, string[]]>([
    [
      'a changed text',
      (state) =>
        state.db
          .updateTable('audit_entry')
          .set(({ fn, val }) => ({ content: fn<string>('replace', ['content', val('team 3'), val('team 9')]) }))
          .where('seq', '=', 3)
          .execute(),
      ['changed 3'],
    ],
    [
      'a changed column, by which lists are made',
      (state) => state.db.updateTable('audit_entry').set({ actor: 'user:u2' }).where('seq', '=', 3).execute(),
      ['changed 3'],
    ],
    [
      'a changed hash',
      (state) => state.db.updateTable('audit_entry').set({ hash: 'f00' }).where('seq', '=', 3).execute(),
      ['changed 3', 'changed 4'],
    ],
    ['a removed entry', (state) => state.db.deleteFrom('audit_entry').where('seq', '=', 3).execute(), ['missing 3']],
    ['a cut beginning', (state) => state.db.deleteFrom('audit_entry').where('seq', '<', 3).execute(), ['missing 1-2']],
    ['a cut end', (state) => state.db.deleteFrom('audit_entry').where('seq', '>', 3).execute(), ['cut 4-5']],
    [
      'a cut end, with the head put back',
      async (state) => {
        await state.db.deleteFrom('audit_entry').where('seq', '>', 3).execute();
        const [third] = (await everything(state)).slice(-1);
        await state.db
          .updateTable('audit_log')
          .set({ seq: 3, hash: third?.hash ?? '' })
          .execute();
      },
      ['seal 3'],
    ],
    [
      'reordered entries',
      async (state) => {
        const set = (from: number, to: number) =>
          state.db.updateTable('audit_entry').set({ seq: to }).where('seq', '=', from).execute();
        await set(2, 99);
        await set(3, 2);
        await set(99, 3);
      },
      ['changed 2', 'changed 3', 'changed 4'],
    ],
    [
      'an entry behind the head',
      async (state) => {
        const [last] = (await state.db.selectFrom('audit_entry').selectAll().where('seq', '=', 5).execute()).slice(-1);
        if (last)
          await state.db
            .insertInto('audit_entry')
            .values({ ...last, seq: 6 })
            .execute();
      },
      ['surplus 6'],
    ],
    ['a head that is gone', (state) => state.db.deleteFrom('audit_log').execute(), ['head 1-5']],
  ])('it finds %s', async (_what, tamper, expected) => {
    const state = await databases.migrated();
    await write(state, 5);
    await tamper(state);
    expect(await breaksOf(state)).toEqual(expected);
  });

  test('what was noted elsewhere is found to be another, or gone', async () => {
    const state = await databases.migrated();
    await write(state, 3);
    const noted = (await everything(state)).at(-1);
    if (!noted) throw new Error('nothing was written');
    await write(state, 2);
    expect(await breaksOf(state, noted)).toEqual([]);
    expect(await breaksOf(state, { ...noted, hash: 'other' })).toEqual(['noted 3']);
    expect(await breaksOf(state, { seq: 9, hash: noted.hash })).toEqual(['noted 9']);
  });

  test('a seal that does not hold is told before the next entry covers it', async () => {
    const state = await databases.migrated();
    await write(state, 2);
    expect(await breaksOf(state, undefined, other)).toEqual(['seal 2']);
    await write(state, 1, other);
    await write(state, 1, 'none');
    await write(state, 1);
    const told = (await everything(state)).filter(({ action }) => action === 'audit_log.reseal');
    expect(told.map(({ seq, details }) => [seq, details?.['reason'], details?.['entry']])).toEqual([
      [3, 'other key', 2],
      [5, 'other key', 4],
      [7, 'unsealed', 6],
    ]);
    expect(await breaksOf(state)).toEqual(['resealed 3', 'resealed 5', 'resealed 7']);
    // Who has noted the entry that tells it vouches for all before.
    const noted = (await everything(state)).at(-1);
    expect(await breaksOf(state, noted)).toEqual([]);
    await state.db.updateTable('audit_log').set({ seal: 'c2VhbA' }).execute();
    await write(state, 1);
    expect((await everything(state)).at(-2)?.details).toMatchObject({ reason: 'broken' });
  });

  test('what is too old is dropped; the rest verifies, and says so', async () => {
    const state = await databases.migrated();
    const day = 86_400_000;
    await write(state, 4);
    await setRetention(state, organizationId, 30);
    expect(await expireEntries(state, seal, Date.now() + 29 * day)).toBe(0);
    expect(await expireEntries(state, seal, Date.now() + 31 * day)).toBe(4);
    await write(state, 2);
    expect(await verifyChain(state, seal, organizationId)).toMatchObject({ first: 5, last: 7, entries: 3, breaks: [] });
    const [first] = await everything(state);
    expect(first).toMatchObject({ action: 'audit_log.expire', details: { entries: 4, from: 1, to: 4 } });
    await state.db.deleteFrom('audit_entry').where('seq', '=', 5).execute();
    expect(await breaksOf(state)).toEqual(['missing 5']);
  });

  test('each organisation has a log from the start', async () => {
    const state = await databases.migrated();
    await state.db
      .insertInto('organization')
      .values({ id: organizationId, name: 'Acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    await beginLogs(state, seal, Date.now());
    await beginLogs(state, seal, Date.now());
    expect((await everything(state)).map(({ action }) => action)).toEqual(['audit_log.start']);
  });

  test('pages go back and forth, filtered', async () => {
    const state = await databases.migrated();
    await write(state, 5);
    const page = (where: { before?: number; after?: number }, filter = {}) =>
      listEntries(state, organizationId, filter, { ...where, limit: 2 });
    const numbers = async (answer: ReturnType<typeof page>) => {
      const { entries, hasNewer, hasOlder } = await answer;
      return [entries.map(({ seq }) => seq), hasNewer, hasOlder];
    };
    expect(await numbers(page({}))).toEqual([[5, 4], false, true]);
    expect(await numbers(page({ before: 4 }))).toEqual([[3, 2], true, true]);
    expect(await numbers(page({ before: 2 }))).toEqual([[1], true, false]);
    expect(await numbers(page({ after: 1 }))).toEqual([[3, 2], true, true]);
    expect(await numbers(page({ after: 3 }))).toEqual([[5, 4], false, true]);
    for (const [filter, count] of [
      [{ actions: ['team'] }, 2],
      [{ actions: ['team.create', 'project'] }, 2],
      [{ actions: ['project'] }, 0],
      [{ actor: 'user:u1' }, 2],
      [{ actor: 'host' }, 0],
      [{ target: 'team' }, 2],
      [{ target: 'team:3' }, 1],
      [{ address: '192.0.2.7' }, 2],
      [{ address: '192.0.2.8' }, 0],
      [{ fromMs: Date.now() + 1 }, 0],
      [{ untilMs: Date.now() + 1 }, 2],
    ] as const) {
      expect((await page({}, filter)).entries, JSON.stringify(filter)).toHaveLength(count);
    }
  });

  test('several nodes write one chain without holes, while it is verified', async () => {
    const place = await databases.migratedPlace();
    await using stack = new AsyncDisposableStack();
    const states: State[] = [];
    for (let n = 0; n < 3; n += 1) states.push(stack.use(await openState(place)));
    const [reader] = states;
    if (!reader) throw new Error('no state');
    const progress = { isDone: false };
    const found: string[] = [];
    const verifying = (async () => {
      while (!progress.isDone) found.push(...(await breaksOf(reader)));
    })();
    await Promise.all(states.map((state) => write(state, 15)));
    progress.isDone = true;
    await verifying;
    expect(found).toEqual([]);
    expect(await verifyChain(reader, seal, organizationId)).toMatchObject({ last: 45, entries: 45, breaks: [] });
  });
});
