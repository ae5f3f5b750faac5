/** Sign-in by SAML over HTTP: what a provider posts, from which browser, and what the audit log says of what is refused. */
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  encoded,
  makeResponse,
  makeSigningKey,
  names,
  type Said,
  signedResponse,
  type SigningKey,
} from '../../domains/providers/saml/testing/made-response.ts';
import { wrapped } from '../../domains/providers/saml/testing/wrapped.ts';
import { addPerson, callAs, type Credentials, signIn } from '../access-testing.ts';
import { baseUrl, openTestApi, owner, type TestApi } from '../testing.ts';
import { type Browser, openBrowser, toApi } from './testing/browser.ts';

let api: TestApi;
let founder: Credentials;
let key: SigningKey;
let visits = 0;

beforeAll(async () => {
  api = await openTestApi();
  founder = await signIn(api, owner.email, owner.password);
  key = makeSigningKey();
});
afterAll(async () => {
  // What is gathered goes before its database does.
  await api?.accounts.flush();
  await api?.[Symbol.asyncDispose]();
});

interface Made {
  readonly id: string;
  readonly problem: string;
  readonly settings: Record<string, string>;
  readonly secrets: string[];
  readonly saml: { entityId: string; acsUrl: string; certificates: { subject: string; expiresAt: string }[] };
}

const at = '/organizations/acme/sign-in-providers/';
const issuer = 'https://idp.example/saml';
const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, who = founder) =>
  callAs(api, who, { method, url, ...(payload && { payload }) });
const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  entityId: issuer,
  ssoUrl: 'https://idp.example/sso',
  certificates: key.certificate,
  ...more,
});
const make = async (more: Record<string, string> = {}, change: object = {}): Promise<Made> => {
  const body = { kind: 'saml', name: 'Acme SAML', domains: ['example.com'], settings: settings(more), joins: true };
  const made = await call('POST', at, { ...body, ...change });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<Made>();
};
const browse = (): Browser => openBrowser(toApi(api, `192.0.2.${(visits += 1)}`));

beforeEach(() => async () => {
  for (const { id } of (await call('GET', at)).json<Made[]>()) await call('DELETE', `${at}${id}/`);
});

/** What somebody's provider says after the request that this browser was sent away with. */
const begun = async (browser: Browser, { id, saml }: Made, returnTo?: string): Promise<Said> => {
  const url = new URL(await browser.start(id, returnTo));
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return {
    issuer,
    acs: saml.acsUrl,
    audience: saml.entityId,
    inResponseTo: / ID="([^"]+)"/.exec(request)?.[1],
    nameId: 'kim-7',
    nameIdFormat: names.persistent,
    attributes: { email: ['kim@example.com'], name: ['Kim'], groups: ['ops'] },
  };
};

/** As the form of a provider posts it, from its own site: without cookies. */
const post = async (id: string, xml: string, more: Record<string, string> = {}): Promise<string> => {
  const answer = await api.app.inject({
    method: 'POST',
    url: `/api/auth/provider/${id}/saml/acs`,
    remoteAddress: `192.0.2.${(visits += 1) % 250}`,
    headers: {
      host: new URL(baseUrl).host,
      origin: 'https://idp.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ SAMLResponse: encoded(xml), ...more }).toString(),
  });
  expect(answer.statusCode, answer.body).toBe(303);
  expect(answer.headers['set-cookie']).toBeUndefined();
  return String(answer.headers.location);
};
const problemIn = (location: string): string | null => new URL(location, baseUrl).searchParams.get('problem');
const said = (xml: Said): string => signedResponse(makeResponse(xml), key);

/** The last failed sign-in that the audit log tells. */
const audited = async (providerId: string, reason: string): Promise<void> => {
  await api.accounts.flush();
  const entries = (await call('GET', '/organizations/acme/audit-log/?action=sign_in.fail')).json<unknown[]>();
  expect(entries[0]).toMatchObject({ details: { reason, way: `provider:${providerId}` } });
};

describe('a sign-in', () => {
  test('makes somebody new a member, with the role of their group, where they wanted to go', async () => {
    const provider = await make({}, { mapping: [{ value: 'ops', role: 'admin', team: null }] });
    const browser = browse();
    const onward = await post(provider.id, said(await begun(browser, provider, '/issues?query=x')), {
      RelayState: 'https://evil.example/',
    });
    expect(onward).toMatch(
      new RegExp(`^/api/auth/provider/${provider.id}/callback\\?state=[\\w-]{43}&ticket=[\\w-]{43}$`),
    );
    expect(await browser.comeBack(onward)).toEqual({ location: '/issues?query=x', problem: undefined });
    expect(await browser.who()).toBe('kim@example.com');
    const session = await api.state.db
      .selectFrom('session')
      .select('way')
      .orderBy('createdAt', 'desc')
      .executeTakeFirst();
    expect(session).toEqual({ way: `provider:${provider.id}` });
    const members = (await call('GET', '/organizations/acme/members/')).json<{ email: string }[]>();
    expect(members.find(({ email }) => email === 'kim@example.com')).toMatchObject({ role: 'admin', name: 'Kim' });
    // Known by NameID from now on, whatever the address says.
    const again = browse();
    const later = { ...(await begun(again, provider)), attributes: {} };
    await again.comeBack(await post(provider.id, said(later)));
    expect(await again.who()).toBe('kim@example.com');
  });

  test('tells of a second factor that was shown at the provider', async () => {
    const provider = await make();
    const browser = browse();
    const xml = signedResponse(
      ((made) => ({
        ...made,
        assertion: made.assertion.replace(
          'urn:oasis:names:tc:SAML:2.0:ac:classes:Password<',
          'https://refeds.org/profile/mfa<',
        ),
      }))(makeResponse(await begun(browser, provider))),
      key,
    );
    await browser.comeBack(await post(provider.id, xml));
    const session = await api.state.db
      .selectFrom('session')
      .select('secondFactor')
      .orderBy('createdAt', 'desc')
      .executeTakeFirst();
    expect(session).toEqual({ secondFactor: 1 });
  });

  test('says nothing of people of other domains', async () => {
    const provider = await make();
    const browser = browse();
    const foreign = {
      ...(await begun(browser, provider)),
      nameId: 'x',
      attributes: { email: ['owner@other.example'] },
    };
    expect((await browser.comeBack(await post(provider.id, said(foreign)))).problem).toBe('domain_foreign');
  });
});

describe('refused, with the reason in the audit log', () => {
  const cases: Record<string, (xml: Said, other: SigningKey) => string> = {
    structure: (xml) => wrapped('XSW3', xml, { nameId: 'eve' }, key),
    unsigned: (xml) => signedResponse(makeResponse(xml), key, 'none'),
    signature: (xml, other) => signedResponse(makeResponse(xml), other),
    algorithm: (xml) => signedResponse(makeResponse(xml), key, 'assertion', { hash: 'sha1' }),
    audience: (xml) => said({ ...xml, audience: 'https://other.example' }),
    recipient: (xml) => said({ ...xml, recipient: 'https://other.example/acs' }),
    destination: (xml) => said({ ...xml, destination: 'https://other.example/acs' }),
    issuer: (xml) => said({ ...xml, issuer: 'https://other.example' }),
    expired: (xml) => said({ ...xml, notOnOrAfter: Date.now() - 61_000 }),
    not_yet_valid: (xml) => said({ ...xml, notBefore: Date.now() + 70_000 }),
    comment: (xml) => said({ ...xml, nameId: 'kim-7.evil' }).replace('kim-7.evil', 'kim-7<!---->.evil'),
    doctype: (xml) => `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${said(xml)}`,
    too_large: (xml) => said(xml).replace('<samlp:Status>', `<samlp:Status>${'\n'.repeat(262_144)}`),
    unsolicited: (xml) => said({ ...xml, inResponseTo: undefined }),
    unknown_request: (xml) => said({ ...xml, inResponseTo: `_${'x'.repeat(43)}` }),
    status: (xml) => said({ ...xml, status: 'Responder' }),
    subject: (xml) => said({ ...xml, nameIdFormat: names.transient }),
  };
  test.each(Object.entries(cases))('%s', async (reason, of) => {
    const provider = await make();
    const browser = browse();
    const xml = await begun(browser, provider);
    const location = await post(provider.id, of(xml, makeSigningKey()));
    expect(problemIn(location)).not.toBeNull();
    expect(location).not.toContain('ticket');
    await audited(provider.id, `saml_${reason}`);
    // The request was used up, unless what came could not be told to belong to it.
    const second = await post(provider.id, said(xml));
    const isUsed = !['unsolicited', 'unknown_request', 'too_large', 'doctype', 'comment'].includes(reason);
    expect(problemIn(second)).toBe(isUsed ? 'flow_over' : null);
  });

  test('the same response again: at once, and when somebody is in', async () => {
    const provider = await make();
    const browser = browse();
    const xml = said(await begun(browser, provider));
    const onward = await post(provider.id, xml);
    expect(problemIn(await post(provider.id, xml))).toBe('flow_over');
    await audited(provider.id, 'saml_replayed');
    // Whoever sends it again keeps nobody out.
    expect((await browser.comeBack(onward)).problem).toBeUndefined();
    expect(problemIn(await post(provider.id, xml))).toBe('flow_over');
    await audited(provider.id, 'saml_unknown_request');
    expect((await browse().comeBack(onward)).problem).toBe('flow_over');
  });

  test('what a response said, in another browser', async () => {
    const provider = await make();
    const [attacker, victim] = [browse(), browse()];
    const onward = await post(provider.id, said(await begun(attacker, provider)));
    await begun(victim, provider);
    expect((await victim.comeBack(onward)).problem).toBe('flow_over');
    await audited(provider.id, 'flow_over');
    expect(await victim.who()).toBeUndefined();
    // It is over for the browser that began it, too.
    expect((await attacker.comeBack(onward)).problem).toBe('flow_over');
  });

  test('a ticket of one sign-in at the end of another', async () => {
    const provider = await make();
    const [attacker, victim] = [browse(), browse()];
    const own = new URL(
      await post(provider.id, said({ ...(await begun(attacker, provider)), nameId: 'eve' })),
      baseUrl,
    );
    const theirs = new URL(await post(provider.id, said(await begun(victim, provider))), baseUrl);
    theirs.searchParams.set('ticket', own.searchParams.get('ticket') ?? '');
    expect((await victim.comeBack(theirs)).problem).toBe('flow_over');
    expect(await victim.who()).toBeUndefined();
  });

  test('a response of one provider at another, whose key is the same', async () => {
    const [a, b] = [await make(), await make({}, { name: 'B', domains: ['b.example'] })];
    const browser = browse();
    const xml = await begun(browser, a);
    expect(problemIn(await post(b.id, said(xml)))).toBe('flow_over');
    await audited(b.id, 'saml_other_provider');
    const unasked = await make({ idpInitiated: 'yes' }, { name: 'C', domains: ['c.example'] });
    expect(problemIn(await post(unasked.id, said({ ...xml, inResponseTo: undefined })))).toBe('failed');
    await audited(unasked.id, 'saml_destination');
    const moved = { ...xml, inResponseTo: undefined, acs: unasked.saml.acsUrl };
    expect(problemIn(await post(unasked.id, said(moved)))).toBe('failed');
    await audited(unasked.id, 'saml_audience');
  });

  test('a provider that was disabled, is gone or speaks otherwise', async () => {
    const provider = await make();
    const browser = browse();
    const xml = said(await begun(browser, provider));
    await call('PUT', `${at}${provider.id}/`, { enabled: false });
    expect(problemIn(await post(provider.id, xml))).toBe('provider_gone');
    expect(problemIn(await post('none', xml))).toBe('provider_gone');
    const oidc = await call('POST', at, {
      kind: 'oidc',
      name: 'OIDC',
      domains: [],
      settings: { issuer: 'https://x.example', clientId: 'a', clientSecret: 'b' },
    });
    expect(problemIn(await post(oidc.json<Made>().id, xml))).toBe('provider_gone');
    expect(problemIn(await post(oidc.json<Made>().id, ''))).toBe('provider_gone');
  });

  test('forms that are none', async () => {
    const provider = await make();
    const send = (payload: string | Buffer, type: string, headers = {}) =>
      api.app.inject({
        method: 'POST',
        url: `/api/auth/provider/${provider.id}/saml/acs`,
        headers: { host: new URL(baseUrl).host, 'content-type': type, ...headers },
        payload,
      });
    const form = 'application/x-www-form-urlencoded';
    expect((await send('{}', 'application/json')).statusCode).toBe(400);
    expect((await send('<x/>', 'text/xml')).statusCode).toBe(400);
    expect((await send('a=b', form)).headers.location).toContain('problem=flow_over');
    expect((await send('SAMLResponse=YQ&SAMLResponse=Yg', form)).headers.location).toContain('problem=flow_over');
    expect((await send('SAMLResponse=%00%00', form)).headers.location).toContain('problem=failed');
    expect((await send(`SAMLResponse=${'A'.repeat(700_000)}`, form)).statusCode).toBe(413);
    expect((await send('a=b', form, { host: 'evil.example' })).statusCode).toBe(403);
  });
});

describe('a response that nobody asked for, where that is allowed', () => {
  test('lets in the browser that brought it, once', async () => {
    const provider = await make({ idpInitiated: 'yes' });
    const browser = browse();
    const xml = said({ ...(await begun(browse(), provider)), inResponseTo: undefined });
    const answer = await api.app.inject({
      method: 'POST',
      url: `/api/auth/provider/${provider.id}/saml/acs`,
      headers: { host: new URL(baseUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ SAMLResponse: encoded(xml), RelayState: '//evil.example' }).toString(),
    });
    const [pair = ''] = String(answer.headers['set-cookie']).split(';');
    browser.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    expect((await browse().comeBack(String(answer.headers.location))).problem).toBe('flow_over');
    expect(await browser.who()).toBeUndefined();
    expect(problemIn(await post(provider.id, xml))).toBe('flow_over');
    await audited(provider.id, 'saml_replayed');
  });

  test('leads to the front', async () => {
    const provider = await make({ idpInitiated: 'yes' });
    const browser = browse();
    const xml = said({ ...(await begun(browse(), provider)), inResponseTo: undefined });
    const answer = await api.app.inject({
      method: 'POST',
      url: `/api/auth/provider/${provider.id}/saml/acs`,
      headers: { host: new URL(baseUrl).host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ SAMLResponse: encoded(xml), RelayState: '//evil.example' }).toString(),
    });
    const [pair = ''] = String(answer.headers['set-cookie']).split(';');
    browser.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    expect(await browser.comeBack(String(answer.headers.location))).toEqual({ location: '/', problem: undefined });
    expect(await browser.who()).toBe('kim@example.com');
  });
});

describe('the settings of a provider', () => {
  test('have our addresses and its certificate; our key never leaves', async () => {
    const made = await make();
    const base = `${baseUrl}/api/auth/provider/${made.id}/saml`;
    expect(made.saml).toMatchObject({
      entityId: `${base}/metadata`,
      acsUrl: `${base}/acs`,
      certificates: [{ subject: 'idp.example', expiresAt: expect.stringMatching(/Z$/) }],
    });
    expect(made.secrets).toEqual(['privateKey']);
    expect(JSON.stringify(made)).not.toContain('PRIVATE KEY');
    const row = await api.state.db
      .selectFrom('sign_in_provider')
      .select('settings')
      .where('id', '=', made.id)
      .executeTakeFirst();
    expect(row?.settings).not.toContain('PRIVATE KEY');
    const metadata = await api.app.inject({
      url: new URL(made.saml.entityId).pathname,
      headers: { host: new URL(baseUrl).host },
    });
    expect(metadata.headers['content-type']).toContain('application/samlmetadata+xml');
    expect(metadata.body).toContain(`entityID="${made.saml.entityId}"`);
    expect(metadata.body).toContain(`Location="${made.saml.acsUrl}"`);
  });

  test('change while the key of ours stays, and a new certificate takes over beside the old one', async () => {
    const made = await make();
    const next = makeSigningKey('next.example');
    const changed = await call('PUT', `${at}${made.id}/`, {
      settings: { certificates: `${key.certificate}${next.certificate}`, skewSeconds: '120' },
    });
    expect(changed.json<Made>().settings['certificate']).toBe(made.settings['certificate']);
    const browser = browse();
    const xml = signedResponse(makeResponse(await begun(browser, made)), next);
    expect((await browser.comeBack(await post(made.id, xml))).problem).toBeUndefined();
    expect((await call('PUT', `${at}${made.id}/`, { settings: { privateKey: 'mine' } })).statusCode).toBe(400);
    const probe = await call('POST', `${at}test/`, { kind: 'saml', settings: {}, id: made.id });
    expect(probe.json()).toMatchObject({ ok: true, detail: expect.stringContaining('valid until') });
  });

  test('another provider in the place of the one before knows nobody yet', async () => {
    const made = await make();
    const come = async (entityId: string, attributes: Said['attributes']): Promise<string | undefined> => {
      const browser = browse();
      const xml = { ...(await begun(browser, made)), issuer: entityId, attributes };
      return (await browser.comeBack(await post(made.id, said(xml)))).problem;
    };
    const kim = { email: ['kim@example.com'] };
    expect(await come(issuer, kim)).toBeUndefined();
    expect(await come(issuer, {})).toBeUndefined();
    const other = 'https://other-idp.example';
    const moved = await call('PUT', `${at}${made.id}/`, { settings: { entityId: other } });
    expect(moved.statusCode, moved.body).toBe(200);
    expect(await come(other, {})).toBe('address_missing');
    expect(await come(other, kim)).toBeUndefined();
    expect(await come(other, {})).toBeUndefined();
  });

  test('a wrong response shows to owners until one is right', async () => {
    const made = await make();
    const [browser, later] = [browse(), browse()];
    await post(made.id, said({ ...(await begun(browser, made)), audience: 'https://other.example' }));
    const problem = async () => (await call('GET', `${at}${made.id}/`)).json<Made>().problem;
    expect(await problem()).toContain('https://other.example instead of');
    await later.comeBack(await post(made.id, said(await begun(later, made))));
    expect(await problem()).toBe('');
    // Whoever has no key of the provider writes nothing there.
    const stranger = makeSigningKey();
    for (const more of [{ issuer: 'call 555' }, { destination: 'call 555' }, { audience: 'call 555' }, {}]) {
      const xml = { ...(await begun(browser, made)), ...more };
      await post(made.id, signedResponse(makeResponse(xml), stranger));
      const signed = signedResponse(makeResponse(await begun(browser, made)), key);
      await post(made.id, signed.replaceAll('http://www.w3.org/2001/04/xmlenc#sha256', 'call 555'));
      expect(await problem()).not.toContain('555');
    }
    const clean = browse();
    await clean.comeBack(await post(made.id, said(await begun(clean, made))));
    // What strangers post is no problem of the provider.
    await post(made.id, said({ ...(await begun(browser, made)), inResponseTo: undefined }));
    expect(await problem()).toBe('');
  });

  test('are read from metadata by owners alone', async () => {
    const made = await make();
    const xml =
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp2.example"><IDPSSODescriptor>` +
      `<KeyDescriptor><KeyInfo xmlns="${names.signature}"><X509Data><X509Certificate>` +
      `${key.certificate.replace(/-----.*-----|\n/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>` +
      `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp2.example/sso"/>` +
      `</IDPSSODescriptor></EntityDescriptor>`;
    const read = (body: object, who = founder) => call('POST', `${at}saml-metadata/`, body, who);
    expect((await read({ xml })).json()).toMatchObject({
      entityId: 'https://idp2.example',
      ssoUrl: 'https://idp2.example/sso',
      certificates: [{ subject: 'idp.example' }],
    });
    for (const body of [
      { xml: 'hello' },
      { xml: '<!DOCTYPE a><a/>' },
      { xml: 'x'.repeat(1_048_577) },
      {},
      { xml, url: 'https://x.example' },
      { url: 'file:///etc/passwd' },
      { url: 'http://169.254.169.254/latest/meta-data/' },
      { url: 'http://127.0.0.1:1/' },
      { url: made.saml.entityId },
    ]) {
      expect((await read(body)).statusCode).toBe(400);
    }
    const member = await addPerson(api, 'plain', 'member');
    expect((await read({ xml }, member.session)).statusCode).toBe(403);
  });
});
