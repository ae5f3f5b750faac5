/** An organisation that demands more of its members' sessions is closed to those that have not shown it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { addPerson, addRival, allowed, callAs, gate, type Person, tokenOf } from './access-testing.ts';
import { endpoints } from './endpoints.ts';
import { openTestApi, type TestApi } from './testing.ts';

let api: TestApi;
let person: Person;
let issueId: string;

const demand = async (change: { secondFactor?: boolean; providerId?: string | null }): Promise<void> => {
  await api.accounts.demands.set(api.organizationId, change, Date.now());
  api.live.publish({ type: 'access' });
};
const get = (url: string, who = person.session) => callAs(api, who, { method: 'GET', url });

beforeAll(async () => {
  api = await openTestApi();
  person = await addPerson(api, 'person', 'owner');
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('one') })]);
  const found = await get('/organizations/acme/issues/');
  issueId = found.json<{ id: string }[]>()[0]?.id ?? '';
  expect(issueId).not.toBe('');
});
afterAll(() => api[Symbol.asyncDispose]());

test('every call into it says what is missing, whatever the method; tokens go on', async () => {
  const token = await tokenOf(api, person.userId, ['org:admin', 'project:admin']);
  await demand({ secondFactor: true });
  const inside = endpoints.filter(({ url, access }) => url.includes(':org/') && access !== 'public');
  expect(inside.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const endpoint of inside) {
    const url = endpoint.url
      .replace(':org', 'acme')
      .replace(':project', 'web')
      .replace(':issue', issueId)
      .replaceAll(/:\w+/g, '1');
    const { method } = endpoint;
    const answer = await callAs(api, person.session, { method, url });
    const { code } = answer.json<{ code?: string }>();
    if (answer.statusCode !== 403 || code !== 'SECOND_FACTOR_REQUIRED') wrong.push(`${method} ${url}: ${code}`);
  }
  expect(wrong).toEqual([]);
  expect((await get('/organizations/acme/', token)).statusCode).toBe(200);
});

test('what names an issue alone, or nothing, says the same, and no more', async () => {
  await demand({ secondFactor: true });
  for (const url of [`/issues/${issueId}/`, '/issues/999999/', '/organizations/']) {
    const answer = await get(url);
    expect([url, answer.statusCode, answer.json<{ code: string }>().code]).toEqual([
      url,
      403,
      'SECOND_FACTOR_REQUIRED',
    ]);
  }
  await demand({ secondFactor: false, providerId: 'acme-oidc' });
  expect((await get(`/issues/${issueId}/`)).json()).toMatchObject({ code: 'PROVIDER_REQUIRED' });
  await demand({ providerId: null });
  expect((await get(`/issues/${issueId}/`)).statusCode).toBe(200);
});

test('the account stays open, and the console is told which organisations are closed, and why', async () => {
  await demand({ secondFactor: true });
  expect((await get('/account/')).statusCode).toBe(200);
  const boot = (await get('/boot/')).json<Record<string, unknown>>();
  expect(boot).toMatchObject({
    organizations: [],
    projects: null,
    closedOrganizations: [{ slug: 'acme', name: 'Acme', reason: 'second_factor', providerId: null }],
  });
  await api.state.db.updateTable('session').set({ secondFactor: true }).execute();
  expect((await get('/boot/')).json()).toMatchObject({
    organizations: [{ slug: 'acme' }],
    closedOrganizations: [],
  });
  await api.state.db.updateTable('session').set({ secondFactor: false }).execute();
});

test('another organisation of the same person stays open', async () => {
  await demand({ secondFactor: true });
  await addRival(api);
  await api.state.db
    .insertInto('member')
    .values({
      id: 'in-both',
      organizationId: 'other-org',
      userId: person.userId,
      role: 'viewer',
      createdAt: new Date(),
    })
    .execute();
  expect((await get('/organizations/rival/issues/')).statusCode).toBe(200);
  const listed = async (url: string) => (await get(url)).json<{ slug: string }[]>().map(({ slug }) => slug);
  expect(await listed('/organizations/')).toEqual(['rival']);
  expect((await get('/health/')).statusCode).toBe(200);
  // The role in the open one does not allow it, which is another matter.
  const answer = await callAs(api, person.session, { method: 'PUT', url: '/organizations/rival/', payload: {} });
  expect(answer.json()).toMatchObject({ code: 'PERMISSION_DENIED' });
  await api.state.db.deleteFrom('member').where('id', '=', 'in-both').execute();
});

test('an open live stream ends at once, and no new one begins', async () => {
  await demand({ secondFactor: false });
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { cookie: person.session['cookie'] ?? '' };
  const live = () => fetch(`${address}/api/0/organizations/acme/live/`, { headers });
  const answer = await live();
  expect(answer.status).toBe(200);
  const whole = answer.text();
  await demand({ secondFactor: true });
  expect(await whole).toContain('retry');
  expect((await live()).status).toBe(403);
});

test('an ordinary call reads no policy from the store', async () => {
  await demand({ secondFactor: false });
  await get('/organizations/acme/');
  const { db } = api.state;
  let asked = 0;
  const { selectFrom } = db;
  // Everything else that a call asks is the state store's as well; only this table counts.
  const counting: typeof selectFrom = ((table: never) => {
    if (table === 'sign_in_policy') asked += 1;
    return selectFrom.call(db, table);
  }) as never;
  db.selectFrom = counting;
  try {
    const endpoint = endpoints.find(({ id }) => id === 'getOrganization');
    if (!endpoint) throw new Error('no such call');
    for (let times = 0; times < 5; times += 1) {
      expect(await gate(api, endpoint, '/organizations/acme/', person.session)).toBe(allowed);
    }
  } finally {
    db.selectFrom = selectFrom;
  }
  expect(asked).toBe(0);
});
