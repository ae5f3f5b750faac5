/** What OpenID Connect refuses, without a server around it. Through a whole one: `server/test/attacks/single-sign-on.test.ts`. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenId } from './openid.ts';
import { isCallable } from './outside.ts';
import type { Provider } from './provider.ts';
import { refusals } from './refused.ts';
import { type Idp, openIdp } from './testing/idp.ts';

let idp: Idp;
let provider: Provider;
const callback = 'https://culprit.example/callback';

beforeAll(async () => {
  idp = await openIdp();
  provider = {
    id: 'one',
    organizationId: 'acme',
    kind: 'oidc',
    name: 'Acme',
    domains: [],
    settings: { ...idp.settings },
    enabled: true,
    joins: true,
    defaultRole: 'member',
    mapping: [],
    problem: '',
    problemAt: null,
    lastUsedAt: null,
    createdAt: 1,
    updatedAt: 1,
  };
});
afterAll(() => idp?.[Symbol.asyncDispose]());

async function come(tamper: Idp['tamper'] = {}, change: (url: URL) => void = () => {}) {
  const openId = createOpenId();
  idp.person = { sub: 'kim', email: 'kim@acme.example', email_verified: true };
  idp.tamper = tamper;
  try {
    const { url, kept } = await openId.begin(provider, { callback, state: 'a-state' });
    const back = idp.authorize(url.href);
    change(back);
    return await openId.finish(provider, { url: back, state: 'a-state', kept });
  } finally {
    idp.tamper = {};
  }
}

const refused = expect.objectContaining({ reason: 'failed' });

test('an answer that holds says who it is', async () => {
  expect(await come()).toEqual({
    subject: 'kim',
    email: 'kim@acme.example',
    emailVerified: true,
    name: undefined,
    groups: [],
    secondFactor: false,
  });
});

test.each<[string, Idp['tamper']]>([
  ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'other' }) }],
  ['another audience', { claims: (claims) => ({ ...claims, aud: 'other' }) }],
  ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://other.example' }) }],
  ['an end in the past', { claims: (claims) => ({ ...claims, exp: 1 }) }],
  ['no signature', { signature: 'none' }],
  ['the client secret for a key', { signature: { secret: 'secret-of-the-client' } }],
  ['the key of somebody else', { signature: 'foreign' }],
])('an ID token with %s is refused', async (_what, tamper) => {
  await expect(come(tamper)).rejects.toEqual(refused);
});

test.each([
  ['state', (url: URL) => url.searchParams.set('state', 'other')],
  ['issuer', (url: URL) => url.searchParams.set('iss', 'https://other.example')],
  ['code', (url: URL) => url.searchParams.set('code', 'other')],
])('an answer with another %s is refused', async (_what, change) => {
  await expect(come({}, change)).rejects.toEqual(refused);
});

test('one that does not answer is not asked again at once', async () => {
  const openId = createOpenId();
  idp.tamper = { document: 'not JSON' };
  const before = idp.requests.length;
  for (let n = 0; n < 5; n += 1) {
    await expect(openId.begin(provider, { callback, state: 'a-state' })).rejects.toEqual(refused);
  }
  idp.tamper = {};
  expect(idp.requests.length - before).toBe(1);
});

test('each reason has a sentence on the sign-in page', async () => {
  const path = new URL('../../../../console/messages/en/sign-in.json', import.meta.url);
  const { problems } = JSON.parse(await readFile(path, 'utf8')) as { problems: Record<string, string> };
  expect(Object.keys(problems).toSorted()).toEqual([...refusals].toSorted());
});

test.each([
  ['10.0.0.1', true],
  ['127.0.0.1', true],
  ['::1', true],
  ['fd12::1', true],
  ['93.184.216.34', true],
  ['169.254.169.254', false],
  ['::ffff:169.254.169.254', false],
  ['64:ff9b::a9fe:a9fe', false],
  ['fe80::1%eth0', false],
  ['fd00:ec2::254', false],
  ['100.100.100.200', false],
  ['0.0.0.0', false],
  ['::', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['name', false],
])('a provider at %s: %j', (address, may) => {
  expect(isCallable(address)).toBe(may);
});
