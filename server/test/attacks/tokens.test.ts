/**
 * Nobody gets up by a token or an invitation: roles and tokens are bounded by who gives them, end with their makers and in
 * time, and an invitation is for its address.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../../src/domains/notify/testing/receiver.ts';
import { culprit, owner, Server } from '../harness.ts';
import { act, type Actor, join, type MemberActor, signIn, tokenOf } from './people.ts';

const dayMs = 86_400_000;
const org = '/organizations/acme';
const members = `${org}/members/`;
const tokens = `${org}/api-tokens/`;

interface Answer {
  id: string;
  token: string;
  code: string;
  detail: string;
  expiresAt: string | null;
  inviteLink: string;
  email: string;
}

let mail: MailReceiver;
let server: Server;
let boss: Actor;
let admin: MemberActor;
let member: MemberActor;
const stranger: Actor = { headers: { 'content-type': 'application/json' } };

const send = (by: Actor, method: string, path: string, payload?: object) =>
  act<Answer>(server, by, method, path, payload);
const get = async <T>(by: Actor, path: string): Promise<T> => (await act<T>(server, by, 'GET', path)).body;
const statusOf = async (by: Actor, path = `${org}/`): Promise<number> => (await act(server, by, 'GET', path)).status;
const bearer = (token: string): Actor => ({
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
});

/** By the owner's session; resolves to the path of the link's answer. */
async function invite(email: string, role: string, by = boss): Promise<{ id: string; path: string }> {
  const { status, body } = await send(by, 'POST', members, { email, role });
  expect(status).toBe(201);
  return { id: body.id, path: `/invitations/${body.inviteLink.split('/').at(-1)}/` };
}

const people = () => get<{ email: string; role: string; pending: boolean }[]>(boss, members);
const ownersNow = async () =>
  (await people()).filter(({ role, pending }) => role === 'owner' && !pending).map(({ email }) => email);

beforeAll(async () => {
  mail = await openMailReceiver();
  server = await Server.create({ CULPRIT_SMTP_URL: mail.url, CULPRIT_SELF_REPORT: 'off' }, { clock: true });
  boss = await signIn(server);
  admin = await join(server, 'ada', 'admin');
  member = await join(server, 'mia', 'member');
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

describe.sequential('roles', () => {
  test('a token with member:write makes nobody more than it is', async () => {
    const token = await tokenOf(server, boss, 'member:write');
    for (const role of ['owner', 'admin', 'member']) {
      const email = `mallory-${role}@example.com`;
      expect(await send(token, 'POST', members, { email, role }), role).toMatchObject({
        status: 403,
        body: { code: 'SCOPE_MISSING', detail: expect.stringContaining('org:admin') },
      });
      expect((await send(token, 'POST', members, { email, orgRole: role })).status, `orgRole ${role}`).toBe(403);
    }
    for (const role of ['owner', 'admin']) {
      expect((await send(token, 'PUT', `${members}${member.memberId}/`, { role })).status, role).toBe(403);
    }
    expect(await ownersNow()).toEqual([owner.email]);
    expect((await people()).some(({ email }) => email.startsWith('mallory'))).toBe(false);
  });

  test('nor takes a higher role from anybody, present or invited', async () => {
    const token = await tokenOf(server, boss, 'member:admin');
    const open = await invite('second@example.com', 'owner');
    for (const path of [`${members}${admin.memberId}/`, `${members}me/`, `${members}${open.id}/`]) {
      expect((await send(token, 'PUT', path, { role: 'member' })).status, path).toBe(403);
      expect((await send(token, 'DELETE', path)).status, path).toBe(403);
    }
    expect((await send(token, 'POST', `${members}${open.id}/renew/`)).status).toBe(403);
    expect((await send(token, 'POST', members, { email: 'second@example.com', role: 'member' })).status).toBe(403);
    expect(await statusOf(stranger, open.path)).toBe(200);
  });

  test('a token gives the roles that its scopes cover, and org:admin of an owner all of them', async () => {
    const asMember = ['org:read', 'project:read', 'project:releases', 'event:write'];
    const small = await tokenOf(server, boss, 'member:write', ...asMember);
    expect((await send(small, 'POST', members, { email: 'm@example.com', role: 'member' })).status).toBe(201);
    expect((await send(small, 'POST', members, { email: 'n@example.com', role: 'admin' })).status).toBe(403);
    const great = await tokenOf(server, boss, 'member:write', 'org:admin');
    expect((await send(great, 'POST', members, { email: 'o@example.com', role: 'owner' })).status).toBe(201);
    const { headers } = await tokenOf(server, admin, 'member:admin', 'org:write', 'project:admin', 'event:admin');
    const refused = await send({ headers }, 'POST', members, { email: 'p@example.com', role: 'owner' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_HIGH' } });
  });

  test('an admin neither replaces, changes nor takes back the invitation of an owner', async () => {
    const open = await invite('third@example.com', 'owner');
    const again = { email: 'Third@example.com', role: 'member' };
    expect(await send(admin, 'POST', members, again)).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_HIGH' } });
    expect((await send(admin, 'PUT', `${members}${open.id}/`, { role: 'member' })).status).toBe(403);
    expect((await send(admin, 'POST', `${members}${open.id}/renew/`)).status).toBe(403);
    expect((await send(admin, 'DELETE', `${members}${open.id}/`)).status).toBe(403);
    expect(await get(stranger, open.path)).toMatchObject({ email: 'third@example.com', role: 'owner' });
    expect((await send(boss, 'POST', members, again)).status).toBe(201);
  });

  test('a member and a stranger invite nobody', async () => {
    const asked = { email: 'x@example.com', role: 'member' };
    expect([
      (await send(member, 'POST', members, asked)).status,
      (await send(stranger, 'POST', members, asked)).status,
    ]).toEqual([403, 401]);
  });
});

describe.sequential('invitations', () => {
  test('are refused to another account, and not used up by it', async () => {
    const open = await invite('kim@example.com', 'admin');
    expect(await send(member, 'POST', open.path, {})).toMatchObject({
      status: 403,
      body: { code: 'INVITATION_FOR_OTHER', detail: expect.stringContaining('kim@example.com') },
    });
    expect(await people()).toContainEqual(expect.objectContaining({ email: 'mia@example.com', role: 'member' }));
    expect(await statusOf(stranger, open.path)).toBe(200);
  });

  test('make an account of the address that was invited, whatever else is sent', async () => {
    const open = await invite('lee@example.com', 'member');
    const given = { password: 'a long enough phrase', email: 'evil@example.com', role: 'owner' };
    await send({ headers: { ...stranger.headers, origin: server.url } }, 'POST', open.path, given);
    const now = (await people()).filter(({ email }) => /^(lee|evil)@/.test(email));
    expect(now.filter(({ pending }) => !pending).map(({ email, role }) => [email, role])).toEqual(
      expect.toBeOneOf([[], [['lee@example.com', 'member']]]),
    );
  });

  test('have an address', async () => {
    for (const asked of [{}, { email: '' }, { email: 'nobody' }]) {
      expect((await send(boss, 'POST', members, { role: 'member', ...asked })).status).toBe(400);
    }
  });
});

describe.sequential('tokens of tokens', () => {
  const idsSeen = async (by: Actor) => (await get<Answer[]>(by, tokens)).map(({ id }) => id);

  test.each(['org:read', 'org:write', 'member:admin', 'project:admin', 'event:admin', 'org:ci'])(
    '%s neither makes nor deletes any, and sees itself alone',
    async (scope) => {
      const stronger = await tokenOf(server, boss, 'org:admin');
      const token = await tokenOf(server, boss, scope);
      const asked = [
        { name: 'child', scopes: [scope] },
        { name: 'child', kind: 'organization' },
      ];
      for (const body of asked) {
        expect(await send(token, 'POST', tokens, body)).toMatchObject({
          status: 403,
          body: { code: 'SCOPE_MISSING', detail: expect.stringContaining('org:admin') },
        });
      }
      expect((await send(token, 'DELETE', `${tokens}${stronger.id}/`)).status).toBe(403);
      expect(await statusOf(stronger)).toBe(200);
      const seen = await act<Answer[]>(server, token, 'GET', tokens);
      expect(seen.status === 403 ? [token.id] : seen.body.map(({ id }) => id)).toEqual([token.id]);
    },
  );

  test('one of the organisation does not either', async () => {
    const { body } = await send(boss, 'POST', tokens, { name: 'builds', kind: 'organization' });
    const build = bearer(body.token);
    expect((await send(build, 'POST', tokens, { name: 'child', kind: 'organization' })).status).toBe(403);
    expect((await send(build, 'DELETE', `${tokens}${body.id}/`)).status).toBe(403);
    expect(await idsSeen(build)).toEqual([body.id]);
    expect(await statusOf(build)).toBe(200);
  });

  test('one with org:admin gives what it has, no longer than it lasts, and takes it along', async () => {
    const expiresAt = new Date(Date.now() + 30 * dayMs).toISOString();
    const made = await send(boss, 'POST', tokens, { name: 'parent', scopes: ['org:admin', 'event:read'], expiresAt });
    const parent = bearer(made.body.token);
    const ask = (body: object) => send(parent, 'POST', tokens, { name: 'child', ...body });
    expect((await ask({ scopes: ['event:write'] })).body).toMatchObject({ code: 'SCOPE_MISSING' });
    expect((await ask({ kind: 'organization' })).body).toMatchObject({ code: 'SCOPE_MISSING' });
    for (const end of [null, new Date(Date.now() + 60 * dayMs).toISOString()]) {
      expect((await ask({ scopes: ['event:read'], expiresAt: end })).status).toBe(400);
    }
    const child = await ask({ scopes: ['event:read'] });
    expect(child).toMatchObject({ status: 201, body: { expiresAt } });
    const grandchild = await ask({ scopes: ['org:admin'] });
    const great = await send(bearer(grandchild.body.token), 'POST', tokens, { name: 'x', scopes: ['org:read'] });
    expect((await send(boss, 'DELETE', `${tokens}${made.body.id}/`)).status).toBe(204);
    for (const { body } of [made, child, grandchild, great]) expect(await statusOf(bearer(body.token))).toBe(401);
  });

  test('a member makes none of the organisation, nor above their role', async () => {
    expect((await send(member, 'POST', tokens, { name: 'x', kind: 'organization' })).status).toBe(403);
    expect((await send(member, 'POST', tokens, { name: 'x', scopes: ['member:write'] })).status).toBe(403);
    expect((await send(stranger, 'POST', tokens, { name: 'x', scopes: ['org:read'] })).status).toBe(401);
  });

  test('nobody sees or deletes those of somebody else', async () => {
    const theirs = await tokenOf(server, member, 'org:read');
    expect(await idsSeen(admin)).not.toContain(theirs.id);
    expect((await send(admin, 'DELETE', `${tokens}${theirs.id}/`)).status).toBe(404);
    expect(await statusOf(theirs)).toBe(200);
  });
});

describe.sequential('the end of a membership', () => {
  test('ends tokens, what these made, and open invitations', async () => {
    const open = await invite('olga@example.com', 'owner');
    const password = 'a long enough phrase of olga';
    const joined = { ...stranger.headers, origin: server.url };
    expect((await send({ headers: joined }, 'POST', open.path, { password })).status).toBe(200);
    const olga = await signIn(server, { email: 'olga@example.com', password });
    const parent = await tokenOf(server, olga, 'org:admin', 'org:ci');
    const made = await send(parent, 'POST', tokens, { name: 'builds', kind: 'organization' });
    const child = await send(parent, 'POST', tokens, { name: 'child', scopes: ['org:read'] });
    const own = await send(olga, 'POST', tokens, { name: 'builds of olga', kind: 'organization' });
    const back = await invite('olga-too@example.com', 'owner', olga);
    const theirs = [parent, ...[made, child, own].map(({ body }) => bearer(body.token))];
    for (const token of theirs) expect(await statusOf(token)).toBe(200);

    const { id } = (await get<Answer[]>(boss, members)).find(({ email }) => email === 'olga@example.com') ?? { id: '' };
    expect((await send(boss, 'DELETE', `${members}${id}/`)).status).toBe(204);
    for (const token of theirs) expect(await statusOf(token)).toBe(401);
    expect(await statusOf(stranger, back.path)).toBe(410);
  });

  test('leaves the build tokens that whoever ends it keeps, and says whose they were', async () => {
    const leaver = await join(server, 'ivo', 'admin');
    const own = await send(leaver, 'POST', tokens, { name: 'builds of ivo', kind: 'organization' });
    expect((await send(boss, 'DELETE', `${members}${leaver.memberId}/?keepBuildTokens=true`)).status).toBe(204);
    expect(await statusOf(bearer(own.body.token))).toBe(200);
    const listed = await get<{ id: string; createdBy: object }[]>(boss, tokens);
    expect(listed.find((one) => one.id === own.body.id)?.createdBy).toMatchObject({ isMember: false });
  });

  test('a lower role ends invitations to the higher one', async () => {
    const open = await invite('backup@example.com', 'admin', admin);
    const kept = await invite('harmless@example.com', 'member', admin);
    const put = (role: string) => send(boss, 'PUT', `${members}${admin.memberId}/`, { role });
    await put('member');
    expect(await statusOf(stranger, open.path)).toBe(410);
    expect(await statusOf(stranger, kept.path)).toBe(200);
    await put('admin');
  });
});

describe.sequential('a new password', () => {
  const change = (...flags: string[]) =>
    culprit(
      ['user', 'password', '--email', 'mia@example.com', '--password-stdin', ...flags],
      { CULPRIT_DATA_DIR: server.dataDir },
      'another long enough phrase',
    );

  test('says how many tokens there are, and ends them when told to', async () => {
    const before = (await get<Answer[]>(member, tokens)).length;
    const token = await tokenOf(server, member, 'org:read');
    const count = `${before + 1} API tokens?`;
    expect(await change()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`${count} of this user (?:is|are) still valid\\. Revoke with --revoke-tokens`),
      ),
    });
    expect(await statusOf(member)).toBe(401);
    expect(await statusOf(token)).toBe(200);
    expect((await change('--keep-tokens')).code).toBe(0);
    expect(await statusOf(token)).toBe(200);
    expect((await change('--keep-tokens', '--revoke-tokens')).code).toBe(2);
    const { stdout } = await change('--revoke-tokens');
    expect(stdout).toMatch(new RegExp(`Revoked ${count}`));
    expect(await statusOf(token)).toBe(401);
  });
});

describe.sequential('expiry', () => {
  const inDays = (at: string | null): number => Math.round((Date.parse(at ?? '') - Date.now()) / dayMs);
  const make = (more: object = {}) => send(boss, 'POST', tokens, { name: 'script', scopes: ['org:read'], ...more });
  const cli = (...words: string[]) =>
    culprit(['token', ...words, '--user', owner.email], { CULPRIT_DATA_DIR: server.dataDir });

  test('is a year away unless chosen otherwise, and to come', async () => {
    expect(inDays((await make()).body.expiresAt)).toBe(365);
    expect(inDays((await send(boss, 'POST', tokens, { name: 'b', kind: 'organization' })).body.expiresAt)).toBe(365);
    const listed = await get<{ name: string; expiresAt: string | null }[]>(boss, tokens);
    expect(inDays(listed.find(({ name }) => name === 'culprit init')?.expiresAt ?? null)).toBe(365);
    expect((await make({ expiresAt: null })).body.expiresAt).toBeNull();
    expect((await make({ expiresAt: new Date(Date.now() - 1).toISOString() })).status).toBe(400);
    expect((await make({ expiresAt: 'tomorrow' })).status).toBe(400);
  });

  test('is said on the command line', async () => {
    const made = async (...words: string[]) => {
      const { stdout } = await cli('create', '--json', '--scopes', 'org:read', ...words);
      return (JSON.parse(stdout) as { expiresAt: number | null }).expiresAt;
    };
    const at = (ms: number | null) => inDays(new Date(ms ?? 0).toISOString());
    expect(at(await made())).toBe(365);
    expect(at(await made('--expires', '90d'))).toBe(90);
    expect(await made('--expires', '2999-01-31')).toBe(Date.parse('2999-01-31T23:59:59.999Z'));
    expect(await made('--expires', 'never')).toBeNull();
    for (const wrong of ['2001-01-01', '0d', '2999-02-30', 'soon']) {
      expect((await cli('create', '--expires', wrong)).code, wrong).toBe(2);
    }
    const { stdout } = await cli('list');
    expect(stdout).toContain('expires 2999-01-31');
    expect(stdout).toContain('no expiry');
  });

  test('is told by mail two weeks and a day before, once each, and then is the end', async () => {
    const expiresAt = new Date(Date.now() + 50 * dayMs).toISOString();
    const { body } = await make({ name: 'nightly', expiresAt });
    const token = bearer(body.token);
    const reminders = () => mail.mails.filter(({ subject }) => subject?.includes('"nightly"'));
    // A start looks at once, and else it is a minute until the next look.
    const startLater = async (days: number): Promise<void> => {
      await server.stop();
      await server.moveClock(days * dayMs);
      await server.start();
    };
    await startLater(37);
    await server.until('the first mail', () => reminders().length === 1);
    await startLater(12.5);
    await server.until('the second mail', () => reminders().length === 2);
    expect(reminders().map(({ recipients }) => recipients)).toEqual([[owner.email], [owner.email]]);
    expect(reminders()[0]?.subject).toContain(`expires on ${expiresAt.slice(0, 10)}`);
    expect(reminders()[0]?.text).not.toContain(body.token);
    expect(await statusOf(token)).toBe(200);
    await server.moveClock(0.6 * dayMs);
    expect(await send(token, 'GET', `${org}/`)).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_EXPIRED', detail: expect.stringMatching(/expired on .*Create a new one/) },
    });
    expect(reminders()).toHaveLength(2);
  });
});
