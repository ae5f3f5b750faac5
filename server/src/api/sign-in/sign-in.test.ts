import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Idp, openIdp } from '../../domains/providers/testing/idp.ts';
import { addPerson, callAs, type Credentials, signIn } from '../access-testing.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';
import { type Browser, openBrowser, toApi } from './testing/browser.ts';

let api: TestApi;
let founder: Credentials;
let idp: Idp;
let visits = 0;

beforeAll(async () => {
  api = await openTestApi();
  founder = await signIn(api, owner.email, owner.password);
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Made {
  readonly id: string;
  readonly problem: string;
  readonly domains: { domain: string; verified: boolean; record: { name: string; value: string } | null }[];
}

const at = '/organizations/acme/sign-in-providers/';
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, who = founder) =>
  callAs(api, who, { method, url, ...(payload && { payload }) });
const make = async (change: object = {}): Promise<Made> => {
  const body = { kind: 'oidc', name: 'Acme SSO', domains: ['example.com'], settings: idp.settings, joins: true };
  const made = await call('POST', at, { ...body, ...change });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<Made>();
};
const browse = (): Browser => openBrowser(toApi(api, `192.0.2.${(visits += 1)}`));
const kim = { sub: 'kim', email: 'kim@example.com', email_verified: true, name: 'Kim' };

beforeEach(async () => {
  idp = await openIdp();
  idp.person = kim;
  return async () => {
    for (const { id } of (await call('GET', at)).json<Made[]>()) await call('DELETE', `${at}${id}/`);
    await idp[Symbol.asyncDispose]();
  };
});

test('somebody new comes in, is a member, and is led to where they wanted to go', async () => {
  const { id } = await make();
  const browser = browse();
  const location = await browser.start(id, '/issues?query=x#y');
  const asked = new URL(location).searchParams;
  expect(asked.get('redirect_uri')).toBe(`http://culprit.test/api/auth/provider/${id}/callback`);
  expect(asked.get('scope')).toBe('openid email profile');
  expect(await browser.comeBack(idp.authorize(location))).toEqual({
    location: '/issues?query=x#y',
    problem: undefined,
  });
  expect(await browser.who()).toBe('kim@example.com');
  expect([...browser.cookies.keys()].filter((name) => name.includes('flow'))).toEqual([]);
  const newest = () =>
    api.state.db
      .selectFrom('session')
      .select(['way', 'secondFactor'])
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow();
  expect(await newest()).toMatchObject({ way: `provider:${id}`, secondFactor: 0 });
  const audit = await call('GET', '/organizations/acme/audit-log/');
  const entries = audit.json<{ action: string; details: unknown }[]>();
  expect(entries.filter(({ action }) => action !== 'audit_log.read').slice(0, 3)).toMatchObject([
    { action: 'sign_in.succeed', details: { way: `provider:${id}`, provider: 'Acme SSO' } },
    { action: 'user.link_provider' },
    { action: 'member.join' },
  ]);
  // Whoever comes again is the same.
  const again = browse();
  idp.person = { ...kim, amr: ['pwd', 'mfa'], email: undefined };
  await again.comeBack(idp.authorize(await again.start(id)));
  expect(await again.who()).toBe('kim@example.com');
  expect(await newest(), 'with a second factor there').toMatchObject({ secondFactor: 1 });
  const [one] = (await call('GET', at)).json<{ people: number; lastUsed: string; problem: string }[]>();
  expect(one).toMatchObject({ people: 1, problem: '', lastUsed: expect.any(String) });
});

test('the sign-in page knows names and domains, and no more', async () => {
  const { id } = await make();
  const { id: off } = await make({ name: 'Off', enabled: false, domains: ['off.example'] });
  const provider = { id, kind: 'oidc', name: 'Acme SSO' };
  expect((await call('GET', '/sign-in/', undefined, {})).json()).toEqual({ providers: [provider] });
  const find = async (email: string) => (await call('POST', '/sign-in/', { email }, {})).json();
  expect(await find('Nobody@Example.com ')).toEqual({ provider });
  for (const email of ['a@other.com', 'a@off.example', '', 'example.com.', 'x@sub.example.com']) {
    expect(await find(email), email).toEqual({ provider: null });
  }
  expect((await browse().comeBack(`/api/auth/provider/${off}`)).problem).toBe('provider_gone');
  expect((await browse().comeBack('/api/auth/provider/none')).problem).toBe('provider_gone');
});

test('what is missing in the ID token is asked for elsewhere', async () => {
  const { id } = await make({
    settings: { ...idp.settings, groupsClaim: 'realm.roles' },
    mapping: [{ value: 'ops', role: 'admin', team: null }],
  });
  idp.person = { sub: 'lee' };
  idp.more = { email: 'lee@example.com', email_verified: true, name: 'Lee', realm: { roles: ['ops'] } };
  const browser = browse();
  expect((await browser.comeBack(idp.authorize(await browser.start(id)))).problem).toBeUndefined();
  const members = (await call('GET', '/organizations/acme/members/')).json<{ email: string }[]>();
  expect(members.find(({ email }) => email === 'lee@example.com')).toMatchObject({ role: 'admin', name: 'Lee' });
});

test('Microsoft Entra says in its own way that an address is verified', async () => {
  const { id } = await make();
  const come = async (claims: object) => {
    idp.person = { sub: 'entra', email: 'entra@example.com', name: 'E', ...claims };
    const browser = browse();
    return (await browser.comeBack(idp.authorize(await browser.start(id)))).problem;
  };
  expect(await come({})).toBe('address_unverified');
  expect(await come({ xms_edov: false })).toBe('address_unverified');
  expect(await come({ xms_edov: true, email_verified: false })).toBe('address_unverified');
  expect(await come({ xms_edov: '1' })).toBeUndefined();
});

test('a test says what is wrong', async () => {
  const ask = async (settings: object, more: object = {}) =>
    (await call('POST', `${at}test/`, { kind: 'oidc', settings, ...more })).json<{ ok: boolean; detail: string }>();
  expect(await ask(idp.settings)).toEqual({ ok: true, detail: expect.stringContaining('knows the client ID') });
  expect(await ask({ ...idp.settings, clientSecret: 'other' })).toEqual({
    ok: false,
    detail: expect.stringContaining('does not accept the client ID or secret'),
  });
  expect(await ask({ ...idp.settings, issuer: `${idp.issuer}/realm` })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('status 404'),
  });
  expect(await ask({ ...idp.settings, issuer: 'http://127.0.0.1:1' })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('cannot be reached'),
  });
  idp.tamper = { metadata: { issuer: 'https://other.example' } };
  expect(await ask(idp.settings)).toMatchObject({ ok: false, detail: expect.stringContaining('another issuer') });
  idp.tamper = { metadata: { id_token_signing_alg_values_supported: ['HS256'] } };
  expect(await ask(idp.settings)).toMatchObject({ ok: false, detail: expect.stringContaining('ID tokens') });
  idp.tamper = { document: '<html>' };
  expect(await ask(idp.settings)).toMatchObject({ ok: false });
  idp.tamper = {};
  const { id } = await make();
  expect(await ask({}, { id })).toMatchObject({ ok: true });
  expect((await call('POST', `${at}test/`, { kind: 'google', settings: {}, id })).statusCode).toBe(400);
});

test('a failure at the provider is kept for its owners until a sign-in works', async () => {
  const { id } = await make();
  const browser = browse();
  idp.tamper = { claims: (claims) => ({ ...claims, aud: 'other' }) };
  expect((await browser.comeBack(idp.authorize(await browser.start(id)))).problem).toBe('failed');
  const problem = async () => (await call('GET', `${at}${id}/`)).json<Made>().problem;
  expect(await problem()).toContain('aud');
  idp.tamper = {};
  await browser.comeBack(idp.authorize(await browser.start(id)));
  expect(await problem()).toBe('');
  await expect
    .poll(async () => (await call('GET', '/organizations/acme/audit-log/?action=sign_in.fail')).json<unknown[]>()[0])
    .toMatchObject({
      action: 'sign_in.fail',
      details: { reason: 'failed', way: `provider:${id}`, provider: 'Acme SSO' },
    });
});

test('domains wait for their record where nobody vouches for them', async () => {
  await call('POST', '/organizations/', { name: 'Second' });
  const other = await addPerson(api, 'other-owner', 'owner');
  const body = { kind: 'oidc', name: 'Theirs', domains: ['theirs.example'], settings: idp.settings };
  const made = (await call('POST', at, body, other.session)).json<Made>();
  const record = { name: '_culprit.theirs.example', value: expect.stringMatching(/^culprit-domain=[0-9a-f]{32}$/) };
  expect(made.domains).toEqual([{ domain: 'theirs.example', verified: false, record }]);
  const check = async () => {
    const answer = await call('POST', `${at}${made.id}/domains/`, {}, other.session);
    expect(answer.statusCode, answer.body + JSON.stringify(api.errors)).toBe(200);
    return answer.json<Made>().domains;
  };
  expect(await check()).toMatchObject([{ verified: false }]);
  api.txtRecords.push(made.domains[0]?.record?.value ?? '');
  expect(await check()).toEqual([{ domain: 'theirs.example', verified: true, record: null }]);
});

test('an organisation requires its provider once its owner has come in through it', async () => {
  const { id } = await make({ mapping: [{ value: 'owners', role: 'owner', team: null }] });
  const demand = (provider: string | null, who = founder) =>
    call('PUT', '/organizations/acme/required-provider/', { provider }, who);
  expect((await demand(id)).json()).toMatchObject({ status: 409, code: 'PROVIDER_NOT_SHOWN' });
  idp.person = { ...kim, sub: 'boss', email: 'boss@example.com', groups: ['owners'] };
  const browser = browse();
  await browser.comeBack(idp.authorize(await browser.start(id)));
  const boss = { cookie: browser.cookie(), 'sec-fetch-site': 'same-origin' };
  expect((await demand(id, boss)).json()).toEqual({ provider: id });
  expect((await call('GET', at)).json()).toMatchObject({ code: 'PROVIDER_REQUIRED' });
  expect((await call('GET', at, undefined, boss)).json()).toMatchObject([{ id, required: true }]);
  for (const change of [
    () => call('PUT', `${at}${id}/`, { enabled: false }, boss),
    () => call('DELETE', `${at}${id}/`, undefined, boss),
  ]) {
    expect((await change()).json()).toMatchObject({ status: 409, code: 'PROVIDER_DEMANDED' });
  }
  expect((await demand(null, boss)).json()).toEqual({ provider: null });
  expect((await call('GET', at)).statusCode).toBe(200);
});
