/** Switches of an organisation: what is off is off for everybody, at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { addPerson, addRival, bearer, callAs, type Credentials, serviceAccounts, signIn } from '../access-testing.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';

let api: TestApi;
let boss: Credentials;
const inside = '198.51.100.7';
const outside = '203.0.113.9';
const org = '/organizations/acme';

beforeAll(async () => {
  api = await openTestApi();
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('ours'), event_id: hash('our event') })]);
  boss = await signIn(api, owner.email, owner.password);
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string; readonly detail?: string } & Record<string, unknown>;
}

async function call(
  who: Credentials,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { payload, from = inside }: { payload?: object; from?: string } = {},
): Promise<Answer> {
  const answer = await callAs(api, who, { method, url, remoteAddress: from, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body ? answer.json() : {} };
}

const set = (payload: object, from?: string): Promise<Answer> =>
  call(boss, 'PUT', `${org}/security/`, { payload, ...(from && { from }) });

const lastEntry = async () => (await listEntries(api.state, api.organizationId, {}, { limit: 1 })).entries[0];

describe('share links', () => {
  const share = (isPublic: boolean) => call(boss, 'PUT', '/issues/1/', { payload: { isPublic } });

  test('that are off do not open and are not made; on again they open', async () => {
    const made = await share(true);
    const link = `/shared/issues/${String(made.body['shareId'])}/`;
    expect((await call({}, 'GET', link)).status).toBe(200);
    expect((await set({ shareLinks: false })).body).toMatchObject({ shareLinks: false });
    expect(await lastEntry()).toMatchObject({
      action: 'organization.update',
      changes: [{ field: 'shareLinks', before: true, after: false }],
    });
    for (const url of [link, `${org}${link}`]) {
      expect(await call({}, 'GET', url)).toMatchObject({
        status: 403,
        body: { code: 'SHARE_LINK_PAUSED', detail: expect.stringContaining('turned share links off') },
      });
    }
    // Who only guesses learns nothing of it.
    expect((await call({}, 'GET', `/shared/issues/${'0'.repeat(32)}/`)).status).toBe(404);
    const refused = { status: 403, body: { code: 'SHARE_LINKS_OFF' } };
    expect(await share(true)).toMatchObject(refused);
    expect(await call(boss, 'PUT', `${org}/issues/?id=1`, { payload: { isPublic: true } })).toMatchObject(refused);
    const change = { query: '', change: { isPublic: true } };
    expect(await call(boss, 'POST', `${org}/issues/bulk/`, { payload: change })).toMatchObject(refused);
    expect((await call(boss, 'GET', '/boot/')).body).toMatchObject({ organizations: [{ shareLinks: false }] });
    await set({ shareLinks: true });
    expect((await call({}, 'GET', link)).status).toBe(200);
    await set({ shareLinks: false });
    const taken = await share(false);
    expect(taken.status).toBe(200);
    const undo = `${org}/issues/bulk/${(taken.body['undo'] as { id: string }).id}/undo/`;
    expect(await call(boss, 'POST', undo)).toMatchObject(refused);
    await set({ shareLinks: true });
    expect((await call(boss, 'POST', undo)).status).toBeLessThan(300);
  });
});

describe('allowed addresses', () => {
  test('hold for sessions, tokens, service accounts and metrics, and leave the rest alone', async () => {
    const member = await addPerson(api, 'member', 'member');
    const { owner: rival } = await addRival(api);
    const accounts = await serviceAccounts(api);
    const refused = { status: 403, body: { code: 'ADDRESS_NOT_ALLOWED', detail: expect.stringContaining(outside) } };
    expect((await set({ allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'] })).body).toMatchObject({
      allowedAddresses: ['198.51.100.0/24', '2001:db8::/32'],
      yourAddress: inside,
    });
    expect(await lastEntry()).toMatchObject({
      changes: [{ field: 'allowedAddresses', before: [], after: ['198.51.100.0/24', '2001:db8::/32'] }],
      source: { address: inside },
    });
    const everybody = [member.session, boss, accounts.admin, bearer(api.token)];
    for (const who of everybody) {
      for (const url of [
        `${org}/issues/`,
        '/projects/acme/web/',
        '/issues/1/',
        `${org}/issues/1/`,
        '/organizations/',
      ]) {
        expect((await call(who, 'GET', url)).status, url).toBe(200);
        expect((await call(who, 'GET', url, { from: '::ffff:198.51.100.200' })).status, url).toBe(200);
        expect(await call(who, 'GET', url, { from: outside }), url).toMatchObject(refused);
      }
      expect(await call(who, 'GET', `${org}/live/`, { from: outside })).toMatchObject(refused);
      expect(await call(who, 'PUT', '/issues/1/', { payload: { status: 'resolved' }, from: outside })).toMatchObject(
        refused,
      );
    }
    // One's own account stays, and so does signing out; a token is of the organisation whatever it asks for.
    expect((await call(member.session, 'GET', '/account/', { from: outside })).status).toBe(200);
    expect(await call(bearer(api.token), 'GET', '/auth/', { from: outside })).toMatchObject(refused);
    expect((await call(member.session, 'GET', '/boot/', { from: outside })).body).toMatchObject({
      organizations: [],
      closedOrganizations: [{ slug: 'acme', reason: 'address' }],
    });
    // Other organisations are none the wiser.
    expect((await call(rival.session, 'GET', '/organizations/rival/issues/', { from: outside })).status).toBe(200);
    expect((await call(rival.session, 'GET', `${org}/issues/`, { from: outside })).status).toBe(404);
    expect((await call({}, 'GET', '/setup/', { from: outside })).status).toBe(200);
    await set({ allowedAddresses: [] });
    expect((await call(member.session, 'GET', `${org}/issues/`, { from: outside })).status).toBe(200);
  });

  test('who is in two organisations is kept out of the one alone', async () => {
    const both = await addPerson(api, 'both', 'member');
    const { id: member } = await api.state.db.selectFrom('member').select('id').executeTakeFirstOrThrow();
    await api.state.db
      .insertInto('member')
      .values({
        id: `${member}2`,
        organizationId: 'other-org',
        userId: both.userId,
        role: 'viewer',
        createdAt: new Date(),
      })
      .execute();
    await set({ allowedAddresses: [inside] });
    const { body } = await call(both.session, 'GET', '/boot/', { from: outside });
    expect(body).toMatchObject({
      organizations: [{ slug: 'rival' }],
      closedOrganizations: [{ slug: 'acme', reason: 'address' }],
    });
    // What the role in the one allows is not allowed in general.
    expect(body['self']).toMatchObject({ auth: { scopes: expect.not.arrayContaining(['event:write']) } });
    expect(await call(both.session, 'GET', '/issues/1/', { from: outside })).toMatchObject({
      body: { code: 'ADDRESS_NOT_ALLOWED' },
    });
    await set({ allowedAddresses: [] });
  });

  test.each([
    [[outside], 409, 'ADDRESS_LOCKS_OUT'],
    [['2001:db8::/32'], 409, 'ADDRESS_LOCKS_OUT'],
    [['office'], 400, 'INPUT_INVALID'],
    [['10.0.0.0/99', inside], 400, 'INPUT_INVALID'],
    [[`${'1'.repeat(50)}`], 400, 'INPUT_INVALID'],
  ])('%#: %j is refused with %d %s, and nothing changes', async (allowedAddresses, status, code) => {
    await set({ shareLinks: true, allowedAddresses: [] });
    expect(await set({ allowedAddresses, shareLinks: false })).toMatchObject({ status, body: { code } });
    expect((await call(boss, 'GET', `${org}/security/`)).body).toMatchObject({
      allowedAddresses: [],
      shareLinks: true,
    });
  });

  test('are bounded', async () => {
    const many = Array.from({ length: 201 }, () => inside);
    expect(await set({ allowedAddresses: many })).toMatchObject({ status: 400, body: { code: 'INPUT_INVALID' } });
    expect((await set({ allowedAddresses: many.slice(1) })).body).toMatchObject({ allowedAddresses: [inside] });
    await set({ allowedAddresses: [] });
  });

  test('an open stream ends when its address is allowed no more', async () => {
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${address}/api/0${org}/live/`, { headers: { cookie: boss['cookie'] ?? '' } });
    const read = async (): Promise<void> => {
      for await (const _ of answer.body ?? []);
    };
    const ended = read().then(() => Date.now());
    const began = Date.now();
    await set({ allowedAddresses: [inside] });
    expect((await ended) - began).toBeLessThan(5_000);
    await set({ allowedAddresses: [] });
  });

  test('only owners see and set the switches', async () => {
    const admin = await addPerson(api, 'admin', 'admin');
    for (const method of ['GET', 'PUT'] as const) {
      const payload = method === 'PUT' ? { payload: { shareLinks: false } } : {};
      expect(await call(admin.session, method, `${org}/security/`, payload)).toMatchObject({ status: 403 });
    }
  });
});

describe('invitations by members', () => {
  const invite = (who: Credentials, payload: object) => call(who, 'POST', `${org}/members/`, { payload });

  test('are for members and viewers alone, and only while they are on', async () => {
    const member = await addPerson(api, 'inviter', 'member');
    const viewer = await addPerson(api, 'looker', 'viewer');
    expect((await invite(member.session, { email: 'a@example.com' })).status).toBe(403);
    await set({ memberInvitations: true });
    expect((await invite(viewer.session, { email: 'a@example.com' })).status).toBe(403);
    const made = await invite(member.session, { email: 'a@example.com' });
    expect(made).toMatchObject({ status: 201, body: { role: 'member' } });
    for (const role of ['manager', 'admin', 'owner']) {
      expect(await invite(member.session, { email: 'b@example.com', role })).toMatchObject({
        status: 403,
        body: { code: 'ROLE_TOO_HIGH' },
      });
    }
    expect((await invite(member.session, { email: 'b@example.com', role: 'viewer' })).status).toBe(201);
    // Nothing else of members is theirs.
    const url = `${org}/members/${String(made.body['id'])}/`;
    expect((await call(member.session, 'PUT', url, { payload: { role: 'viewer' } })).status).toBe(403);
    await set({ memberInvitations: false });
    expect((await invite(member.session, { email: 'c@example.com' })).status).toBe(403);
    await set({ memberInvitations: true });
  });

  test('are seen, renewed, replaced and revoked by who made them', async () => {
    await set({ memberInvitations: true });
    const one = await addPerson(api, 'one', 'member');
    const other = await addPerson(api, 'other', 'member');
    const made = await invite(one.session, { email: 'new@example.com' });
    const url = `${org}/members/${String(made.body['id'])}/`;
    const invited = async (who: Credentials) =>
      (await callAs(api, who, { url: `${org}/members/` }))
        .json<{ email: string; pending: boolean }[]>()
        .filter(({ pending }) => pending)
        .map(({ email }) => email);
    expect(await invited(one.session)).toEqual(['new@example.com']);
    expect(await invited(other.session)).toEqual([]);
    expect(await invited(boss)).toContain('new@example.com');
    expect((await call(other.session, 'POST', `${url}renew/`)).status).toBe(403);
    expect((await call(other.session, 'DELETE', url)).status).toBe(403);
    expect((await invite(other.session, { email: 'new@example.com' })).status).toBe(403);
    expect((await call(one.session, 'POST', `${url}renew/`)).status).toBe(200);
    expect((await invite(one.session, { email: 'new@example.com', role: 'viewer' })).status).toBe(201);
    expect((await call(one.session, 'DELETE', url)).status).toBe(204);
  });
});
