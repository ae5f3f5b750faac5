import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson, bearer, callAs, type Credentials, type Person, signIn } from '../access-testing.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';

let api: TestApi;
let founder: Credentials;
let admin: Person;
let member: Person;

beforeAll(async () => {
  api = await openTestApi();
  founder = await signIn(api, owner.email, owner.password);
  admin = await addPerson(api, 'admin', 'admin');
  member = await addPerson(api, 'member', 'member');
});

afterAll(() => api[Symbol.asyncDispose]());

const post = (who: Credentials, url: string, payload: object, method: 'POST' | 'PUT' | 'DELETE' = 'POST') =>
  callAs(api, who, { method, url, payload });

test('who set up the installation makes more organisations, and nobody else does', async () => {
  const made = await post(founder, '/organizations/', { name: 'Acme' });
  expect(made.statusCode, made.body).toBe(201);
  expect(made.json()).toMatchObject({ slug: 'acme-2', role: 'owner', memberAccess: 'all', seesAllProjects: true });
  for (const { session } of [admin, member]) {
    expect((await post(session, '/organizations/', { name: 'Mine' })).json()).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  }
  const boot = async (who: Credentials) =>
    (await callAs(api, who, { method: 'GET', url: '/boot/?org=acme-2' })).json<{
      mayCreateOrganizations: boolean;
      organizations: { slug: string }[];
      projects: unknown[];
    }>();
  const own = await boot(founder);
  expect(own.organizations.map(({ slug }) => slug)).toEqual(['acme', 'acme-2']);
  expect(own).toMatchObject({ mayCreateOrganizations: true, projects: [] });
  expect(await boot(admin.session)).toMatchObject({ mayCreateOrganizations: false, organizations: [{ slug: 'acme' }] });
  // A project of the same name is another one.
  expect((await post(founder, '/organizations/acme-2/projects/', { name: 'Web' })).statusCode).toBe(201);
  const projects = await callAs(api, admin.session, { method: 'GET', url: '/organizations/acme/projects/' });
  expect(projects.json<unknown[]>().length).toBe(1);
  expect((await callAs(api, admin.session, { method: 'GET', url: '/organizations/acme-2/' })).statusCode).toBe(404);
});

test('name and access of members are changed by admins', async () => {
  const put = (who: Credentials, payload: object) => post(who, '/organizations/acme/', payload, 'PUT');
  expect((await put(member.session, { name: 'X' })).statusCode).toBe(403);
  expect((await put(admin.session, { memberAccess: 'some' })).statusCode).toBe(400);
  expect((await put(admin.session, { memberAccess: 'teams' })).json()).toMatchObject({ memberAccess: 'teams' });
  const seen = await callAs(api, member.session, { method: 'GET', url: '/organizations/acme/' });
  expect(seen.json()).toMatchObject({ memberAccess: 'teams', seesAllProjects: false, name: 'Acme' });
  expect((await put(admin.session, { memberAccess: 'all', name: 'Acme Ltd' })).json()).toMatchObject({
    name: 'Acme Ltd',
  });
});

describe('a service account', () => {
  const url = '/organizations/acme/api-tokens/';

  test('is made by who may give its role', async () => {
    const ask = (who: Credentials, role?: string, kind = 'service') =>
      post(who, url, { name: 'Deploys', kind, ...(role && { role }) });
    expect((await ask(member.session, 'viewer')).statusCode).toBe(403);
    expect((await ask(admin.session, 'owner')).json()).toMatchObject({ code: 'ROLE_TOO_HIGH' });
    expect((await ask(admin.session)).statusCode).toBe(400);
    expect((await ask(admin.session, 'viewer', 'organization')).statusCode).toBe(400);
    expect((await ask(founder, 'owner')).statusCode).toBe(201);
  });

  test('acts under its own name, stays when its maker leaves, and ends when it is deleted', async () => {
    const made = (await post(admin.session, url, { name: 'Triage bot', kind: 'service', role: 'member' })).json<{
      id: string;
      token: string;
      role: string;
      scopes: string[];
    }>();
    expect(made).toMatchObject({ kind: 'service', role: 'member', createdBy: { name: 'admin', isMember: true } });
    const bot = bearer(made.token);
    const payload = { name: 'bots', query: 'is:unresolved', type: 'issues' };
    const saved = await post(bot, '/organizations/acme/searches/', payload);
    expect(saved.json(), saved.body).toMatchObject({ owner: { name: 'Triage bot' } });
    expect((await callAs(api, bot, { method: 'GET', url: '/auth/' })).json()).toMatchObject({ name: 'Triage bot' });
    expect((await post(bot, url, { name: 'x', scopes: ['org:read'] })).statusCode).toBe(403);
    // Nobody signs in as it.
    const { email } = await api.state.db
      .selectFrom('user')
      .select('email')
      .where('name', '=', 'Triage bot')
      .executeTakeFirstOrThrow();
    expect(await api.accounts.signIn({ email, password: 'a password' })).toBeUndefined();
    const members = await callAs(api, founder, { method: 'GET', url: '/organizations/acme/members/' });
    expect(members.body).not.toContain('Triage bot');

    const adminId = members
      .json<{ id: string; email: string }[]>()
      .find((one) => one.email === 'admin@example.com')?.id;
    expect((await post(founder, `/organizations/acme/members/${adminId}/`, {}, 'DELETE')).statusCode).toBe(204);
    expect((await callAs(api, bot, { method: 'GET', url: '/organizations/acme/projects/' })).statusCode).toBe(200);
    const listed = await callAs(api, founder, { method: 'GET', url });
    expect(listed.json<{ name: string }[]>().find(({ name }) => name === 'Triage bot')).toMatchObject({
      createdBy: { name: 'admin', isMember: false },
    });
    expect((await callAs(api, member.session, { method: 'GET', url })).json()).toEqual([]);
    expect((await post(founder, `${url}${made.id}/`, {}, 'DELETE')).statusCode).toBe(204);
    expect((await callAs(api, bot, { method: 'GET', url: '/organizations/acme/projects/' })).json()).toMatchObject({
      code: 'TOKEN_INVALID',
    });
  });
});
