/** When rules about issues fire. */
import { expect, test } from 'vitest';
import { hash } from '../issues/testing/stores.ts';
import { evaluatesRules } from './testing/evaluation.ts';

const rules = evaluatesRules();
const { history, look, makeRule, row, rowsOf, store, notifications, waitMinutes } = rules;

test('a filter in the search language is asked of the events around', async () => {
  await makeRule({ query: 'level:fatal release:shop@2.0.0', environment: 'production' });
  await store([
    row('other level', { release: 'shop@2.0.0' }),
    row('other release', { level: 'fatal' }),
    row('elsewhere', { level: 'fatal', release: 'shop@2.0.0', environment: 'staging' }),
    row('meant', { level: 'fatal', release: 'shop@2.0.0' }),
  ]);
  await look();
  expect(await notifications()).toMatchObject([{ title: 'New issue: TypeError: meant', severity: 'critical' }]);
});

test('frequencies count events and users, throttled for each issue', async () => {
  const rule = await makeRule({
    match: 'any',
    throttleMinutes: 30,
    conditions: [
      { type: 'event_frequency', count: 10, minutes: 60 },
      { type: 'user_frequency', count: 4, minutes: 60 },
    ],
  });
  const before = Date.now() - 30 * 60_000;
  await store([
    ...rowsOf('often', 6),
    ...rowsOf('often', 4, { timestamp: before, user: '' }),
    ...rowsOf('seldom', 3),
    ...rowsOf('old', 20, { timestamp: Date.now() - 3 * 3_600_000 }),
  ]);
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['10 events in an hour']);
  await look();
  await waitMinutes(20);
  await store([row('often')]);
  await look();
  expect(await notifications()).toHaveLength(1);
  await waitMinutes(20);
  await store([row('often')]);
  await look();
  expect(await notifications()).toHaveLength(2);
});

test('a frequency within a filter, over hours too', async () => {
  const rule = await makeRule({
    query: 'level:fatal',
    conditions: [{ type: 'event_frequency', count: 5, minutes: 1440 }],
  });
  const plain = await makeRule({ conditions: [{ type: 'event_frequency', count: 8, minutes: 1440 }] });
  const hoursAgo = (hours: number) => ({ timestamp: Date.now() - hours * 3_600_000 });
  await store([
    ...rowsOf('mixed', 3, { level: 'fatal', ...hoursAgo(20) }),
    ...rowsOf('mixed', 4, hoursAgo(2)),
    row('mixed'),
  ]);
  await look();
  expect(await history(rule.id)).toEqual([]);
  expect((await history(plain.id)).map((one) => one.why)).toEqual(['8 events in a day']);
  await store(rowsOf('mixed', 2, { level: 'fatal' }));
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['5 events in a day']);
});

test('a number that was out of reach is reached by what comes between looks', async () => {
  const rule = await makeRule({ conditions: [{ type: 'event_frequency', count: 10, minutes: 60 }] });
  const users = await makeRule({ conditions: [{ type: 'user_frequency', count: 4, minutes: 60 }] });
  await store(rowsOf('grows', 6, { user: 'id:same' }));
  await look();
  // A late one counts as those of now do.
  for (const late of [0, 10, 50]) {
    await store([row('grows', { timestamp: Date.now() - late * 60_000, user: `id:${late}` })]);
    await rules.evaluator.look();
    expect(await history(rule.id)).toEqual([]);
  }
  expect((await history(users.id)).map((one) => one.why)).toEqual(['4 users in an hour']);
  await store([row('grows', { timestamp: Date.now() - 55 * 60_000 })]);
  await rules.evaluator.look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['10 events in an hour']);
});

test('all conditions together fire once', async () => {
  const rule = await makeRule({
    match: 'all',
    throttleMinutes: 0,
    conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 3, minutes: 5 }],
  });
  await store(rowsOf('grows', 2));
  await look();
  expect(await history(rule.id)).toEqual([]);
  await store(rowsOf('grows', 1));
  await look();
  await waitMinutes(3);
  await store(rowsOf('grows', 1));
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['New issue; 3 events in 5 minutes']);
});

test('a regression is told, but not of an issue that somebody has archived', async () => {
  await makeRule({ conditions: [{ type: 'regression' }] });
  await store([row('back'), row('snoozed')]);
  const setAll = async (change: object): Promise<void> => {
    const issues = await rules.api.get<{ id: string; title: string }[]>('/api/0/organizations/acme/issues/?query=');
    for (const { id, title } of issues) {
      if ('only' in change && !title.endsWith(String(change.only))) continue;
      const { statusCode, body } = await rules.api.call({
        method: 'PUT',
        url: `/api/0/organizations/acme/issues/${id}/`,
        payload: { ...change, only: undefined },
      });
      expect([200, body]).toEqual([statusCode, body]);
    }
  };
  await setAll({ status: 'resolved' });
  await store([row('back', { timestamp: Date.now() + 2_000 }), row('snoozed', { timestamp: Date.now() + 2_000 })]);
  await setAll({ status: 'ignored', only: 'snoozed' });
  await look();
  expect((await notifications()).map((one) => one.title)).toEqual(['Regressed: TypeError: back']);
});

test('digests: one that somebody waits for, one by name', async () => {
  await makeRule({ conditions: [{ type: 'watched_digest', digest: '4242' }], throttleMinutes: 30 });
  await store([row('page', { digest: '4242' }), row('other', { digest: '17' })]);
  await look();
  await look();
  expect((await notifications()).map((one) => one.title)).toEqual(['Digest 4242 was seen: TypeError: page']);
  await makeRule({ conditions: [{ type: 'watched_digest', digest: null }] });
  const issue = await rules.api.state.db
    .selectFrom('issue')
    .select('id')
    .where('title', 'like', '%other')
    .executeTakeFirstOrThrow();
  await rules.api.state.db
    .insertInto('digest_watch')
    .values({
      organization_id: rules.api.organizationId,
      user_id: rules.api.userId,
      project_id: null,
      digest: '17',
      host: null,
      created_at: Date.now(),
      expires_at: Date.now() + 60_000,
      found_at: Date.now(),
      found_event_id: hash('x'),
      found_issue_id: issue.id,
      seen: 0,
    })
    .execute();
  await look();
  expect((await notifications()).map((one) => one.title)).toContain('Watched digest 17 was seen: TypeError: other');
  await rules.api.state.db.deleteFrom('digest_watch').execute();
});
