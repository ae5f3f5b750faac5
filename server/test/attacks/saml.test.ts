/**
 * Single sign-on by SAML against pysaml2, an identity provider that shares no code with us, and signs by xmlsec1. It signs
 * what it is told, or what it said is rearranged afterwards; each refusal stands in the audit log with its reason.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Browser, toServer } from '../../src/api/sign-in/testing/browser.ts';
import { makeSigningKey, names } from '../../src/domains/providers/saml/testing/made-response.ts';
import { Server } from '../harness.ts';
import { Pysaml2, type Wanted } from '../saml/pysaml2.ts';
import { act, signIn, type Actor } from './people.ts';

interface Provider {
  readonly id: string;
  readonly saml: { readonly entityId: string; readonly acsUrl: string };
}

const entityId = 'https://idp.example';
const [key, stranger] = [makeSigningKey(), makeSigningKey()];

let server: Server;
let idp: Pysaml2;
let owner: Actor;
let provider: Provider;
let metadata: string;
let visits = 0;

beforeAll(async () => {
  server = await Server.create();
  idp = new Pysaml2();
  owner = await signIn(server);
  provider = await addProvider({ signRequests: 'yes' });
  metadata = await (await fetch(provider.saml.entityId)).text();
});
afterAll(async () => {
  await idp?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function addProvider(more: Record<string, string>, domains = ['example.com']): Promise<Provider> {
  const { body } = await act<Provider>(server, owner, 'POST', '/organizations/acme/sign-in-providers/', {
    kind: 'saml',
    name: `SAML ${domains.join()}`,
    domains,
    joins: true,
    settings: { entityId, ssoUrl: `${entityId}/sso`, certificates: key.certificate, ...more },
  });
  return body;
}

const addressOf = (visitor: number): string => `198.51.100.${visitor % 250}`;

interface Visit {
  readonly browser: Browser;
  /** Of the request that it was sent away with. */
  readonly query: Readonly<Record<string, string>>;
}

async function visit({ id } = provider): Promise<Visit> {
  const browser = openBrowser(toServer(server.url, addressOf((visits += 1))));
  return { browser, query: Object.fromEntries(new URL(await browser.start(id)).searchParams) };
}

const respond = ({ query }: Pick<Visit, 'query'>, more: Partial<Wanted> = {}): Promise<string> =>
  idp.respond({
    entityId,
    by: key,
    metadata: [metadata],
    query,
    nameId: 'kim-7',
    format: names.persistent,
    wantsSignedRequests: true,
    attributes: { email: ['kim@example.com'], name: ['Kim'] },
    ...more,
  });

/** From the provider's site: without cookies. */
async function post(xml: string, { id } = provider): Promise<{ location: string; problem: string | undefined }> {
  const answer = await fetch(`${server.url}/api/auth/provider/${id}/saml/acs`, {
    method: 'POST',
    headers: { origin: entityId, 'x-forwarded-for': addressOf((visits += 1)) },
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: 'https://evil.example',
    }),
    redirect: 'manual',
  });
  expect(answer.headers.getSetCookie().join()).not.toContain('session');
  const location = answer.headers.get('location') ?? '';
  return { location, problem: new URL(location, server.url).searchParams.get('problem') ?? undefined };
}

/** What the audit log has to say of the last post or visit: looked at in the end, for it gathers failures. */
const reasons: (readonly [address: string, reason: string])[] = [];
const audited = (reason: string, visitor = visits): void => void reasons.push([addressOf(visitor), reason]);

async function refused(xml: string, reason: string, { browser }: Visit, at = provider): Promise<void> {
  const { problem } = await post(xml, at);
  expect(problem).toBeDefined();
  audited(`saml_${reason}`);
  expect(await browser.who()).toBeUndefined();
}

describe('gets in', () => {
  test.each<[string, Partial<Wanted>]>([
    ['a signed assertion', {}],
    ['a signed response', { signAssertion: false, signResponse: true }],
    ['both', { signResponse: true }],
  ])('%s', async (_name, more) => {
    const one = await visit();
    const { location, problem } = await post(await respond(one, more));
    expect(problem).toBeUndefined();
    expect(await one.browser.comeBack(location)).toEqual({ location: '/', problem: undefined });
    expect(await one.browser.who()).toBe('kim@example.com');
  });

  test('no request that somebody else has made: ours are signed', async () => {
    const { query } = await visit();
    const forged = { ...query, Signature: Buffer.alloc(256).toString('base64') };
    await expect(respond({ query: forged })).rejects.toThrow('IncorrectlySigned');
  });
});

describe('does not get in', () => {
  test.each<[string, string, Partial<Wanted>]>([
    ['without a signature', 'unsigned', { signAssertion: false }],
    ['an assertion signed by another key', 'signature', { by: stranger }],
    ['a response signed by another key', 'signature', { by: stranger, signAssertion: false, signResponse: true }],
    ['signed with SHA-1', 'algorithm', { hash: 'sha1' }],
    ['encrypted with Triple DES', 'algorithm', { encrypt: true }],
    ['too late', 'expired', { clockSeconds: -700 }],
    ['too early', 'not_yet_valid', { clockSeconds: 90 }],
    ['sent elsewhere', 'destination', { instead: { destination: 'https://other.example/acs' } }],
    ['unasked', 'unsolicited', { instead: { in_response_to: null } }],
    ['to a request that we did not make', 'unknown_request', { instead: { in_response_to: `_${'x'.repeat(43)}` } }],
    ['with a name for once', 'subject', { format: names.transient }],
  ])('%s is refused: %s', async (_name, reason, more) => {
    const one = await visit();
    await refused(await respond(one, more), reason, one);
  });

  test('what is meant for another one’s audience or recipient', async () => {
    const other = await addProvider({ signRequests: 'yes' }, ['other.example']);
    const theirs = await (await fetch(other.saml.entityId)).text();
    const one = await visit();
    const forThem = { instead: { sp_entity_id: other.saml.entityId }, metadata: [metadata, theirs] };
    await refused(await respond(one, forThem), 'audience', one);
    const two = await visit(other);
    await refused(await respond(two, { metadata: [theirs] }), 'other_provider', two);
    const three = await visit();
    const moved = await respond(three, { instead: { destination: other.saml.acsUrl } });
    await refused(moved.replace(other.saml.acsUrl, provider.saml.acsUrl), 'recipient', three);
  });

  test('the same response twice, and that of another browser', async () => {
    const [one, two] = [await visit(), await visit()];
    const ofTwo = visits;
    const xml = await respond(one);
    const { location } = await post(xml);
    await refused(xml, 'replayed', two);
    expect((await two.browser.comeBack(location)).problem).toBe('flow_over');
    audited('flow_over', ofTwo);
    expect(await two.browser.who()).toBeUndefined();
    await refused(xml, 'unknown_request', one);
  });

  test('a name with a comment in it, a document type, too many bytes', async () => {
    const one = await visit();
    const evil = { format: names.persistent, nameId: 'user@corp.example.evil.example' };
    const xml = await respond(one, evil);
    await refused(xml.replace('user@corp.example.evil', 'user@corp.example<!---->.evil'), 'comment', one);
    const entity = '<!DOCTYPE r [<!ENTITY who SYSTEM "file:///etc/passwd">]>';
    await refused(xml.replace(/^(<\?xml[^>]*\?>)?/, `$1${entity}`), 'doctype', one);
    await refused(xml.replace(/<(\w+:)?Status/, `${' '.repeat(262_144)}$&`), 'too_large', one);
    // As it was signed, it is somebody, and nobody of this organisation’s else.
    const { location } = await post(xml);
    await one.browser.comeBack(location);
    expect(await one.browser.who()).toBe('kim@example.com');
  });
});

describe('signature wrapping of what pysaml2 signed', () => {
  /** The element with this name, whole; xmlsec1 keeps prefixes as they are. */
  const element = (xml: string, name: string): string =>
    new RegExp(`<(\\w+:)${name}[ >][^]*</\\1${name}>`).exec(xml)?.[0] ?? '';
  const evilOf = (assertion: string): string =>
    assertion
      .replace(/ ID="[^"]*"/, ' ID="evil"')
      .replace('>kim-7<', '>eve<')
      .replaceAll('kim@example.com', 'eve@example.com');
  const arrangements: Record<string, (xml: string, assertion: string, signature: string) => string> = {
    XSW3: (xml, assertion, signature) =>
      xml.replace(assertion, () => evilOf(assertion).replace(signature, '') + assertion),
    XSW4: (xml, assertion, signature) => {
      const evil = evilOf(assertion).replace(evilOf(signature), '');
      return xml.replace(assertion, () => evil.replace(/<\/\w+:Assertion>$/, (end) => `${assertion}${end}`));
    },
    XSW5: (xml, assertion, signature) =>
      xml.replace(assertion, () => evilOf(assertion) + assertion.replace(signature, '')),
    XSW6: (xml, assertion, signature) => {
      const holding = signature.replace(/<\/\w+:Signature>$/, (end) => `${assertion.replace(signature, '')}${end}`);
      return xml.replace(assertion, () => evilOf(assertion).replace(signature, () => holding));
    },
    XSW7: (xml, assertion) =>
      xml.replace(
        assertion,
        () => `<x:Extensions xmlns:x="${names.protocol}">${evilOf(assertion)}</x:Extensions>${assertion}`,
      ),
    XSW8: (xml, assertion, signature) => {
      const object = `<o:Object xmlns:o="${names.signature}">${assertion.replace(signature, '')}</o:Object>`;
      const holding = signature.replace(/<\/\w+:Signature>$/, (end) => `${object}${end}`);
      return xml.replace(assertion, () => evilOf(assertion).replace(signature, () => holding));
    },
  };
  test.each(Object.entries(arrangements))('%s', async (_name, arrange) => {
    const one = await visit();
    const xml = await respond(one);
    const assertion = element(xml, 'Assertion');
    const arranged = arrange(xml, assertion, element(assertion, 'Signature'));
    expect(arranged).toContain('>eve<');
    await refused(arranged, 'structure', one);
  });

  const ofResponse: Record<string, (xml: string, evil: string, signature: string) => string> = {
    XSW1: (xml, evil, signature) =>
      evil.replace(signature, () =>
        signature.replace(/<\/\w+:Signature>$/, (end) => `${xml.replace(signature, '')}${end}`),
      ),
    XSW2: (xml, evil, signature) => evil.replace(signature, () => `${xml.replace(signature, '')}${signature}`),
  };
  test.each(Object.entries(ofResponse))('%s', async (_name, arrange) => {
    const one = await visit();
    const xml = (await respond(one, { signAssertion: false, signResponse: true })).replace(/^<\?xml[^>]*\?>\s*/, '');
    const signature = element(xml, 'Signature');
    const arranged = arrange(xml, evilOf(xml), signature);
    expect(arranged).toContain('>eve<');
    await refused(arranged, 'structure', one);
  });
});

test('the audit log has each refusal with its reason', async () => {
  interface Entry {
    readonly details: { readonly reason: string };
    readonly source: { readonly address?: string };
  }
  const path = '/organizations/acme/audit-log/?action=sign_in.fail&limit=100';
  await expect
    .poll(async () => {
      const entries = await server.api<Entry[]>(path);
      return entries.map(({ source, details }) => `${source.address} ${details.reason}`);
    })
    .toEqual(expect.arrayContaining(reasons.map((one) => one.join(' '))));
  expect(reasons.length).toBeGreaterThan(25);
});
