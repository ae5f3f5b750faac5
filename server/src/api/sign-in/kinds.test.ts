/** Providers that are no OpenID Connect, or one of their own: against servers that speak as they do. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GitHub, openGitHub } from '../../domains/providers/testing/github.ts';
import { type Idp, openIdp } from '../../domains/providers/testing/idp.ts';
import { callAs, type Credentials, signIn } from '../access-testing.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';
import { type Browser, openBrowser, toApi } from './testing/browser.ts';

let api: TestApi;
let founder: Credentials;
let hub: GitHub;
let idp: Idp;
let visits = 0;

beforeAll(async () => {
  hub = await openGitHub();
  idp = await openIdp();
  api = await openTestApi({ googleIssuer: idp.issuer });
  founder = await signIn(api, owner.email, owner.password);
});
afterAll(async () => {
  for (const one of [api, hub, idp]) await one?.[Symbol.asyncDispose]();
});

const at = '/organizations/acme/sign-in-providers/';
const post = (url: string, payload: object) => callAs(api, founder, { method: 'POST', url, payload });

async function make(kind: string, settings: object, change: object = {}): Promise<string> {
  const domains = [`${kind}${(visits += 1)}.example`];
  const made = await post(at, { kind, name: kind, domains, settings, joins: true, ...change });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<{ id: string }>().id;
}

async function come(
  id: string,
  at: Pick<GitHub, 'authorize'> | Idp,
): Promise<{ problem: string | undefined; browser: Browser }> {
  const browser = openBrowser(toApi(api, `192.0.2.${(visits += 1)}`));
  const { problem } = await browser.comeBack(at.authorize(await browser.start(id)));
  return { problem, browser };
}

const client = { clientId: 'client', clientSecret: 'hub-secret' };
const email = (address: string, verified = true, primary = false) => ({ email: address, verified, primary });

test('GitHub: by a verified address of its domains, or the primary one', async () => {
  const id = await make('github', { ...client, url: hub.url }, { domains: ['hub.example'] });
  const emails = [email('kim@home.example', true, true), email('Kim@Hub.example')];
  hub.person = { ...hub.person, id: 7, emails };
  const first = await come(id, hub);
  expect(first.problem).toBeUndefined();
  expect(await first.browser.who()).toBe('kim@hub.example');
  expect(hub.scope).toBe('read:user user:email');
  // By the number: names can be given to others.
  hub.person = { ...hub.person, login: 'renamed', emails: [] };
  expect(await (await come(id, hub)).browser.who()).toBe('kim@hub.example');
  hub.person = { ...hub.person, id: 8, login: 'kim', emails: [email('lee@hub.example', false, true)] };
  expect((await come(id, hub)).problem).toBe('address_unverified');
  hub.person = { ...hub.person, emails: [email('lee@home.example', true, true)] };
  expect((await come(id, hub)).problem).toBe('domain_foreign');
  hub.person = { ...hub.person, emails: [] };
  expect((await come(id, hub)).problem).toBe('address_missing');
});

test('GitHub: only members of an organisation, whose teams give roles', async () => {
  const mapping = [
    { value: 'acme/ops', role: 'admin', team: null },
    { value: 'acme', role: 'manager', team: null },
  ];
  const settings = { ...client, url: hub.url, organization: 'acme' };
  const id = await make('github', settings, { domains: ['team.example'], mapping });
  hub.person = {
    ...hub.person,
    id: 20,
    emails: [email('o@team.example')],
    organizations: {},
    teams: [['acme', 'ops']],
  };
  expect((await come(id, hub)).problem).toBe('group_missing');
  expect(hub.scope).toContain('read:org');
  hub.person = { ...hub.person, organizations: { acme: 'pending' } };
  expect((await come(id, hub)).problem).toBe('group_missing');
  hub.person = { ...hub.person, organizations: { acme: 'active' } };
  expect((await come(id, hub)).problem).toBeUndefined();
  const role = async () =>
    (await callAs(api, founder, { method: 'GET', url: '/organizations/acme/members/' }))
      .json<{ email: string; role: string }[]>()
      .find((one) => one.email === 'o@team.example')?.role;
  expect(await role()).toBe('admin');
  hub.person = { ...hub.person, teams: [['acme', 'web']] };
  await come(id, hub);
  expect(await role()).toBe('manager');
});

test('GitHub: a test tells the client from a stranger', async () => {
  const ask = async (settings: object) =>
    (await post(`${at}test/`, { kind: 'github', settings: { ...client, url: hub.url, ...settings } })).json();
  expect(await ask({})).toMatchObject({ ok: true, detail: expect.stringContaining('knows') });
  expect(await ask({ clientSecret: 'x' })).toMatchObject({ ok: false, detail: expect.stringContaining('secret') });
  expect(await ask({ url: 'http://127.0.0.1:1' })).toMatchObject({
    ok: false,
    detail: expect.stringContaining('reached'),
  });
});

test('GitLab: by OpenID Connect of any instance, only members of a group', async () => {
  const { clientId, clientSecret, issuer } = idp.settings;
  const settings = { clientId, clientSecret, url: `${issuer}/`, group: 'acme/web' };
  const id = await make('gitlab', settings, { domains: ['lab.example'] });
  idp.person = { sub: '12', email: 'kim@lab.example', email_verified: true };
  idp.more = { groups: ['acme', 'acme/web-interns'] };
  expect((await come(id, idp)).problem).toBe('group_missing');
  idp.more = { groups: ['acme/web'] };
  expect(await (await come(id, idp)).browser.who()).toBe('kim@lab.example');
  idp.more = undefined;
});

test('Google: only a hosted domain, which it says itself', async () => {
  const { clientId, clientSecret } = idp.settings;
  const settings = { clientId, clientSecret, hostedDomain: 'Corp.example' };
  const id = await make('google', settings, { domains: ['corp.example'] });
  const browser = openBrowser(toApi(api, '192.0.2.250'));
  expect(new URL(await browser.start(id)).searchParams.get('hd')).toBe('corp.example');
  idp.person = { sub: '99', email: 'kim@corp.example', email_verified: true };
  expect((await come(id, idp)).problem).toBe('group_missing');
  idp.person = { ...idp.person, hd: 'other.example' };
  expect((await come(id, idp)).problem).toBe('group_missing');
  idp.person = { ...idp.person, hd: 'corp.example' };
  expect(await (await come(id, idp)).browser.who()).toBe('kim@corp.example');
});
