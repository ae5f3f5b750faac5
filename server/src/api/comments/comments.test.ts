/** Comments over HTTP, on real stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTeamApi, org, type TeamApi } from '../teams/testing.ts';

let api: TeamApi;
let send: TeamApi['send'];
let admin: TeamApi['admin'];
let jane: TeamApi['jane'];

beforeAll(async () => {
  api = await openTeamApi();
  ({ send, admin, jane } = api);
});
afterAll(() => api?.[Symbol.asyncDispose]());

describe('comments', () => {
  let issue: string;
  beforeAll(async () => {
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('talk') })]);
    const rows = await api.get<{ id: string }[]>(`${org}/issues/?query=&sort=new`);
    issue = `/api/0/issues/${rows[0]?.id}/comments/`;
  });

  const notified = async (kind: string) =>
    (await api.state.db.selectFrom('delivery').select(['user_id', 'key']).where('kind', '=', kind).execute()).map(
      (row) => row.user_id,
    );

  test('name people and teams, who are told once and subscribed', async () => {
    const text = 'Look @jane, #payments: `@ada` is **not** named';
    const { status, body } = await send<{ id: string }>('POST', issue, { text });
    expect(status).toBe(201);
    expect(body).toMatchObject({ text, canChange: true, mentions: [{ handle: 'jane' }, { handle: 'payments' }] });
    const all = await notified('mentioned');
    expect(all).toContain(jane.userId);
    expect(all).not.toContain(admin.userId);
    expect(new Set(all).size).toBe(all.length);
    await send('PUT', `${issue}${body.id}/`, { text: `${text} @ada` });
    expect((await notified('mentioned')).toSorted()).toEqual([...all, admin.userId].toSorted());
    const reasons = await api.state.db
      .selectFrom('issue_subscription')
      .select(['user_id', 'reason'])
      .where('user_id', 'in', [api.userId, jane.userId])
      .orderBy('reason')
      .execute();
    expect(reasons.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['commented', 'mentioned']));
  });

  test('are edited by who wrote them, deleted by them and by administrators, and restored', async () => {
    const { body } = await send<{ id: string }>('POST', issue, { text: 'mine' }, jane);
    const url = `${issue}${body.id}/`;
    expect((await send('PUT', url, { text: 'yours' }, admin)).status).toBe(403);
    expect((await send('PUT', url, { text: 'still mine' }, jane)).body).toMatchObject({
      text: 'still mine',
      dateEdited: expect.any(String),
    });
    const count = async () => (await api.get<unknown[]>(issue)).length;
    const before = await count();
    expect((await send('DELETE', url, undefined, admin)).status).toBe(204);
    expect(await count()).toBe(before - 1);
    expect((await send('PUT', url, { text: 'gone' }, jane)).status).toBe(404);
    expect((await send('POST', `${url}restore/`, undefined, jane)).body).toMatchObject({ text: 'still mine' });
    expect(await count()).toBe(before);
  });

  test('take what people paste', async () => {
    const text = `</script><img src=x onerror=alert(1)> \u0000 \ud800 ${'@a'.repeat(4_000)}`;
    const { status } = await send('POST', issue, { text });
    expect(status).toBe(201);
    expect((await send('POST', issue, { text: ' ' })).status).toBe(400);
    expect((await send('POST', issue, { text: 'x'.repeat(20_000) })).status).toBe(400);
    expect((await send('GET', issue, undefined, jane)).status).toBe(200);
  });
});
