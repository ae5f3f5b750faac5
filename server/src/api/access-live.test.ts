/** What somebody stops seeing stops at once on their open stream, and in what is told them later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { sightIn } from '../domains/accounts/index.ts';
import { enqueue } from '../domains/notify/index.ts';
import { claimDue } from '../domains/notify/outbox.ts';
import { addPerson, addTeam, callAs, join, narrow, type Person } from './access-testing.ts';
import { openTestApi, type TestApi } from './testing.ts';

let api: TestApi;
let reader: Person;
let other: number;
let team: number;
let third: number;

beforeAll(async () => {
  api = await openTestApi();
  await narrow(api);
  const make = async (name: string): Promise<number> => {
    const url = '/api/0/organizations/acme/projects/';
    return Number((await api.call({ method: 'POST', url, payload: { name } })).json<{ id: string }>().id);
  };
  other = await make('Other');
  third = await make('Third');
  reader = await addPerson(api, 'reader', 'member');
  team = await addTeam(api, 'Other team', other);
  for (const id of [team, await addTeam(api, 'Third team', third)]) await join(api, id, reader);
  await store(api, [errorRow({ project_id: other, group_hash: hash('theirs') })]);
});

afterAll(() => api[Symbol.asyncDispose]());

const happened = (projectId: number, issueId: number): void =>
  api.live.publish({ type: 'issues', projectId, issueIds: [issueId] });

async function open(): Promise<{ text(): string; [Symbol.asyncDispose](): Promise<void> }> {
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const ending = new AbortController();
  const answer = await fetch(`${address}/api/0/organizations/acme/live/`, {
    headers: { cookie: reader.session['cookie'] ?? '' },
    signal: ending.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const part of answer.body ?? []) text += new TextDecoder().decode(part);
  })().catch(() => undefined);
  return {
    text: () => text,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await reading;
    },
  };
}

test('a stream tells of what its reader sees, and of no more from the moment on that they see less', async () => {
  await using stream = await open();
  happened(api.projectId, 1);
  happened(other, 2);
  await expect.poll(stream.text).toContain('"issueIds":["2"]');
  const url = '/organizations/acme/members/me/teams/other-team/';
  expect((await callAs(api, reader.session, { method: 'DELETE', url })).statusCode).toBe(200);
  happened(other, 3);
  // It still tells of the rest, and again of the other once its team is theirs again.
  happened(third, 4);
  await expect.poll(stream.text).toContain('"issueIds":["4"]');
  await join(api, team, reader);
  api.live.publish({ type: 'access' });
  happened(other, 5);
  await expect.poll(stream.text).toContain('"issueIds":["5"]');
  const told = [...stream.text().matchAll(/"issueIds":\["(\d)"\]/g)].map(([, id]) => id);
  expect(told).toEqual(['2', '4', '5']);
});

test('what waits to be told of a project is not told to who does not see it any more', async () => {
  const { organizationId, state } = api;
  const told = (key: string, projectId: number) =>
    enqueue(state.db, {
      key,
      organizationId,
      to: { userId: reader.userId },
      notification: {
        kind: 'mentioned',
        severity: 'info',
        title: key,
        text: '',
        url: 'http://culprit.test/',
        project: { id: projectId, slug: 'x', name: 'x' },
        fields: [],
        groupKey: key,
      },
    });
  await told('seen', other);
  await told('unseen', api.projectId);
  const sees = await sightIn(state.db, [organizationId]);
  expect([sees(organizationId, reader.userId, other), sees(organizationId, reader.userId, api.projectId)]).toEqual([
    true,
    false,
  ]);
  expect(sees(organizationId, api.userId, api.projectId)).toBe(true);
  const claim = () =>
    claimDue(state, {
      owner: 'test',
      nowMs: Date.now() + 1000,
      limit: 10,
      busy: { ids: [], places: new Set() },
      hasMail: true,
    });
  const jobs = [...(await claim()), ...(await claim())];
  expect(jobs.flatMap(({ notifications }) => notifications.map(({ title }) => title))).toEqual(['seen']);
  const rows = await state.db.selectFrom('delivery').select(['key', 'state', 'detail']).execute();
  expect(rows.find(({ key }) => key === 'unseen')).toMatchObject({
    state: 'skipped',
    detail: 'the recipient cannot see the project',
  });
});
