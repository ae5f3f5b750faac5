/** Teams, members and invitations over HTTP, on real stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { baseUrl, owner } from '../testing.ts';
import {
  type Invited,
  type Member,
  openTeamApi,
  org,
  password,
  type Person,
  type TeamApi,
  tokenIn,
} from './testing.ts';

let api: TeamApi;
let send: TeamApi['send'];
let members: TeamApi['members'];
let invite: TeamApi['invite'];
let join: TeamApi['join'];
let admin: TeamApi['admin'];
let jane: TeamApi['jane'];

beforeAll(async () => {
  api = await openTeamApi();
  ({ send, members, invite, join, admin, jane } = api);
});
afterAll(() => api?.[Symbol.asyncDispose]());

describe('invitations', () => {
  test('make a member with role and teams, once', async () => {
    const invited = await invite('kim@example.com', { teams: ['payments'] });
    expect(invited).toMatchObject({ id: expect.stringMatching(/^invite-\d+$/), pending: true, teams: ['payments'] });
    expect(invited.inviteLink).toMatch(new RegExp(`^${baseUrl}/invite/[\\w-]{43}$`));
    const url = `/api/0/invitations/${tokenIn(invited)}/`;
    const asked = await api.app.inject({ method: 'GET', url });
    expect(asked.json()).toMatchObject({ email: 'kim@example.com', hasAccount: false, signedInAs: null });
    const accept = () => api.app.inject({ method: 'POST', url, payload: { name: 'Kim', password } });
    const answers = await Promise.all([accept(), accept()]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, expect.toBeOneOf([409, 410])]);
    expect((await members()).find(({ email }) => email === 'kim@example.com')).toMatchObject({
      role: 'member',
      teams: ['payments'],
      pending: false,
    });
    expect((await api.app.inject({ method: 'GET', url })).json()).toMatchObject({ code: 'INVITATION_GONE' });
  });

  test('are not listed with their link, and for who may invite alone', async () => {
    await invite('later@example.com');
    const listed = (await members()).find(({ email }) => email === 'later@example.com');
    expect(listed).toMatchObject({ pending: true, expired: false });
    expect(JSON.stringify(listed)).not.toContain('/invite/');
    const seen = await send<Member[]>('GET', `${org}/members/`, undefined, jane);
    expect(seen.body.some(({ pending }) => pending)).toBe(false);
  });

  test('a new one replaces the one before; they end after seven days, and can be taken back', async () => {
    const first = await invite('twice@example.com');
    const second = await invite('twice@example.com');
    expect(second.id).toBe(first.id);
    const open = (one: Invited) => api.app.inject({ method: 'GET', url: `/api/0/invitations/${tokenIn(one)}/` });
    expect([(await open(first)).statusCode, (await open(second)).statusCode]).toEqual([410, 200]);
    await api.state.db
      .updateTable('invite')
      .set({ expires_at: Date.now() - 1 })
      .where('email', '=', 'twice@example.com')
      .execute();
    expect((await open(second)).json()).toMatchObject({ code: 'INVITATION_GONE', detail: /seven days/ });
    const { body: renewed } = await send<Invited>('POST', `${org}/members/${second.id}/renew/`);
    expect((await open(renewed)).statusCode).toBe(200);
    expect((await send('DELETE', `${org}/members/${second.id}/`)).status).toBe(204);
    expect((await open(renewed)).statusCode).toBe(410);
  });

  test('who has an account signs in first; who is signed in joins as they are', async () => {
    const { body: refused } = await send('POST', `${org}/members/`, { email: 'jane@example.com' });
    expect(refused).toMatchObject({ code: 'MEMBER_EXISTS' });
    await send('DELETE', `${org}/members/${jane.id}/`);
    const token = tokenIn(await invite('jane@example.com', { teams: ['payments'] }));
    const url = `/api/0/invitations/${token}/`;
    const anonymous = await api.app.inject({ method: 'POST', url, payload: { password } });
    expect(anonymous.json()).toMatchObject({ code: 'ACCOUNT_EXISTS' });
    expect((await send('POST', url, {}, jane)).status).toBe(200);
    const member = (await members()).find(({ email }) => email === 'jane@example.com');
    expect(member).toMatchObject({ teams: ['payments'], user: { id: jane.userId } });
    jane = { ...jane, id: member?.id ?? '' };
  });

  test('no token that was made up opens one', async () => {
    for (const token of ['x', '%00', '__proto__', 'A'.repeat(43), "' or 1=1 --".padEnd(43, '-')]) {
      const answer = await api.app.inject({ method: 'GET', url: `/api/0/invitations/${encodeURIComponent(token)}/` });
      expect(answer.statusCode).toBe(410);
    }
  });
});

describe('roles', () => {
  const own = async () => (await members()).find(({ email }) => email === owner.email)?.id ?? '';

  test('members change nobody; admins neither make nor change owners; each is told who can', async () => {
    const put = (id: string, role: string, as: Person) => send('PUT', `${org}/members/${id}/`, { role }, as);
    expect((await put(admin.id, 'member', jane)).body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await put(jane.id, 'owner', admin)).body).toMatchObject({
      code: 'ROLE_TOO_HIGH',
      detail: expect.stringContaining(owner.email),
    });
    expect((await put(await own(), 'member', admin)).body).toMatchObject({ code: 'ROLE_TOO_HIGH' });
    expect((await send('DELETE', `${org}/members/${await own()}/`, undefined, admin)).status).toBe(403);
    expect((await send('POST', `${org}/members/`, { email: 'o@example.com', role: 'owner' }, admin)).status).toBe(403);
    expect((await put(jane.id, 'admin', admin)).status).toBe(200);
    expect((await put(jane.id, 'member', admin)).status).toBe(200);
  });

  test('the last owner neither leaves nor takes another role', async () => {
    const id = await own();
    expect((await send('PUT', `${org}/members/${id}/`, { role: 'admin' })).body).toMatchObject({ code: 'LAST_OWNER' });
    expect((await send('DELETE', `${org}/members/me/`)).body).toMatchObject({ code: 'LAST_OWNER' });
  });

  test('a token that was made to read or to build takes its owner out of nothing', async () => {
    const { organizationId, userId } = api;
    const made = { organizationId, userId, name: 'build', kind: 'organization' } as const;
    const tokens = [await api.makeToken('org:read'), (await api.accounts.createToken(made)).token];
    for (const token of tokens) {
      for (const [method, path] of [
        ['DELETE', 'me/'],
        ['POST', 'me/teams/payments/'],
        ['DELETE', 'me/teams/payments/'],
      ] as const) {
        const answer = await api.call({ method, url: `${org}/members/${path}`, token });
        expect(answer.json()).toMatchObject({ code: 'SCOPE_MISSING', detail: /member:write/ });
      }
    }
  });

  test('who leaves takes no issue with them, and keeps their name in what they did', async () => {
    const leaver = await join('leaver@example.com');
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('left') })]);
    const [issue] = await api.get<{ id: string }[]>(`${org}/issues/?query=`);
    const id = Number(issue?.id);
    await api.state.db.updateTable('issue').set({ assignee_user_id: leaver.userId }).where('id', '=', id).execute();
    await send('POST', `/api/0/issues/${id}/comments/`, { text: 'I was here' }, leaver);
    expect((await send('DELETE', `${org}/members/me/`, undefined, leaver)).status).toBe(204);
    expect((await send('GET', `${org}/`, undefined, leaver)).status).toBe(404);
    const row = await api.state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.assignee_user_id).toBeNull();
    const [comment] = await api.get<{ user: { email: string } }[]>(`/api/0/issues/${id}/comments/`);
    expect(comment?.user.email).toBe('leaver@example.com');
  });
});

describe('teams', () => {
  test('are made, renamed, given projects and members, and deleted', async () => {
    const made = await send<{ slug: string; isMember: boolean }>('POST', `${org}/teams/`, { name: 'Büro Zürich' });
    expect(made.body).toMatchObject({ slug: 'buro-zurich', memberCount: 1, isMember: true, projects: [] });
    const url = '/api/0/teams/acme/buro-zurich/';
    expect((await send('POST', `${org}/teams/`, { slug: 'buro-zurich' })).body).toMatchObject({
      code: 'SLUG_TAKEN',
    });
    expect((await send('PUT', url, { slug: 'things', projects: ['web'] })).body).toMatchObject({
      slug: 'things',
      projects: [{ slug: 'web' }],
    });
    const joined = await send('POST', `${org}/members/me/teams/things/`, undefined, jane);
    expect(joined.body).toMatchObject({ teams: ['things', 'payments'] });
    const other = await send('POST', `${org}/members/${admin.id}/teams/things/`, undefined, jane);
    expect(other.body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await api.get<unknown[]>('/api/0/teams/acme/things/members/')).toHaveLength(2);
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('things') })]);
    const { id } = await api.state.db
      .selectFrom('team')
      .select('id')
      .where('slug', '=', 'things')
      .executeTakeFirstOrThrow();
    await api.state.db.updateTable('issue').set({ assignee_team_id: id }).execute();
    expect((await send('DELETE', '/api/0/teams/acme/things/')).status).toBe(204);
    const left = await api.state.db.selectFrom('issue').select('id').where('assignee_team_id', '=', id).execute();
    expect(left).toEqual([]);
    expect((await send('POST', `${org}/teams/`, { name: 'x' }, jane)).body).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});
