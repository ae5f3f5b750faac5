import { getMigrations } from 'better-auth/db/migration';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { authOptions } from '../../domains/accounts/auth.ts';
import { migrations } from './migrations/index.ts';
import { openState } from './open.ts';
import type { State } from './state.ts';
import type { TestDatabases } from './testing/databases.ts';

/** What both databases must do; run by the test of each. */
export function stateContract(databases: TestDatabases): void {
  const opened: State[] = [];
  const open = async (...[options]: Parameters<typeof openState>): Promise<State> => {
    const state = await openState(options);
    opened.push(state);
    return state;
  };
  afterEach(async () => {
    for (const state of opened.splice(0)) await state.close();
  });

  const put = (db: State['db'], name: string, value: string) =>
    db
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  const get = async (db: State['db'], name: string): Promise<string | undefined> =>
    (await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst())?.value;

  async function makeProject({ db }: State): Promise<number> {
    const organization = { id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date() };
    await db.insertInto('organization').values(organization).execute();
    const { id } = await db
      .insertInto('project')
      .values({
        organization_id: 'o',
        slug: 'p',
        name: 'p',
        platform: '',
        short_id_prefix: 'P',
        settings: '{}',
        created_at: 1,
        first_event_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  describe('migrations', () => {
    test('apply once, in order, and are kept with their names', async () => {
      const state = await open(await databases.fresh());
      expect(await state.migrate()).toEqual(migrations.map(({ name }) => name));
      expect(await state.migrate()).toEqual([]);
      expect(migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name).sort());
    });

    test('apply once when several start at the same time', async () => {
      const place = await databases.fresh();
      const states = await Promise.all(Array.from({ length: 4 }, () => open(place)));
      const applied = await Promise.all(states.map((state) => state.migrate()));
      expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
    });

    test('leave nothing for better-auth to add', async () => {
      const state = await databases.migrated();
      const plan = await getMigrations(
        authOptions({ state, url: 'http://localhost', secret: 'x'.repeat(32), warn: console.warn }),
      );
      expect(plan).toMatchObject({
        toBeCreated: [],
        toBeAdded: [],
        toBeAddedIndexes: [],
        unsafeChanges: [],
        schemaProblems: [],
      });
      expect(await plan.compileMigrations()).toBe(';');
    });
  });

  describe('transactions', () => {
    test('keep all or nothing', async () => {
      const state = await databases.migrated();
      await put(state.db, 'kept', '1');
      const failed = state.transaction(async (trx) => {
        await put(trx, 'kept', '2');
        await put(trx, 'new', '2');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect([await get(state.db, 'kept'), await get(state.db, 'new')]).toEqual(['1', undefined]);
      expect(await state.transaction(async (trx) => (await put(trx, 'new', '3'), 'done'))).toBe('done');
      expect(await get(state.db, 'new')).toBe('3');
    });

    test('that read and then write lose no update, from several connections at once', async () => {
      const place = await databases.fresh();
      const states = await Promise.all(Array.from({ length: 4 }, () => open(place)));
      await states[0]?.migrate();
      const increment = (state: State) =>
        state.transaction(async (trx) => {
          const before = Number((await get(trx, 'counter')) ?? 0);
          await new Promise((resolve) => setImmediate(resolve));
          await put(trx, 'counter', String(before + 1));
        });
      await Promise.all(states.flatMap((state) => Array.from({ length: 10 }, () => increment(state))));
      expect(await get(states[0]!.db, 'counter')).toBe('40');
    });

    test('hide what they have not committed from everyone else', async () => {
      const state = await databases.migrated();
      await put(state.db, 'a', 'before');
      let seen: Promise<string | undefined> | undefined;
      let start = (): void => {};
      const started = new Promise<void>((resolve) => (start = resolve));
      const work = state.transaction(async (trx) => {
        await put(trx, 'a', 'after');
        start();
        await new Promise((resolve) => setTimeout(resolve, 20));
        await put(trx, 'b', 'after');
      });
      await started;
      seen = state.db
        .selectFrom('setting')
        .select(['name', 'value'])
        .where('name', 'in', ['a', 'b'])
        .orderBy('name')
        .execute()
        .then((rows) => rows.map(({ value }) => value).join());
      await work;
      expect(['before', 'after,after']).toContain(await seen);
    });

    test('can be rolled back in part', async () => {
      const state = await databases.migrated();
      const trx = await state.db.startTransaction().execute();
      await put(trx, 'a', '1');
      const point = await trx.savepoint('here').execute();
      await put(point, 'a', '2');
      await point.rollbackToSavepoint('here').execute();
      await trx.commit().execute();
      expect(await get(state.db, 'a')).toBe('1');
    });
  });

  describe('values', () => {
    test('whole numbers and sums come back as numbers, times of better-auth can be read', async () => {
      const state = await databases.migrated();
      const id = await makeProject(state);
      const far = Date.UTC(2286, 10, 20);
      await state.db.updateTable('project').set({ first_event_at: far }).where('id', '=', id).execute();
      const row = await state.db
        .selectFrom('project')
        .select(({ fn }) => [
          'id',
          'first_event_at',
          'next_issue_number',
          fn.countAll<number>().as('count'),
          fn.sum<number>('created_at').as('sum'),
        ])
        .groupBy('id')
        .executeTakeFirst();
      expect(row).toEqual({ id, first_event_at: far, next_issue_number: 1, count: 1, sum: 1 });
      const { createdAt } = await state.db.selectFrom('organization').select('createdAt').executeTakeFirstOrThrow();
      expect(Math.abs(Date.now() - new Date(createdAt).getTime())).toBeLessThan(60_000);
    });

    test('text that no database can store is stored with a mark in its place', async () => {
      const state = await databases.migrated();
      await put(state.db, 'hostile', 'a\0b\ud800c\u{1F600}');
      expect(await get(state.db, 'hostile')).toBe('a\uFFFDb\uFFFDc\u{1F600}');
      const found = await state.db
        .selectFrom('setting')
        .select('name')
        .where('value', 'in', ['x', 'a\0b\ud800c\u{1F600}'])
        .execute();
      expect(found).toEqual([{ name: 'hostile' }]);
      expect((await sql<{ text: string }>`select cast(${'a\0'} as text) as text`.execute(state.db)).rows).toEqual([
        { text: 'a\uFFFD' },
      ]);
    });

    test('a number that was given once is not given again', async () => {
      const state = await databases.migrated();
      const id = await makeProject(state);
      await state.db.deleteFrom('organization').execute();
      expect(await makeProject(state)).toBeGreaterThan(id);
    });
  });

  test('deleting a project deletes its rows', async () => {
    const state = await databases.migrated();
    const { db } = state;
    const projectId = await makeProject(state);
    await db
      .insertInto('project_key')
      .values({
        project_id: projectId,
        public_key: 'k',
        label: '',
        is_active: 1,
        rate_limit_count: null,
        rate_limit_window_seconds: null,
        created_at: 1,
      })
      .execute();
    const { id: issueId } = await db
      .insertInto('issue')
      .values({
        project_id: projectId,
        number: 1,
        status: 'unresolved',
        substatus: 'new',
        level: 'error',
        title: '',
        culprit: '',
        platform: '',
        type: 'error',
        metadata: '{}',
        first_seen: 1,
        last_seen: 1,
        first_release: null,
        last_release: null,
        status_changed_at: null,
        created_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('issue_hash')
      .values({
        project_id: projectId,
        hash: 'h',
        issue_id: issueId,
        grouping_version: '',
        basis: '',
        first_event_id: '',
        explanation: '',
        created_at: 1,
      })
      .execute();
    await db
      .insertInto('issue_activity')
      .values({ issue_id: issueId, type: 'first_seen', user_id: null, data: '{}', created_at: 1 })
      .execute();
    await db.deleteFrom('project').where('id', '=', projectId).execute();
    for (const table of ['project_key', 'issue', 'issue_hash', 'issue_activity'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    expect(await db.selectFrom('organization').select('id').execute()).toEqual([{ id: 'o' }]);
  });

  test('refuses what the unique indexes forbid, and goes on', async () => {
    const state = await databases.migrated();
    await makeProject(state);
    await expect(makeProject(state)).rejects.toThrow(/unique/i);
    await put(state.db, 'still', 'works');
    expect(await get(state.db, 'still')).toBe('works');
  });

  test('closing twice is harmless', async () => {
    const state = await openState(await databases.fresh());
    await state.close();
    await state.close();
  });
}
