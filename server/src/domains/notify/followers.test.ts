import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { noteActivity } from '../issues/activity.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import type { State } from '../../ports/state/state.ts';
import { createFollowers, titleOf } from './followers.ts';
import { changePersonalSettings } from './settings.ts';
import { makePeople, organizationId } from './testing/people.ts';

async function makeIssue({ db }: State): Promise<{ projectId: number; issueId: number }> {
  const { id: projectId } = await db
    .insertInto('project')
    .values({
      organization_id: organizationId,
      slug: 'web',
      name: 'Web',
      platform: '',
      short_id_prefix: 'WEB',
      settings: '{}',
      created_at: 1,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: issueId } = await db
    .insertInto('issue')
    .values({
      project_id: projectId,
      number: 1,
      status: 'unresolved',
      substatus: 'new',
      level: 'error',
      title: 'TypeError: x',
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
  return { projectId, issueId };
}

const titles = async ({ db }: State): Promise<string[]> => {
  const rows = await db.selectFrom('delivery').select(['user_id', 'notification']).orderBy('id').execute();
  return rows.map((row) => `${row.user_id}: ${(JSON.parse(row.notification) as { title: string }).title}`);
};

onEachDatabase('followers', ({ migrated }) => {
  test('hear of what others did to what they have or follow, once each, as they wish', async () => {
    const state = await migrated();
    await makePeople(state, ['ada', 'bob', 'cy', 'dan', 'eve']);
    const { projectId, issueId } = await makeIssue(state);
    const note = (
      type: 'set_resolved' | 'set_regression' | 'set_ongoing' | 'note' | 'assigned',
      userId: string | null,
      data = {},
    ) => state.transaction((trx) => noteActivity(trx, [{ issueId, type, userId, data, at: Date.now() }]));
    await note('set_resolved', 'ada');
    await state.db
      .insertInto('issue_subscription')
      .values([
        { issue_id: issueId, user_id: 'ada', is_active: 1, reason: 'changed', created_at: 1 },
        { issue_id: issueId, user_id: 'bob', is_active: 1, reason: 'manual', created_at: 1 },
        { issue_id: issueId, user_id: 'eve', is_active: 0, reason: 'manual', created_at: 1 },
      ])
      .execute();
    await changePersonalSettings(state, { userId: 'cy', organizationId }, { state: 'all' }, 1);
    await changePersonalSettings(state, { userId: 'eve', organizationId }, { state: 'all', comment: 'all' }, 1);
    const followers = createFollowers({ state, getUrl: () => 'http://culprit.test' });
    // Begins with what happens from now on.
    await followers.round();
    expect(await titles(state)).toEqual([]);

    await note('set_resolved', 'ada');
    await note('set_ongoing', null);
    await note('set_regression', null);
    await note('note', 'bob', {
      text: 'see <b>this</b>',
      mentions: [{ type: 'user', id: 'cy', name: 'cy', handle: 'cy' }],
    });
    await followers.round();
    const expected = [
      'bob: ada resolved WEB-1',
      'cy: ada resolved WEB-1',
      'ada: WEB-1 regressed',
      'bob: WEB-1 regressed',
      'cy: WEB-1 regressed',
      'ada: bob commented on WEB-1',
    ];
    expect((await titles(state)).sort()).toEqual([...expected].sort());
    const due = await state.db
      .selectFrom('delivery')
      .select(['batch', 'due_at'])
      .where('user_id', '=', 'bob')
      .execute();
    expect(new Set(due.map((row) => `${row.batch} ${row.due_at}`)).size).toBe(1);

    // Again, and by a second node: nothing is told twice.
    await followers.round();
    await createFollowers({ state, getUrl: () => 'http://culprit.test' }).round();
    expect(await titles(state)).toHaveLength(6);

    await changePersonalSettings(state, { userId: 'bob', organizationId }, { projects: { [projectId]: 'none' } }, 1);
    await note('set_regression', null);
    await delay(5);
    await followers.round();
    expect((await titles(state)).slice(6).sort()).toEqual(['ada: WEB-1 regressed', 'cy: WEB-1 regressed']);

    // To whom it is given, even to who does not want to hear of the rest; and not one by one where it is very many.
    await note('assigned', 'ada', { assigneeType: 'user', assignee: 'eve' });
    await note('assigned', 'eve', { assigneeType: 'user', assignee: 'eve' });
    await note('assigned', 'ada', { assigneeType: 'user', assignee: 'dan', many: true });
    await delay(5);
    await followers.round();
    expect((await titles(state)).slice(8)).toEqual(['eve: ada assigned WEB-1 to you']);
  });
});

onEachDatabase('much activity at once', ({ migrated }) => {
  test('is told a few entries at a time; a round that breaks off goes on there, and tells nothing twice', async () => {
    const state = await migrated();
    await makePeople(state, ['ada']);
    const { issueId } = await makeIssue(state);
    await changePersonalSettings(state, { userId: 'ada', organizationId }, { state: 'all' }, 1);
    const getUrl = (): string => 'http://culprit.test';
    await createFollowers({ state, getUrl }).round();
    const entry = { issueId, type: 'set_regression', userId: null, at: Date.now() } as const;
    const entries = Array.from({ length: 25 }, () => entry);
    await state.transaction((trx) => noteActivity(trx, entries));
    let begun = 0;
    const failing: State = {
      ...state,
      transaction(work) {
        begun += 1;
        return begun > 2 ? Promise.reject(new Error('it lost the race')) : state.transaction(work);
      },
    };
    await expect(createFollowers({ state: failing, getUrl }).round()).rejects.toThrow('it lost the race');
    expect(await titles(state)).toHaveLength(20);
    await createFollowers({ state, getUrl }).round();
    expect(await titles(state)).toHaveLength(25);
  });
});

onEachDatabase('activity that becomes visible out of order', ({ migrated }) => {
  test('is told all the same', async () => {
    const state = await migrated();
    await makePeople(state, ['ada']);
    const { issueId } = await makeIssue(state);
    await changePersonalSettings(state, { userId: 'ada', organizationId }, { state: 'all' }, 1);
    const followers = createFollowers({ state, getUrl: () => 'http://culprit.test' });
    await followers.round();
    const put = (id: number, type: string) =>
      state.db
        .insertInto('issue_activity')
        .values({ id, issue_id: issueId, type, user_id: null, data: '{}', created_at: Date.now() })
        .execute();
    await put(1002, 'set_escalating');
    await followers.round();
    await put(1001, 'set_regression');
    await followers.round();
    await followers.round();
    expect(await titles(state)).toEqual(['ada: WEB-1 is escalating', 'ada: WEB-1 regressed']);
  });
});

test('titles name who did it', () => {
  expect(titleOf('note', 'WEB-1', undefined)).toBe('A new comment on WEB-1');
  expect(titleOf('set_archived', 'WEB-1', 'Ada $&')).toBe('Ada $& archived WEB-1');
});
