/** What directories do, in the order and the forms that their documentation describes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openScimApi, type ScimApi, type ScimBody } from './testing.ts';

let api: ScimApi;
const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

beforeAll(async () => {
  api = await openScimApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const q = (text: string): string => encodeURIComponent(text);

async function memberNamed(email: string) {
  return api.state.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['member.role', 'user.name', 'user.id', 'user.emailVerified'])
    .where('user.email', '=', email)
    .where('member.organizationId', '=', api.organizationId)
    .executeTakeFirst();
}

async function teamOf(name: string): Promise<string[]> {
  const rows = await api.state.db
    .selectFrom('team')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select('user.email')
    .where('team.name', '=', name)
    .orderBy('user.email')
    .execute();
  return rows.map(({ email }) => email);
}

describe('Entra ID', () => {
  const entra = (...Operations: object[]) => ({ schemas: [patchOp], Operations });
  let ada: ScimBody;

  test('tries the connection by a user that is nobody', async () => {
    const answer = await api.scim('GET', `/Users?filter=${q('userName eq "5c1b5e2a-nobody"')}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        startIndex: 1,
        itemsPerPage: 0,
        Resources: [],
      },
    });
    expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
  });

  test('creates somebody, and finds them again', async () => {
    const made = await api.scim('POST', '/Users', {
      schemas: [user, enterprise],
      externalId: 'ada.mail',
      userName: 'Ada@entra.example',
      active: true,
      displayName: 'Ada Lovelace',
      emails: [{ primary: true, type: 'work', value: 'Ada@entra.example' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      roles: [],
      [enterprise]: { department: 'Engines' },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { userName: 'Ada@entra.example', externalId: 'ada.mail', active: true, name: { givenName: 'Ada' } },
    });
    ada = made.body;
    expect(made.headers['location']).toBe(`http://culprit.test/scim/v2/Users/${ada.id}`);
    expect(await memberNamed('ada@entra.example')).toMatchObject({ role: 'member', name: 'Ada Lovelace' });
    for (const filter of [
      'userName eq "ada@entra.example"',
      'externalId eq "ada.mail"',
      'emails[type eq "work"].value eq "ada@entra.example"',
      'emails eq "ada@entra.example"',
    ]) {
      const found = await api.scim('GET', `/Users?filter=${q(filter)}`);
      expect(
        found.body.Resources.map(({ id }) => id),
        filter,
      ).toEqual([ada.id]);
    }
    expect((await api.scim('GET', `/Users/${ada.id}`)).body).toEqual(ada);
    const again = await api.scim('POST', '/Users', { schemas: [user], userName: 'ADA@entra.example' });
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } });
  });

  test('changes attributes one by one', async () => {
    const answer = await api.scim(
      'PATCH',
      `/Users/${ada.id}`,
      entra(
        { op: 'Replace', path: 'displayName', value: 'Ada King' },
        { op: 'Add', path: 'name.familyName', value: 'King' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.king@entra.example' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Analysis' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+44 1' },
      ),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        displayName: 'Ada King',
        name: { familyName: 'King', givenName: 'Ada' },
        emails: [{ value: 'ada.king@entra.example', type: 'work', primary: true }],
      },
    });
    // The name becomes that of the account; an address outside of the organisation's domains does not.
    expect(await memberNamed('ada@entra.example')).toMatchObject({ name: 'Ada King' });
  });

  test('disables somebody by a text, and enables them again', async () => {
    const disabled = await api.scim(
      'PATCH',
      `/Users/${ada.id}`,
      entra({ op: 'Replace', path: 'active', value: 'False' }),
    );
    expect(disabled).toMatchObject({ status: 200, body: { active: false } });
    expect(await memberNamed('ada@entra.example')).toBeUndefined();
    expect((await api.scim('GET', `/Users/${ada.id}`)).body).toMatchObject({ active: false });
    const enabled = await api.scim(
      'PATCH',
      `/Users/${ada.id}`,
      entra({ op: 'Replace', path: 'active', value: 'True' }),
    );
    expect(enabled.body).toMatchObject({ active: true });
    expect(await memberNamed('ada@entra.example')).toMatchObject({ role: 'member' });
  });

  test('creates a group, fills, renames and empties it', async () => {
    const tried = await api.scim('GET', `/Groups?excludedAttributes=members&filter=${q('displayName eq "Engineers"')}`);
    expect(tried.body.totalResults).toBe(0);
    const made = await api.scim('POST', '/Groups', {
      schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: 'g-1',
      displayName: 'Engineers',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Engineers', members: [] } });
    const url = `/Groups/${made.body.id}`;
    await api.scim('PATCH', url, entra({ op: 'Add', path: 'members', value: [{ $ref: null, value: ada.id }] }));
    expect(await teamOf('Engineers')).toEqual(['ada@entra.example']);
    const without = await api.scim('GET', `${url}?excludedAttributes=members`);
    expect(without.body).not.toHaveProperty('members');
    expect((await api.scim('GET', `/Users/${ada.id}`)).body).toMatchObject({
      groups: [{ value: made.body.id, display: 'Engineers' }],
    });
    await api.scim('PATCH', url, entra({ op: 'Replace', path: 'displayName', value: 'Engine room' }));
    expect(await teamOf('Engine room')).toEqual(['ada@entra.example']);
    await api.scim('PATCH', url, entra({ op: 'Remove', path: 'members', value: [{ $ref: null, value: ada.id }] }));
    expect(await teamOf('Engine room')).toEqual([]);
    expect((await api.scim('DELETE', url)).status).toBe(204);
    expect((await api.scim('GET', url)).status).toBe(404);
  });

  test('deletes somebody in the end', async () => {
    expect((await api.scim('DELETE', `/Users/${ada.id}`)).status).toBe(204);
    const gone = await api.scim('GET', `/Users/${ada.id}`);
    expect(gone).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' },
    });
    expect(await memberNamed('ada@entra.example')).toBeUndefined();
    expect((await api.scim('DELETE', `/Users/${ada.id}`)).status).toBe(404);
  });
});

describe('Okta', () => {
  let bob: ScimBody;
  const profile = {
    schemas: [user],
    userName: 'bob@okta.example',
    name: { givenName: 'Bob', familyName: 'Bee' },
    emails: [{ primary: true, value: 'bob@okta.example', type: 'work' }],
    displayName: 'Bob Bee',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  };

  test('tests the connector, page by page', async () => {
    const answer = await api.scim('GET', '/Users?startIndex=1&count=2');
    expect(answer.body).toMatchObject({ startIndex: 1, itemsPerPage: 0, totalResults: 0 });
    expect((await api.scim('GET', '/Groups?startIndex=1&count=100')).status).toBe(200);
    expect((await api.scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
    });
  });

  test('creates somebody, and the password that it sends is no one’s', async () => {
    const made = await api.scim('POST', '/Users', profile);
    expect(made).toMatchObject({ status: 201, body: { userName: 'bob@okta.example', active: true } });
    expect(JSON.stringify(made.body)).not.toContain('1mz050nq');
    bob = made.body;
    expect(await api.accounts.signIn({ email: 'bob@okta.example', password: '1mz050nq' })).toBeUndefined();
  });

  test('replaces the profile', async () => {
    const { password: _, ...rest } = profile;
    const put = await api.scim('PUT', `/Users/${bob.id}`, {
      ...rest,
      id: bob.id,
      displayName: 'Robert Bee',
      name: { givenName: 'Robert', familyName: 'Bee' },
      meta: { resourceType: 'User' },
    });
    expect(put).toMatchObject({ status: 200, body: { displayName: 'Robert Bee', active: true } });
    expect(await memberNamed('bob@okta.example')).toMatchObject({ name: 'Robert Bee' });
  });

  test('deactivates and reactivates without a path', async () => {
    const set = (active: boolean) =>
      api.scim('PATCH', `/Users/${bob.id}`, {
        schemas: [patchOp],
        Operations: [{ op: 'replace', value: { active } }],
      });
    expect((await set(false)).body).toMatchObject({ active: false });
    expect(await memberNamed('bob@okta.example')).toBeUndefined();
    expect((await set(true)).body).toMatchObject({ active: true });
    expect(await memberNamed('bob@okta.example')).toBeDefined();
  });

  test('pushes a group, renames it, and takes members out by a filter', async () => {
    const made = await api.scim('POST', '/Groups', {
      schemas: [group],
      displayName: 'Support',
      members: [{ value: bob.id, display: 'bob@okta.example' }],
    });
    expect(made.status).toBe(201);
    expect(await teamOf('Support')).toEqual(['bob@okta.example']);
    const url = `/Groups/${made.body.id}`;
    const patch = (...Operations: object[]) => api.scim('PATCH', url, { schemas: [patchOp], Operations });
    expect((await patch({ op: 'replace', value: { id: made.body.id, displayName: 'Helpdesk' } })).status).toBe(200);
    await patch({ op: 'remove', path: `members[value eq "${bob.id}"]` });
    expect(await teamOf('Helpdesk')).toEqual([]);
    await patch({ op: 'add', path: 'members', value: [{ value: bob.id, display: 'bob@okta.example' }] });
    expect(await teamOf('Helpdesk')).toEqual(['bob@okta.example']);
    await patch({ op: 'replace', path: 'members', value: [] });
    expect(await teamOf('Helpdesk')).toEqual([]);
  });
});

describe('others', () => {
  test('OneLogin, JumpCloud and Google: names in parts, addresses without types, a whole user to disable them', async () => {
    const made = await api.scim(
      'POST',
      '/Users',
      { userName: 'eve', emails: [{ value: 'eve@others.example' }], name: { givenName: 'Eve', familyName: 'Oh' } },
      { headers: { 'content-type': 'application/json' } },
    );
    expect(made.status).toBe(201);
    expect(await memberNamed('eve@others.example')).toMatchObject({ name: 'Eve Oh' });
    const put = await api.scim('PUT', `/Users/${made.body.id}`, {
      userName: 'eve',
      emails: [{ value: 'eve@others.example' }],
      active: false,
    });
    expect(put.body).toMatchObject({ active: false });
    expect(await memberNamed('eve@others.example')).toBeUndefined();
  });

  test('ask for a few attributes, and pages of any size', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await api.scim('POST', '/Users', { userName: `page${n}@others.example` })).status).toBe(201);
    }
    const all = (await api.scim('GET', '/Users?count=200')).body;
    const ids: string[] = [];
    for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 2) {
      const page = await api.scim('GET', `/Users?startIndex=${startIndex}&count=2&attributes=userName,emails.value`);
      expect(page.body).toMatchObject({ startIndex, totalResults: all.totalResults });
      ids.push(...page.body.Resources.map(({ id }) => id));
      for (const one of page.body.Resources)
        expect(Object.keys(one).toSorted()).toEqual(['emails', 'id', 'schemas', 'userName']);
    }
    expect(ids).toEqual(all.Resources.map(({ id }) => id));
    expect((await api.scim('GET', '/Users?count=0')).body).toMatchObject({
      totalResults: all.totalResults,
      Resources: [],
    });
    expect((await api.scim('GET', '/Users?startIndex=-5&count=-1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
    });
    const some = await api.scim(
      'GET',
      `/Users?filter=${q('userName sw "page" and active eq true')}&startIndex=2&count=2`,
    );
    expect(some.body).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 });
  });

  test('read what this interface can', async () => {
    const types = await api.scim('GET', '/ResourceTypes');
    expect(types.body.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    expect((await api.scim('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: user });
    expect((await api.scim('GET', `/Schemas/${user}`)).body).toMatchObject({ id: user, name: 'User' });
    expect((await api.scim('GET', '/Schemas')).body.totalResults).toBe(2);
    expect((await api.scim('POST', '/Bulk', {})).status).toBe(501);
    expect(await api.scim('GET', '/Nothing')).toMatchObject({ status: 404, body: { status: '404' } });
  });
});
