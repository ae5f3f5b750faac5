/** Limits as people set them, on both databases. */
import { beforeEach, expect, test } from 'vitest';
import type { EventLimit } from '../../../base/event-limit.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import {
  forgetWaiting,
  limitIn,
  limitOf,
  mergeLimits,
  renameWaitingUsers,
  restoreLimitIn,
  takeBackLimits,
} from './index.ts';

const now = Date.now();
const dayMs = 86_400_000;
const many: EventLimit = { events: 500, per: 'hour' };
const few: EventLimit = { events: 5, per: 'minute' };

const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: true, image: null };

onEachDatabase('limits that are set', ({ migrated }) => {
  let state: State;
  let projectId: number;
  const ids: number[] = [];

  async function addIssue(number: number, type = 'error'): Promise<number> {
    const common = { level: 'error', title: 'x', culprit: '', platform: 'node', metadata: '{}', created_at: now };
    const times = { first_seen: now, last_seen: now, first_release: null, last_release: null, status_changed_at: null };
    const { id } = await state.db
      .insertInto('issue')
      .values({ project_id: projectId, number, status: 'unresolved', substatus: 'new', type, ...common, ...times })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  beforeEach(async () => {
    state = await migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0) })
      .execute();
    const createdAt = new Date(0);
    await state.db
      .insertInto('user')
      .values({ ...ada, createdAt, updatedAt: createdAt })
      .execute();
    const project = { organization_id: 'org', slug: 'web', name: 'web', platform: '', short_id_prefix: 'WEB' };
    ({ id: projectId } = await state.db
      .insertInto('project')
      .values({ ...project, settings: '{}', created_at: 0, first_event_at: null })
      .returning('id')
      .executeTakeFirstOrThrow());
    ids.length = 0;
    for (let number = 1; number <= 3; number++) ids.push(await addIssue(number));
  });

  const inside = <T>(act: (trx: StateTransaction) => Promise<T>): Promise<T> => state.transaction(act);
  const set = (issueIds: readonly number[], limit: EventLimit | null) =>
    inside((trx) => limitIn(trx, { issueIds, userId: 'ada', nowMs: now }, limit));
  const limits = async () => Promise.all(ids.map(async (id) => (await limitOf(state, id)).limit));
  const wait = (issueId: number, events: number, users: readonly string[] = ['u1']) =>
    state.db
      .updateTable('issue_limit')
      .set({ waiting: JSON.stringify([{ environment: 'production', since: now - 10 * dayMs, events, users }]) })
      .where('issue_id', '=', issueId)
      .execute();
  const waiting = async () => Promise.all(ids.map(async (id) => (await limitOf(state, id)).waiting?.events ?? 0));

  test('and are told in the activity, taken back but for what is another by then, and gone with their issue', async () => {
    const [a = 0, b = 0, c = 0] = ids;
    await set([a], many);
    const before = await set(ids, few);
    expect(before).toEqual(
      new Map<number, EventLimit | null>([
        [a, many],
        [b, null],
        [c, null],
      ]),
    );
    expect(await set(ids, few)).toEqual(new Map());
    await set([c], many);
    await inside((trx) => restoreLimitIn(trx, before, few, { userId: 'ada', nowMs: now }));
    expect(await limits()).toEqual([many, null, many]);
    const told = await state.db
      .selectFrom('issue_activity')
      .select('data')
      .where('issue_id', '=', a)
      .where('type', '=', 'set_limit')
      .orderBy('id')
      .execute();
    expect(told.map(({ data }) => JSON.parse(data))).toEqual([
      { limit: many },
      { limit: few, was: many },
      { limit: many, was: few },
    ]);
    await state.db.deleteFrom('issue').where('id', '=', a).execute();
    expect(await state.db.selectFrom('issue_limit').select('issue_id').execute()).toEqual([{ issue_id: c }]);
  });

  test('of a performance problem there is none', async () => {
    const problem = await addIssue(9, 'performance_n_plus_one_db_queries');
    expect(await set([problem], few)).toEqual(new Map());
  });

  test('what waits stays when a limit goes or gets another period', async () => {
    const [a = 0] = ids;
    await set([a], few);
    await wait(a, 7);
    await set([a], many);
    await set([a], null);
    expect(await limitOf(state, a)).toMatchObject({ limit: null, waiting: { events: 7 } });
    await set([a], many);
    expect(await limitOf(state, a)).toMatchObject({ limit: many, waiting: { events: 7 } });
  });

  test('go along with a merge: the lowest of those merged, until that one is taken back', async () => {
    const [parent = 0, b = 0, c = 0] = ids;
    await set([b], many);
    await set([c], few);
    for (const id of [b, c]) await wait(id, 10);
    await inside((trx) => mergeLimits(trx, parent, [b, c], now));
    // Five a minute are fewer than 500 an hour.
    expect(await limitOf(state, parent)).toMatchObject({ limit: few, waiting: { events: 20 }, takenFrom: c });
    expect(await waiting()).toEqual([20, 0, 0]);
    await inside((trx) => takeBackLimits(trx, parent, [b]));
    expect(await limits()).toEqual([few, many, few]);
    await inside((trx) => takeBackLimits(trx, parent, [c]));
    expect(await limits()).toEqual([null, many, few]);
    expect(await waiting()).toEqual([20, 0, 0]);
  });

  test('of the issue that others are merged into its own holds, and stays', async () => {
    const [parent = 0, b = 0] = ids;
    await set([parent], many);
    await set([b], few);
    await inside((trx) => mergeLimits(trx, parent, [b], now));
    await inside((trx) => takeBackLimits(trx, parent, [b]));
    expect(await limits()).toEqual([many, few, null]);
  });

  test('what waits of an issue without a limit any more goes along, too', async () => {
    const [parent = 0, b = 0] = ids;
    await set([b], few);
    await wait(b, 3);
    await set([b], null);
    await inside((trx) => mergeLimits(trx, parent, [b], now));
    expect(await waiting()).toEqual([3, 0, 0]);
    expect(await state.db.selectFrom('issue_limit').select('issue_id').execute()).toEqual([{ issue_id: parent }]);
  });

  test('with so many of the users that wait', async () => {
    const [parent = 0, b = 0, c = 0] = ids;
    await set([b, c], few);
    for (const id of [b, c])
      await wait(
        id,
        7_000,
        Array.from({ length: 7_000 }, (_, index) => `${id} ${index}`),
      );
    await inside((trx) => mergeLimits(trx, parent, [b, c], now));
    const row = await state.db.selectFrom('issue_limit').select('waiting').where('issue_id', '=', parent);
    const [all] = JSON.parse((await row.executeTakeFirstOrThrow()).waiting) as { events: number; users: string[] }[];
    expect([all?.events, all?.users.length]).toEqual([14_000, 10_000]);
  });

  test('what has waited for as long as events are kept is forgotten', async () => {
    const [a = 0, b = 0] = ids;
    await set([a, b], few);
    for (const id of [a, b]) await wait(id, 5);
    await set([b], null);
    await forgetWaiting(state, () => now - 11 * dayMs);
    expect(await waiting()).toEqual([5, 5, 0]);
    await forgetWaiting(state, () => now - 9 * dayMs);
    expect(await waiting()).toEqual([0, 0, 0]);
    expect(await limits()).toEqual([few, null, null]);
    expect(await state.db.selectFrom('issue_limit').select('issue_id').execute()).toEqual([{ issue_id: a }]);
  });

  test('users that wait are renamed when they are erased', async () => {
    const [a = 0] = ids;
    await set([a], few);
    await wait(a, 5);
    await state.db
      .insertInto('issue_limit_batch')
      .values({
        project_id: projectId,
        token: 't',
        created_at: now,
        decided: JSON.stringify({ hashes: ['h'], kept: [['e', 2, ['U1']]] }),
      })
      .execute();
    expect(await renameWaitingUsers(state, [projectId + 1], ['u1'], 'gone')).toBe(0);
    expect(await renameWaitingUsers(state, [projectId], ['u1'], 'gone')).toBe(2);
    const { waiting: text } = await state.db.selectFrom('issue_limit').select('waiting').executeTakeFirstOrThrow();
    const { decided } = await state.db.selectFrom('issue_limit_batch').select('decided').executeTakeFirstOrThrow();
    expect(JSON.parse(text)).toMatchObject([{ users: ['gone'] }]);
    expect(JSON.parse(decided)).toEqual({ hashes: ['h'], kept: [['e', 2, ['gone']]] });
  });
});
