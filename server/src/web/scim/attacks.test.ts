/** What a directory, or who has its token, must not get: other organisations, other people's accounts, more than it gives. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson, addRival, callAs, signIn, tokenOf } from '../../api/access-testing.ts';
import { owner } from '../../api/testing.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { insertMember, type Role } from '../../domains/accounts/index.ts';
import { type Call, openScimApi, type ScimApi, type ScimBody } from './testing.ts';

let api: ScimApi;
let rival: Call;

beforeAll(async () => {
  api = await openScimApi();
  await addRival(api);
  rival = api.as(await api.newToken('other-org'));
});
afterAll(() => api?.[Symbol.asyncDispose]());

const make = async (email: string, more: object = {}, call = api.scim): Promise<ScimBody> => {
  const answer = await call('POST', '/Users', { userName: email, ...more });
  expect(answer.status, answer.body.detail).toBe(201);
  return answer.body;
};
const patch = (path: string, Operations: object[], call = api.scim) => call('PATCH', path, { Operations });
const disable = (id: string, call = api.scim) =>
  patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }], call);

const accountOf = (email: string) =>
  api.state.db.selectFrom('user').selectAll().where('email', '=', email).executeTakeFirst();

async function roleOf(email: string, organizationId = api.organizationId): Promise<string | undefined> {
  const row = await api.state.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('member.role')
    .where('user.email', '=', email)
    .where('member.organizationId', '=', organizationId)
    .executeTakeFirst();
  return row?.role;
}

/** A provider of an organisation, as far as a directory asks about it. */
async function provide(
  organizationId: string,
  { domain, mapping = [] }: { domain: string; mapping?: { value: string; role: Role }[] },
): Promise<void> {
  const id = `provider-${domain}`;
  const times = { created_at: 1, updated_at: 1 };
  await api.state.db
    .insertInto('sign_in_provider')
    .values({
      ...times,
      id,
      organization_id: organizationId,
      kind: 'oidc',
      name: domain,
      settings: '{}',
      enabled: 1,
      joins: 1,
      default_role: 'viewer',
      problem: '',
    })
    .execute();
  await api.state.db
    .insertInto('sign_in_domain')
    .values({ domain, provider_id: id, proof: 'x', verified_at: 1 })
    .execute();
  for (const { value, role } of mapping) {
    await api.state.db.insertInto('sign_in_mapping').values({ provider_id: id, value, role, team_id: null }).execute();
  }
}

describe('a token', () => {
  test('is that of a directory, and works for nothing else', async () => {
    const refused = { status: 401, body: { status: '401', detail: expect.stringContaining('SCIM token') } };
    for (const token of ['', 'culprit_scim_short', `culprit_scim_${'A'.repeat(43)}`, api.token]) {
      expect(await api.as(token)('GET', '/Users', undefined, { from: '192.0.2.1' })).toMatchObject(refused);
    }
    const session = await signIn(api, owner.email, owner.password);
    expect(await api.as('')('GET', '/Users', undefined, { headers: session, from: '192.0.2.1' })).toMatchObject(
      refused,
    );
    const elsewhere = await api.app.inject({
      url: '/api/0/organizations/',
      headers: { authorization: `Bearer ${await api.newToken()}` },
    });
    expect(elsewhere.statusCode).toBe(401);
    expect(
      (await api.as(await api.newToken(api.organizationId, Date.now() - 1))('GET', '/Users')).body.detail,
    ).toContain('expired');
    const stored = JSON.stringify(await api.state.db.selectFrom('scim_token').selectAll().execute());
    expect(stored).not.toContain('culprit_scim_');
  });

  test('is made, seen once, and revoked by owners alone', async () => {
    const boss = await signIn(api, owner.email, owner.password);
    const admin = await addPerson(api, 'admin', 'admin');
    const url = '/organizations/acme/scim-tokens/';
    const payload = { name: 'Entra' };
    expect((await callAs(api, admin.session, { method: 'POST', url, payload })).statusCode).toBe(403);
    const made = (await callAs(api, boss, { method: 'POST', url, payload })).json<{ id: string; token: string }>();
    expect((await api.as(made.token)('GET', '/Users')).status).toBe(200);
    const seen = await callAs(api, boss, { url: '/organizations/acme/provisioning/' });
    expect(seen.json()).toMatchObject({ baseUrl: 'http://culprit.test/scim/v2', tokens: expect.arrayContaining([]) });
    expect(seen.body).not.toContain(made.token);
    expect(seen.json<{ tokens: object[] }>().tokens[0]).toMatchObject({
      name: 'Entra',
      dateLastUsed: expect.any(String),
    });
    expect((await callAs(api, boss, { method: 'DELETE', url: `${url}${made.id}/` })).statusCode).toBe(204);
    expect((await api.as(made.token)('GET', '/Users')).status).toBe(401);
  });

  test('is guessed slowly, and used without end by nobody', async () => {
    const guess = api.as(`culprit_scim_${'B'.repeat(43)}`);
    const answers = [];
    for (let n = 0; n < 40; n += 1)
      answers.push((await guess('GET', '/Users', undefined, { from: '192.0.2.77' })).status);
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(32);
    expect(answers.at(-1)).toBe(429);
    const busy = api.as(await api.newToken());
    const used = await Promise.all(Array.from({ length: 340 }, () => busy('GET', '/ServiceProviderConfig')));
    const limited = used.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(Number(limited[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('holds to the addresses that the organisation allows', async () => {
    const allowed_addresses = JSON.stringify(['198.51.100.0/24']);
    const setting = { organization_id: 'other-org', allowed_addresses };
    await api.state.db.insertInto('organization_setting').values(setting).execute();
    expect((await rival('GET', '/Users', undefined, { from: '198.51.100.9' })).status).toBe(200);
    expect((await rival('GET', '/Users', undefined, { from: '203.0.113.9' })).status).toBe(403);
    await api.state.db.deleteFrom('organization_setting').execute();
  });
});

describe('another organisation', () => {
  test('has other users and groups, whatever their ids', async () => {
    const theirs = await make('theirs@rival.example', {}, rival);
    const ours = await make('ours@acme.example');
    const group = (await rival('POST', '/Groups', { displayName: 'Theirs', members: [{ value: theirs.id }] })).body;
    for (const [method, path, body] of [
      ['GET', `/Users/${theirs.id}`],
      ['PUT', `/Users/${theirs.id}`, { userName: 'theirs@rival.example', active: false }],
      ['PATCH', `/Users/${theirs.id}`, { Operations: [{ op: 'replace', value: { active: false } }] }],
      ['DELETE', `/Users/${theirs.id}`],
      ['GET', `/Groups/${group.id}`],
      ['PUT', `/Groups/${group.id}`, { displayName: 'Ours now' }],
      ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'remove', path: 'members' }] }],
      ['DELETE', `/Groups/${group.id}`],
    ] as const) {
      expect((await api.scim(method, path, body)).status, `${method} ${path}`).toBe(404);
    }
    expect((await rival('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: theirs.id }]);
    expect(await roleOf('theirs@rival.example', 'other-org')).toBe('member');
    const listed = (await api.scim('GET', '/Users?count=200')).body.Resources.map(({ id }) => id);
    expect(listed).toContain(ours.id);
    expect(listed).not.toContain(theirs.id);
    for (const answer of [
      await api.scim('POST', '/Groups', { displayName: 'Mixed', members: [{ value: theirs.id }] }),
      await api.scim('POST', '/Groups', { displayName: 'Mixed', members: [{ value: owner.email }] }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    }
    // Nothing of what failed stays.
    expect((await api.scim('GET', '/Groups')).body.totalResults).toBe(0);
  });

  test('keeps its people: an account that is not ours is not taken', async () => {
    const victim = await addPerson(api, 'victim', 'member', 'other-org');
    const taken = await api.scim('POST', '/Users', { userName: 'victim@example.com' });
    expect(taken).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(await roleOf('victim@example.com')).toBeUndefined();
    // Of a domain that is ours, they become a member; their account stays theirs.
    await provide(api.organizationId, { domain: 'example.com' });
    const joined = await make('victim@example.com', { displayName: 'Mallory', active: true });
    expect(await roleOf('victim@example.com')).toBe('viewer');
    const put = { userName: 'victim@example.com', displayName: 'Mallory', emails: [{ value: 'mallory@example.com' }] };
    expect((await api.scim('PUT', `/Users/${joined.id}`, put)).status).toBe(200);
    expect(await accountOf('victim@example.com')).toMatchObject({ id: victim.userId, name: 'victim' });
    expect(await accountOf('mallory@example.com')).toBeUndefined();
    await disable(joined.id);
    expect([await roleOf('victim@example.com'), await roleOf('victim@example.com', 'other-org')]).toEqual([
      undefined,
      'member',
    ]);
    const session = await callAs(api, victim.session, { url: '/organizations/rival/issues/' });
    expect(session.statusCode).toBe(200);
    await api.state.db.deleteFrom('sign_in_provider').execute();
  });

  test('is no way to an account that was made here, once its person is there, too', async () => {
    await provide(api.organizationId, { domain: 'moved.example' });
    const made = await make('mo@moved.example', { displayName: 'Mo' });
    const rename = (value: string) =>
      patch(`/Users/${made.id}`, [{ op: 'replace', path: 'emails', value: [{ value }] }]);
    await rename('mo@attacker.example');
    expect(await accountOf('mo@moved.example')).toBeDefined();
    await rename('mo2@moved.example');
    expect(await accountOf('mo2@moved.example')).toMatchObject({ name: 'Mo' });
    const { id: userId = '' } = (await accountOf('mo2@moved.example')) ?? {};
    await api.state.transaction((trx) => insertMember(trx, { organizationId: 'other-org', userId, role: 'member' }));
    await rename('mo3@moved.example');
    expect(await accountOf('mo3@moved.example')).toBeUndefined();
    // Nor to one that has the address already.
    const other = await make('taken@moved.example');
    const third = await make('third@moved.example');
    const clash = await patch(`/Users/${third.id}`, [
      { op: 'replace', path: 'emails', value: [{ value: 'taken@moved.example' }] },
    ]);
    expect(clash).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
    expect(other.id).not.toBe(third.id);
    await api.state.db.deleteFrom('sign_in_provider').execute();
  });

  test('finds an account of a foreign address without proof of it', async () => {
    await make('ceo@bigcorp.example');
    expect(Number((await accountOf('ceo@bigcorp.example'))?.emailVerified)).toBe(0);
    await provide(api.organizationId, { domain: 'own.example' });
    await make('one@own.example');
    expect(Number((await accountOf('one@own.example'))?.emailVerified)).toBe(1);
    await api.state.db.deleteFrom('sign_in_provider').execute();
  });
});

describe('a role', () => {
  test('is not given by what a user says of themselves', async () => {
    await make('climber@acme.example', {
      roles: [{ value: 'owner', primary: true }],
      role: 'owner',
      userType: 'owner',
    });
    expect(await roleOf('climber@acme.example')).toBe('member');
  });

  test('comes from the groups that a provider maps, up to admin, and goes with them', async () => {
    const mapping = [
      { value: 'Bosses', role: 'owner' as const },
      { value: 'g-leads', role: 'manager' as const },
    ];
    await provide(api.organizationId, { domain: 'roles.example', mapping });
    const one = await make('one@roles.example');
    expect(await roleOf('one@roles.example')).toBe('viewer');
    const leads = (
      await api.scim('POST', '/Groups', { displayName: 'Leads', externalId: 'g-leads', members: [{ value: one.id }] })
    ).body;
    expect(await roleOf('one@roles.example')).toBe('manager');
    const bosses = (await api.scim('POST', '/Groups', { displayName: 'Bosses', members: [{ value: one.id }] })).body;
    expect(await roleOf('one@roles.example')).toBe('admin');
    await patch(`/Groups/${bosses.id}`, [{ op: 'remove', path: `members[value eq "${one.id}"]` }]);
    expect(await roleOf('one@roles.example')).toBe('manager');
    await api.scim('DELETE', `/Groups/${leads.id}`);
    await api.scim('DELETE', `/Groups/${bosses.id}`);
    await api.state.db.deleteFrom('sign_in_provider').execute();
  });

  test('of the last owner is not taken, in any way', async () => {
    const taken = await make(owner.email);
    const refused = { status: 409, body: { scimType: 'mutability', detail: expect.stringContaining('only owner') } };
    expect(await disable(taken.id)).toMatchObject(refused);
    expect(await api.scim('PUT', `/Users/${taken.id}`, { userName: owner.email, active: false })).toMatchObject(
      refused,
    );
    expect(await api.scim('DELETE', `/Users/${taken.id}`)).toMatchObject(refused);
    await provide(api.organizationId, { domain: 'x.example', mapping: [{ value: 'Juniors', role: 'viewer' }] });
    const juniors = await api.scim('POST', '/Groups', { displayName: 'Juniors', members: [{ value: taken.id }] });
    expect(juniors.status).toBe(201);
    expect(await roleOf(owner.email)).toBe('owner');
    expect((await api.scim('GET', `/Users/${taken.id}`)).body.active).toBe(true);
    await api.scim('DELETE', `/Groups/${juniors.body.id}`);
    await api.state.db.deleteFrom('sign_in_provider').execute();
  });
});

describe('who is removed', () => {
  test('loses session, stream and tokens within five seconds', async () => {
    const leaver = await addPerson(api, 'leaver', 'member');
    const token = await tokenOf(api, leaver.userId, ['event:read']);
    const adopted = await make('leaver@example.com');
    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const open = async (headers: Readonly<Record<string, string>>): Promise<{ readonly ended: Promise<number> }> => {
      const answer = await fetch(`${address}/api/0/organizations/acme/live/`, { headers });
      expect(answer.status).toBe(200);
      const read = async (): Promise<number> => {
        for await (const _ of answer.body ?? []);
        return performance.now();
      };
      return { ended: read() };
    };
    const streams = [await open({ cookie: leaver.session['cookie'] ?? '' }), await open(token)];
    await delay(50);
    const began = performance.now();
    expect((await disable(adopted.id)).body.active).toBe(false);
    for (const { ended } of streams) expect((await ended) - began).toBeLessThan(5_000);
    const url = '/organizations/acme/issues/';
    expect((await callAs(api, token, { url })).statusCode).toBe(401);
    expect((await callAs(api, leaver.session, { url })).statusCode).toBe(401);
    const sessions = await api.state.db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', leaver.userId)
      .execute();
    expect(sessions).toEqual([]);
  }, 20_000);

  test('is told of in the audit log, by the name of the token', async () => {
    const made = await make('told@acme.example');
    await disable(made.id);
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 2 });
    expect(entries).toMatchObject([
      { action: 'member.remove', actor: { type: 'token', name: 'SCIM' }, target: { name: 'told@acme.example' } },
      { action: 'member.add', details: { role: 'member' } },
    ]);
  });

  test('in the console, is inactive for the directory until it says otherwise', async () => {
    const made = await make('handmade@acme.example');
    const member = await api.state.db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select('member.id')
      .where('user.email', '=', 'handmade@acme.example')
      .executeTakeFirstOrThrow();
    const boss = await signIn(api, owner.email, owner.password);
    await callAs(api, boss, { method: 'DELETE', url: `/organizations/acme/members/${member.id}/` });
    expect((await api.scim('GET', `/Users/${made.id}`)).body.active).toBe(false);
    await patch(`/Users/${made.id}`, [{ op: 'replace', path: 'displayName', value: 'Hand' }]);
    expect(await roleOf('handmade@acme.example')).toBeUndefined();
    await patch(`/Users/${made.id}`, [{ op: 'replace', path: 'active', value: true }]);
    expect(await roleOf('handmade@acme.example')).toBe('member');
  });

  test('by hand put into a team stays there, whatever its group does', async () => {
    const one = await make('both@acme.example');
    const boss = await signIn(api, owner.email, owner.password);
    const payload = { name: 'Crew' };
    await callAs(api, boss, { method: 'POST', url: '/organizations/acme/teams/', payload });
    await callAs(api, boss, { method: 'POST', url: '/organizations/acme/members/me/teams/crew/' });
    const group = (await api.scim('POST', '/Groups', { displayName: 'crew', members: [{ value: one.id }] })).body;
    const inCrew = async () =>
      (await callAs(api, boss, { url: '/organizations/acme/members/' }))
        .json<{ email: string; teams: string[] }[]>()
        .filter(({ teams }) => teams.includes('crew'))
        .map(({ email }) => email)
        .toSorted();
    expect(await inCrew()).toEqual(['both@acme.example', owner.email]);
    await api.scim('DELETE', `/Groups/${group.id}`);
    expect(await inCrew()).toEqual([owner.email]);
  });
});

describe('what is too much', () => {
  test.each([
    ['a body of more than a mebibyte', 'POST', '/Users', JSON.stringify({ userName: 'x'.repeat(2 ** 20) }), 413],
    ['no JSON', 'POST', '/Users', '{"userName":', 400],
    ['a list', 'POST', '/Users', '[]', 400],
    ['nothing', 'POST', '/Users', '', 400],
    ['brackets without end', 'POST', '/Users', `{"members":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 400],
    ['no name', 'POST', '/Users', '{}', 400],
    [
      'a name of a thousand letters',
      'POST',
      '/Users',
      JSON.stringify({ userName: `${'x'.repeat(1_000)}@a.example` }),
      400,
    ],
    ['no address', 'POST', '/Users', '{"userName":"bob"}', 400],
    ['an address of our own', 'POST', '/Users', '{"userName":"x@service.invalid"}', 400],
    [
      'a hundred addresses',
      'POST',
      '/Users',
      JSON.stringify({
        userName: 'a@b.example',
        emails: Array.from({ length: 100 }, (_, n) => ({ value: `${n}@b.example` })),
      }),
      400,
    ],
    [
      'five thousand and one members',
      'POST',
      '/Groups',
      JSON.stringify({ displayName: 'Many', members: Array.from({ length: 5_001 }, (_, n) => ({ value: `u${n}` })) }),
      400,
    ],
    ['a user that is half a text', 'POST', '/Users', '{"userName":"\\u0000@a.example"}', 400],
  ] as const)('%s is refused', async (_, method, path, payload, status) => {
    const began = performance.now();
    const answer = await api.scim(method, path, payload);
    expect(answer).toMatchObject({
      status,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
    });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(api.errors).toEqual([]);
  });

  test('another content type, and filters without end', async () => {
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await api.scim('POST', '/Users', 'userName=x', form)).status).toBe(415);
    const filters = [
      `userName eq "${'x'.repeat(2_000)}"`,
      `${'('.repeat(500)}userName pr${')'.repeat(500)}`,
      'userName eq',
    ];
    for (const filter of filters) {
      for (const path of ['/Users', '/Groups']) {
        const answer = await api.scim('GET', `${path}?filter=${encodeURIComponent(filter)}`);
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
      }
    }
  });

  test('several at once leave one of each', async () => {
    const twice = await Promise.all(
      Array.from({ length: 4 }, () => api.scim('POST', '/Users', { userName: 'twin@acme.example' })),
    );
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  });
});
