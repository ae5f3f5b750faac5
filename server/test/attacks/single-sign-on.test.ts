/** What can be done to sign-in through providers: by a hostile provider, by who stands between, by who is not an owner. */
import { readFile } from 'node:fs/promises';
import { join as path } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser, toServer } from '../../src/api/sign-in/testing/browser.ts';
import { type Idp, openIdp } from '../../src/domains/providers/testing/idp.ts';
import { culprit, owner as ownerLogin, Server } from '../harness.ts';
import { act, type Actor, join, signIn, tokenOf } from './people.ts';
import { rawCall } from './raw-call.ts';

interface Provider {
  readonly id: string;
  readonly problem: string;
}

const at = '/organizations/acme/sign-in-providers/';
const secret = 'secret-of-the-client';
let server: Server;
let idp: Idp;
let other: Idp;
let owner: Actor;
let provider: Provider;
let rival: Provider;
let visits = 0;

beforeAll(async () => {
  server = await Server.create();
  idp = await openIdp();
  other = await openIdp();
  owner = await signIn(server);
  provider = await make();
  rival = await make({ name: 'Other', domains: ['other.example'], settings: other.settings });
});
afterAll(async () => {
  for (const one of [server, idp, other]) await one?.[Symbol.asyncDispose]();
});

const ask = async <Body = unknown>(...call: Parameters<typeof act>): Promise<Body> =>
  (await act<Body & object>(...call)).body as Body;

function make(change: object = {}, who = owner): Promise<Provider> {
  const body = { kind: 'oidc', name: 'Acme SSO', domains: ['acme.example'], settings: idp.settings, joins: true };
  return ask<Provider>(server, who, 'POST', at, { ...body, ...change });
}

const browse = (): Browser => openBrowser(toServer(server.url, `203.0.113.${(visits += 1)}`));
const personOf = (name: string, claims: object = {}) => ({
  sub: name,
  email: `${name}@acme.example`,
  email_verified: true,
  name,
  ...claims,
});
const without =
  (name: string) =>
  (claims: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const problemOf = async (): Promise<string> =>
  (await ask<Provider>(server, owner, 'GET', `${at}${provider.id}/`)).problem;

/** Comes in as somebody; resolves to why not. */
async function come(person: object, tamper: Idp['tamper'] = {}, browser = browse()): Promise<string | undefined> {
  idp.person = { ...person };
  idp.tamper = tamper;
  try {
    return (await browser.comeBack(idp.authorize(await browser.start(provider.id)))).problem;
  } finally {
    idp.tamper = {};
  }
}

describe('an answer of the provider', () => {
  test('that holds lets in', async () => {
    const browser = browse();
    expect(await come(personOf('kim'), {}, browser)).toBeUndefined();
    expect(await browser.who()).toBe('kim@acme.example');
  });

  test.each<[string, Idp['tamper']]>([
    ['a foreign nonce', { claims: (claims) => ({ ...claims, nonce: 'x'.repeat(43) }) }],
    ['no nonce', { claims: without('nonce') }],
    ['a foreign issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['a foreign audience', { claims: (claims) => ({ ...claims, aud: 'another-client' }) }],
    [
      'several audiences and another authorized party',
      { claims: (claims) => ({ ...claims, aud: ['culprit', 'b'], azp: 'b' }) },
    ],
    ['a token that is over', { claims: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 }) }],
    ['a token that does not end', { claims: without('exp') }],
    ['a token for later', { claims: (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 600 }) }],
    ['no subject', { claims: without('sub') }],
    ['no signature', { signature: 'none' }],
    ['an HMAC with the client secret', { signature: { secret } }],
    ['a signature with another key', { signature: 'foreign' }],
    ['a key of an address of its own', { signature: 'foreign', header: { jku: 'http://127.0.0.1:1/keys', kid: 'x' } }],
    ['a critical header that nobody knows', { header: { crit: ['x'], x: 1 } }],
  ])('with %s is refused', async (_what, tamper) => {
    const browser = browse();
    expect(await come(personOf('kim'), tamper, browser)).toBe('failed');
    expect(await browser.who()).toBeUndefined();
    expect(await problemOf()).not.toBe('');
  });

  test('is taken once, and so is its code', async () => {
    const browser = browse();
    idp.person = personOf('kim');
    const back = idp.authorize(await browser.start(provider.id));
    const cookies = new Map(browser.cookies);
    expect((await browser.comeBack(back)).problem).toBeUndefined();
    const thief = browse();
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    expect((await thief.comeBack(back)).problem).toBe('flow_over');
    // The code, in a sign-in of one's own.
    const own = new URL(idp.authorize(await thief.start(provider.id)));
    own.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect((await thief.comeBack(own)).problem).toBe('failed');
    expect(await thief.who()).toBeUndefined();
  });

  test('of a code that another sign-in was given is refused', async () => {
    const [victim, attacker] = [browse(), browse()];
    idp.person = personOf('kim');
    const stolen = idp.authorize(await victim.start(provider.id)).searchParams.get('code') ?? '';
    const own = idp.authorize(await attacker.start(provider.id));
    own.searchParams.set('code', stolen);
    expect((await attacker.comeBack(own)).problem).toBe('failed');
    expect(await attacker.who()).toBeUndefined();
  });

  test('belongs to the browser that asked: nobody is signed in as somebody else', async () => {
    const attacker = browse();
    idp.person = personOf('mallory');
    const back = idp.authorize(await attacker.start(provider.id));
    for (const victim of [browse(), browse()]) {
      expect((await victim.comeBack(back)).problem).toBe('flow_over');
      expect(await victim.who()).toBeUndefined();
    }
    const victim = browse();
    await victim.start(provider.id);
    expect((await victim.comeBack(back)).problem, 'with a cookie of its own').toBe('flow_over');
  });

  test.each([
    ['without a state', (url: URL) => url.searchParams.delete('state')],
    ['with a state of its own', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['with two states', (url: URL) => url.searchParams.append('state', 'x')],
    ['with an endless state', (url: URL) => url.searchParams.set('state', 'x'.repeat(9_000))],
  ])('%s is refused', async (_what, change) => {
    const browser = browse();
    idp.person = personOf('kim');
    const back = idp.authorize(await browser.start(provider.id));
    change(back);
    expect((await browser.comeBack(back)).problem).toBe('flow_over');
  });

  test('is not taken for one of another provider', async () => {
    const browser = browse();
    other.person = personOf('kim');
    idp.person = personOf('kim');
    // Begun at one, brought back to the other.
    const back = idp.authorize(await browser.start(provider.id));
    const mixed = new URL(back);
    mixed.pathname = mixed.pathname.replace(provider.id, rival.id);
    expect((await browser.comeBack(mixed)).problem).toBe('flow_over');
    // The answer says who it is from.
    const again = idp.authorize(await browser.start(provider.id));
    again.searchParams.set('iss', other.issuer);
    expect((await browser.comeBack(again)).problem).toBe('failed');
    const unsaid = idp.authorize(await browser.start(provider.id));
    unsaid.searchParams.delete('iss');
    expect((await browser.comeBack(unsaid)).problem).toBe('failed');
    expect(await browser.who()).toBeUndefined();
  });

  test('that says no is a refusal, without a word of it on the page', async () => {
    const browser = browse();
    const back = idp.authorize(await browser.start(provider.id));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', '<b>call 555</b>');
    expect(await browser.comeBack(back)).toEqual({
      location: `/sign-in?problem=denied&provider=${provider.id}`,
      problem: 'denied',
    });
  });
});

describe('an address', () => {
  test.each([
    ['that nobody verified', { email_verified: false }, 'address_unverified'],
    ['that is said to be verified by nothing', { email_verified: undefined }, 'address_unverified'],
    ['that is verified by an object', { email_verified: {} }, 'address_unverified'],
    ['of a foreign domain', { email: 'x@other.example' }, 'domain_foreign'],
    ['of a domain that only ends so', { email: 'x@evil-acme.example' }, 'domain_foreign'],
    ['of two domains', { email: 'x@other.example@acme.example' }, 'address_missing'],
    ['that is a list', { email: ['x@acme.example'] }, 'address_missing'],
    ['that is missing', { email: undefined }, 'address_missing'],
  ])('%s lets nobody in', async (_what, claims, reason) => {
    expect(await come(personOf(`new-${visits}`, claims))).toBe(reason);
  });

  test('verified in one place does not verify that of another', async () => {
    idp.more = { email: 'boss@acme.example', email_verified: true };
    const browser = browse();
    expect(await come({ sub: 'mixed', email: 'x@acme.example', email_verified: false }, {}, browser)).toBe(
      'address_unverified',
    );
    idp.more = undefined;
  });

  test('of somebody in another organisation is no way into their account', async () => {
    const made = await culprit(['organization', 'create', 'Second', '--owner', ownerLogin.email], {
      CULPRIT_DATA_DIR: server.dataDir,
    });
    expect(made.code, made.stderr).toBe(0);
    const { code, stderr } = await culprit(
      ['user', 'create', '--email', 'victim@acme.example', '--org', 'second', '--password-stdin'],
      { CULPRIT_DATA_DIR: server.dataDir },
      'a long enough phrase of theirs',
    );
    expect(code, stderr).toBe(0);
    const browser = browse();
    expect(await come(personOf('victim'), {}, browser)).toBe('account_elsewhere');
    expect(await browser.who()).toBeUndefined();
  });
});

describe('the way back', () => {
  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/sign-in?problem=x',
    '/api/auth/sign-out',
    '@evil.example',
  ])('%j leads to the console', async (returnTo) => {
    const browser = browse();
    idp.person = personOf('kim');
    const { location } = await browser.comeBack(idp.authorize(await browser.start(provider.id, returnTo)));
    expect(location).toBe('/');
  });
});

describe('a session', () => {
  test('is begun by a person, not by a page of somebody else', async () => {
    const start = (site: string) =>
      rawCall(`${server.url}/api/auth/provider/${provider.id}`, { headers: { 'sec-fetch-site': site } });
    for (const site of ['cross-site', 'same-site', 'x']) {
      expect((await start(site)).headers.location).toBe('/sign-in');
    }
    for (const site of ['same-origin', 'none']) {
      expect(String((await start(site)).headers.location).startsWith(`${idp.issuer}/authorize`)).toBe(true);
    }
  });

  test('is a new one, whatever the browser brought, and the one before is over', async () => {
    const browser = browse();
    expect(await come(personOf('kim'), {}, browser)).toBeUndefined();
    const before = browser.cookie();
    expect(await come(personOf('lee'), {}, browser)).toBeUndefined();
    expect(await browser.who()).toBe('lee@acme.example');
    expect(browser.cookie()).not.toBe(before);
    expect((await rawCall(`${server.url}/api/0/account/`, { headers: { cookie: before } })).status).toBe(401);
    const planted = browse();
    planted.cookies.set('culprit.session_token', 'planted.by-somebody');
    expect(await come(personOf('kim'), {}, planted)).toBeUndefined();
    expect(planted.cookies.get('culprit.session_token')).not.toContain('planted');
  });

  test('ends at once when its provider is disabled or deleted, and no answer that is under way is taken', async () => {
    const settings = idp.settings;
    for (const end of [
      (id: string) => ask(server, owner, 'PUT', `${at}${id}/`, { enabled: false }),
      (id: string) => ask(server, owner, 'DELETE', `${at}${id}/`),
    ]) {
      const { id } = await make({ name: 'Short', domains: [`short-${visits}.example`], settings });
      const browser = browse();
      idp.person = personOf('short', { email: `short@short-${visits - 1}.example` });
      expect((await browser.comeBack(idp.authorize(await browser.start(id)))).problem).toBeUndefined();
      const under = browse();
      const back = idp.authorize(await under.start(id));
      await end(id);
      expect(await browser.who()).toBeUndefined();
      expect((await under.comeBack(back)).problem).toBe('flow_over');
      expect((await under.comeBack(`/api/auth/provider/${id}`)).problem).toBe('provider_gone');
    }
  });

  test('of who left the organisation is not to be had by the provider', async () => {
    await ask(server, owner, 'PUT', `${at}${provider.id}/`, { joins: false });
    const [gone] = (
      await ask<{ id: string; email: string }[]>(server, owner, 'GET', '/organizations/acme/members/')
    ).filter(({ email }) => email === 'lee@acme.example');
    await ask(server, owner, 'DELETE', `/organizations/acme/members/${gone?.id}/`);
    expect(await come(personOf('lee'))).toBe('account_elsewhere');
    await ask(server, owner, 'PUT', `${at}${provider.id}/`, { joins: true });
  });
});

describe('a provider', () => {
  test('is made, seen, changed, tried out and deleted by owners alone', async () => {
    const member = await join(server, 'member', 'member');
    const admin = await join(server, 'admin', 'admin');
    const token = await tokenOf(server, owner, 'org:write', 'org:read', 'member:admin', 'project:admin');
    const url = `${server.url}/api/0${at}`;
    const body = { kind: 'oidc', name: 'X', settings: idp.settings, id: provider.id };
    for (const [who, { headers }] of Object.entries({ member, admin, token, nobody: { headers: {} } })) {
      for (const [method, where] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `${provider.id}/`],
        ['PUT', `${provider.id}/`],
        ['DELETE', `${provider.id}/`],
        ['POST', 'test/'],
        ['POST', `${provider.id}/domains/`],
        ['PUT', '../required-provider/'],
      ] as const) {
        const answer = await rawCall(url + where, { method, headers, ...(method.startsWith('P') && { body }) });
        expect([who, method, where, answer.status]).toEqual([who, method, where, who === 'nobody' ? 401 : 403]);
      }
    }
  });

  test('of another organisation is not there', async () => {
    for (const [method, where] of [
      ['GET', `${provider.id}/`],
      ['PUT', `${provider.id}/`],
      ['DELETE', `${provider.id}/`],
    ] as const) {
      const url = `${server.url}/api/0/organizations/second/sign-in-providers/${where}`;
      const body = method === 'PUT' ? { name: 'Mine' } : undefined;
      expect((await rawCall(url, { method, headers: owner.headers, body })).status).toBe(404);
    }
  });

  test.each([
    '/sso/register',
    '/sso/update-provider',
    '/sso/providers',
    '/sso/callback/x',
    '/sign-in/sso',
    '/sign-in/social',
    '/callback/github',
    '/oauth2/callback/x',
    '/link-social',
    '/list-accounts',
    '/provider-session/x',
    '/provider-session/:providerId',
  ])('has no other door: %s', async (where) => {
    for (const method of ['GET', 'POST']) {
      const answer = await rawCall(`${server.url}/api/auth${where}`, {
        method,
        headers: { ...owner.headers, origin: server.url },
        ...(method === 'POST' && { body: { userId: 'x', secondFactor: true } }),
      });
      expect(answer.status).toBe(404);
    }
  });

  test('is not called where machines are told secrets, nor in the clear over the internet', async () => {
    for (const issuer of [
      'http://169.254.169.254',
      'http://[fe80::1]',
      'http://[::ffff:169.254.169.254]',
      'http://[fd00:ec2::254]',
      'http://100.100.100.200',
      'http://2852039166/',
      'http://0.0.0.0',
      'http://8.8.8.8',
    ]) {
      const { ok, detail } = await ask<{ ok: boolean; detail: string }>(server, owner, 'POST', `${at}test/`, {
        kind: 'oidc',
        settings: { ...idp.settings, issuer },
      });
      expect([issuer, ok, detail]).toEqual([issuer, false, expect.stringMatching(/not a public address|https:/)]);
    }
  });

  test('that leads on, floods or stands still is given up', async () => {
    const probe = (tamper: Idp['tamper']) => {
      idp.tamper = tamper;
      return ask<{ ok: boolean; detail: string }>(server, owner, 'POST', `${at}test/`, {
        kind: 'oidc',
        settings: idp.settings,
      }).finally(() => void (idp.tamper = {}));
    };
    const before = other.requests.length;
    expect(await probe({ redirect: `${other.issuer}/.well-known/openid-configuration` })).toMatchObject({ ok: false });
    expect(other.requests.length, 'requests where it leads').toBe(before);
    expect(await probe({ document: `{"issuer":"${'x'.repeat(2 ** 20)}"}` })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('512 KB'),
    });
    const elsewhere = await probe({ metadata: { token_endpoint: 'http://169.254.169.254/latest' } });
    expect(elsewhere).toMatchObject({ ok: false, detail: expect.stringContaining('not a public address') });
  });

  test('that moves gets no secret that was meant for another place', async () => {
    const moved = { settings: { issuer: other.issuer } };
    const answer = await rawCall(`${server.url}/api/0${at}${provider.id}/`, {
      method: 'PUT',
      headers: owner.headers,
      body: moved,
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('must be entered again')]);
    const tried = await rawCall(`${server.url}/api/0${at}test/`, {
      method: 'POST',
      headers: owner.headers,
      body: { kind: 'oidc', id: provider.id, ...moved },
    });
    expect(tried.status).toBe(400);
  });

  test('keeps its secret and its tokens: they are in no answer, no log and not in the state store', async () => {
    const answers = [
      await ask(server, owner, 'GET', at),
      await ask(server, owner, 'GET', `${at}${provider.id}/`),
      await ask(server, owner, 'PUT', `${at}${provider.id}/`, { settings: { clientSecret: secret } }),
      await ask(server, owner, 'GET', '/organizations/acme/audit-log/?limit=100'),
      await ask(server, owner, 'GET', '/sign-in/'),
    ];
    expect(JSON.stringify(answers)).toContain('sign_in_provider.update');
    expect(idp.issued.length).toBeGreaterThan(10);
    const stored = await Promise.all(['state.db', 'state.db-wal'].map((file) => readFile(path(server.dataDir, file))));
    const everywhere = [JSON.stringify(answers), server.output, ...stored.map((bytes) => bytes.toString('latin1'))];
    for (const one of [secret, ...idp.issued]) {
      expect(everywhere.findIndex((text) => text.includes(one))).toBe(-1);
    }
  });

  test('is asked by no flood of strangers', async () => {
    const flood = openBrowser(toServer(server.url, '198.51.100.99'));
    let limited = 0;
    for (let n = 0; n < 140; n += 1) {
      const { problem } = await flood.comeBack(`/api/auth/provider/${provider.id}`);
      if (problem === 'limited') limited += 1;
    }
    expect(limited).toBeGreaterThan(5);
    const lookups = await Promise.all(
      Array.from({ length: 200 }, () =>
        rawCall(`${server.url}/api/0/sign-in/`, {
          method: 'POST',
          headers: { 'x-forwarded-for': '198.51.100.98' },
          body: { email: 'a@acme.example' },
        }),
      ),
    );
    expect(lookups.some(({ status }) => status === 429)).toBe(true);
    expect((await browse().start(provider.id)).startsWith(idp.issuer)).toBe(true);
  });
});
