import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { makePeople, organizationId } from './testing/people.ts';
import { enqueueTokenReminders, reminderDue } from './token-reminders.ts';

const dayMs = 86_400_000;
const end = 1_000 * dayMs;

test('a reminder is due two weeks and a day before the end of what lasted longer', () => {
  const due = (daysBefore: number, life = 365) =>
    reminderDue({ createdAt: end - life * dayMs, expiresAt: end }, end - daysBefore * dayMs);
  expect([14.1, 14, 1.1, 1, 0.1, 0, -1].map((days) => due(days))).toEqual([
    undefined,
    14,
    14,
    1,
    1,
    undefined,
    undefined,
  ]);
  expect([due(10, 14), due(1, 14), due(0.5, 1)]).toEqual([undefined, 1, undefined]);
});

onEachDatabase('reminders of tokens', (databases) => {
  test('are enqueued once each, also by several nodes at once, for the maker or else the owners', async () => {
    const state = await databases.migrated();
    await makePeople(state, ['ada', 'bob', 'gone']);
    await state.db.updateTable('member').set({ role: 'owner' }).where('userId', '=', 'bob').execute();
    await state.db.deleteFrom('member').where('userId', '=', 'gone').execute();
    const token = (name: string, userId: string, expiresAt: number | null) => ({
      organization_id: organizationId,
      user_id: userId,
      name,
      token_hash: name,
      token_hint: 'abcd',
      scopes: '["org:ci"]',
      kind: 'organization' as const,
      created_at: 1,
      last_used_at: null,
      expires_at: expiresAt,
    });
    await state.db
      .insertInto('api_token')
      .values([
        token('ci', 'ada', end),
        token('left', 'gone', end),
        token('old', 'ada', null),
        token('later', 'ada', end + 365 * dayMs),
      ])
      .execute();
    const at = (nowMs: number) => enqueueTokenReminders(state, { consoleUrl: 'http://culprit.test', nowMs });
    const reminders = async () => {
      const rows = await state.db.selectFrom('delivery').select(['user_id', 'notification']).orderBy('id').execute();
      return rows
        .map((row) => [row.user_id, (JSON.parse(row.notification) as { title: string }).title] as const)
        .toSorted();
    };
    await at(end - 15 * dayMs);
    expect(await reminders()).toEqual([]);
    await Promise.all([at(end - 14 * dayMs), at(end - 14 * dayMs)]);
    await at(end - 10 * dayMs);
    const first = [
      ['ada', 'The API token "ci" expires on 1972-09-27'],
      ['bob', 'The API token "left" expires on 1972-09-27'],
    ];
    expect(await reminders()).toEqual(first);
    await at(end - dayMs);
    await at(end - dayMs / 2);
    await at(end);
    expect(await reminders()).toEqual([...first, ...first].toSorted());
  });

  test('of a directory go to all owners, whoever made it', async () => {
    const state = await databases.migrated();
    await makePeople(state, ['ada', 'bob', 'eve']);
    await state.db.updateTable('member').set({ role: 'owner' }).where('userId', 'in', ['ada', 'bob']).execute();
    const token = {
      organization_id: organizationId,
      name: 'Entra',
      token_hash: 'x',
      token_hint: 'abcd',
      maker_id: 'eve',
    };
    await state.db
      .insertInto('scim_token')
      .values({ ...token, created_at: 1, last_used_at: 2, expires_at: end })
      .execute();
    for (const days of [15, 14, 13, 1]) {
      await enqueueTokenReminders(state, { consoleUrl: 'http://culprit.test', nowMs: end - days * dayMs });
    }
    const rows = await state.db.selectFrom('delivery').select(['user_id', 'notification']).orderBy('id').execute();
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(['ada', 'ada', 'bob', 'bob']);
    expect(JSON.parse(rows[0]?.notification ?? '')).toMatchObject({
      title: 'The SCIM token "Entra" expires on 1972-09-27',
      url: expect.stringContaining('/settings/security'),
    });
  });
});
