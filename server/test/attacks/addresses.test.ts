/** An organisation that may be used from some networks only, by people and programs that are elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, owner as ownerLogin, Server } from '../harness.ts';
import { act, type Actor, signIn, tokenOf } from './people.ts';
import { rawCall } from './raw-call.ts';

let server: Server;
let owner: Actor;
const outside = '203.0.113.9';

beforeAll(async () => {
  server = await Server.create();
  owner = await signIn(server);
  const allowedAddresses = ['127.0.0.0/8', '::1'];
  const set = await act(server, owner, 'PUT', '/organizations/acme/security/', { allowedAddresses });
  expect(set).toMatchObject({ status: 200, body: { allowedAddresses } });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const from = (headers: Readonly<Record<string, string>>, actor: Actor) =>
  rawCall(`${server.url}/api/0/organizations/acme/issues/`, { headers: { ...actor.headers, ...headers } });

test.each([
  ['the proxy tells of them', { 'x-forwarded-for': outside }],
  ['they write an allowed address before it', { 'x-forwarded-for': `127.0.0.1, ${outside}` }],
  ['they write one that is none', { 'x-forwarded-for': `::ffff:127.0.0.1, localhost, ${outside}` }],
  ['their address is an IPv6 one that ends in an allowed one', { 'x-forwarded-for': '2001:db8::7f00:1' }],
  [
    'they name themselves in other headers',
    {
      'x-forwarded-for': outside,
      'x-real-ip': '127.0.0.1',
      'x-client-ip': '127.0.0.1',
      'x-culprit-client-address': '127.0.0.1',
      'true-client-ip': '127.0.0.1',
      'cf-connecting-ip': '127.0.0.1',
      forwarded: 'for=127.0.0.1',
    },
  ],
])('who is elsewhere stays out when %s', async (_, headers) => {
  const token = await tokenOf(server, owner, 'event:read');
  for (const actor of [owner, token]) {
    expect(await from({}, actor)).toMatchObject({ status: 200 });
    expect(await from(headers, actor)).toMatchObject({ status: 403, code: 'ADDRESS_NOT_ALLOWED' });
  }
});

test('signing in elsewhere shows the own account and nothing of the organisation', async () => {
  const headers = { origin: server.url, 'x-forwarded-for': outside };
  const answer = await rawCall(`${server.url}/api/auth/sign-in/email`, { method: 'POST', headers, body: ownerLogin });
  expect(answer.status).toBe(200);
  const cookie = [answer.headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0]);
  const call = (path: string) =>
    rawCall(`${server.url}/api/0${path}`, { headers: { ...headers, cookie: cookie.join('; ') } });
  expect(JSON.parse((await call('/boot/')).text)).toMatchObject({ organizations: [], projects: null });
  expect(JSON.parse((await call('/account/')).text)).toMatchObject({ email: ownerLogin.email });
});

test('events are taken from everywhere', async () => {
  const sent = await rawCall(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    headers: { 'x-forwarded-for': outside, 'content-type': 'application/x-sentry-envelope' },
    body: errorEnvelope(newEventId()),
  });
  expect(sent.status).toBe(200);
});
