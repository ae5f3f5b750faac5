/** What a thief, a guesser and a confused program get: nothing. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMigratedState } from '../../ports/state/open.ts';
import type { State } from '../../ports/state/state.ts';
import { createAccounts } from '../accounts/index.ts';
import { owner } from '../accounts/testing/place.ts';
import { isRedirectUri, mayReturnTo, registerClient } from './clients.ts';
import { isOwnResource, makeCode, readAuthorization, returnTo, useCode as use } from './codes.ts';
import { decideDevice, findDevice, pollDevice, readUserCode, startDevice } from './devices.ts';
import { accessForMs, refreshGrant as refresh } from './grants.ts';
import { readScopes } from './scopes.ts';

const url = 'http://127.0.0.1:8080';
const hour = 3_600_000;
const redirectUri = 'http://127.0.0.1:9/back';
let dataDir: string;
let state: State;
let accounts: Awaited<ReturnType<typeof createAccounts>>;
let person: { readonly userId: string; readonly organizationId: string };
let clientId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-oauth-'));
  ({ state } = await openMigratedState({ url: '', dataDir }));
  accounts = await createAccounts({ state, getUrl: () => url });
  const { user, organization } = await accounts.setUp(owner);
  person = { userId: user.id, organizationId: organization.id };
  ({ id: clientId } = await registerClient(state, { name: 'Agent', redirectUris: [redirectUri] }, Date.now()));
});
afterAll(async () => {
  await state.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ended: string[] = [];
const onReplay = async ({ name }: { readonly name: string }): Promise<void> => void ended.push(name);
const useCode = (...[state, exchange, url, now]: [State, Parameters<typeof use>[1], string, number]) =>
  use(state, exchange, url, now, onReplay);
const refreshGrant = (...[state, given, now]: [State, Parameters<typeof refresh>[1], number]) =>
  refresh(state, given, now, onReplay);

const identified = (token: string) => accounts.identify(new Headers({ authorization: `Bearer ${token}` }));
const scopes = ['org:read', 'event:read'] as const;

async function askedCode(now = Date.now()) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const granted = { ...person, clientId, clientName: 'Agent', scopes, redirectUri, challenge };
  return { code: await makeCode(state, granted, now), clientId, redirectUri, verifier };
}

test.each([
  ['https://agent.example/back', true],
  ['http://127.0.0.1:7777/back', true],
  ['http://[::1]/back', true],
  ['http://localhost/back', true],
  ['cursor://anysphere.cursor-retrieval/oauth/callback', true],
  ['http://agent.example/back', false],
  ['http://127.0.0.1.agent.example/back', false],
  ['https://agent.example/back#part', false],
  ['https://user:word@agent.example/back', false],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['data:text/html,<script>', false],
  ['file:///etc/passwd', false],
  ['/back', false],
  ['', false],
])('%s may be an address to go back to: %s', (uri, allowed) => {
  expect(isRedirectUri(uri)).toBe(allowed);
});

test('only the port of this machine may be another one', () => {
  const client = { redirectUris: ['http://127.0.0.1:1/back', 'https://agent.example/back'] };
  expect(mayReturnTo(client, 'http://127.0.0.1:54321/back')).toBe(true);
  for (const uri of [
    'http://127.0.0.1:1/back2',
    'http://127.0.0.1:1/back/../other',
    'http://localhost:1/back',
    'https://agent.example/back?x=1',
    'https://agent.example:444/back',
    'https://agent.example.evil.example/back',
    'https://agent.example/',
  ])
    expect(mayReturnTo(client, uri), uri).toBe(false);
});

test('what the person is sent back with stands beside what the app had in its address, and replaces nothing else', () => {
  const back = new URL(returnTo({ redirectUri: `${redirectUri}?own=1&code=old`, state: '&iss=x' }, { code: 'c' }, url));
  expect(Object.fromEntries(back.searchParams)).toEqual({ own: '1', code: 'c', state: '&iss=x', iss: url });
});

test('a name shows as what it is', async () => {
  const name = `\u202eevil\u200b  Sentry\u0007 ${'x'.repeat(300)}`;
  const client = await registerClient(state, { name, redirectUris: [redirectUri] }, Date.now());
  expect(client.name).toMatch(/^evil Sentry x+$/);
  expect(client.name.length).toBe(100);
  expect((await registerClient(state, { name: '\u200b', redirectUris: [] }, Date.now())).name).toBe('Unnamed app');
  await expect(registerClient(state, { redirectUris: ['http://agent.example/'] }, Date.now())).rejects.toMatchObject({
    code: 'OAUTH_INVALID',
  });
});

test('a request is refused to the app where it has a fault, and to the person where nobody may be sent away', async () => {
  const request = {
    clientId,
    redirectUri,
    responseType: 'code',
    challenge: 'x'.repeat(43),
    challengeMethod: 'S256',
  };
  const read = (change: object) => readAuthorization(state, { ...request, ...change }, url);
  expect(await read({})).toMatchObject({ refusal: undefined, client: { name: 'Agent' } });
  expect((await read({ responseType: 'token' })).refusal).toBe('unsupported_response_type');
  expect((await read({ challenge: '' })).refusal).toBe('invalid_request');
  expect((await read({ challengeMethod: 'plain' })).refusal).toBe('invalid_request');
  expect((await read({ resource: 'https://other.example/mcp' })).refusal).toBe('invalid_target');
  await expect(read({ clientId: 'nobody' })).rejects.toMatchObject({ code: 'OAUTH_CLIENT_UNKNOWN' });
  await expect(read({ redirectUri: 'https://evil.example/' })).rejects.toMatchObject({
    code: 'OAUTH_REDIRECT_UNKNOWN',
  });
  expect(isOwnResource(`${url}/mcp`, url)).toBe(true);
  expect(isOwnResource(`${url}1/mcp`, url)).toBe(false);
});

test('a code is good for the app that asked, with its proof, once, for a minute', async () => {
  const now = Date.now();
  const good = await askedCode(now);
  const gone = { code: 'OAUTH_GRANT_GONE' };
  await expect(useCode(state, { ...good, verifier: 'x'.repeat(43) }, url, now)).rejects.toMatchObject(gone);
  await expect(useCode(state, { ...good, clientId: 'other' }, url, now)).rejects.toMatchObject(gone);
  await expect(useCode(state, { ...good, redirectUri: 'http://127.0.0.1:9/b' }, url, now)).rejects.toMatchObject(gone);
  await expect(useCode(state, { ...good, code: 'guess' }, url, now)).rejects.toMatchObject(gone);
  await expect(useCode(state, good, url, now + 60_001)).rejects.toMatchObject(gone);
  const { accessToken, token } = await useCode(state, good, url, now);
  expect(await identified(accessToken)).toMatchObject({ userId: person.userId, scopes: [...scopes] });
  expect(token).toMatchObject({ name: 'Agent', isGranted: true });
  // Somebody else has it, too: what it was used for ends.
  expect(ended).toEqual([]);
  await expect(useCode(state, good, url, now)).rejects.toMatchObject(gone);
  expect(ended).toEqual(['Agent']);
  await expect(identified(accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});

test('of two that come with one code at once, one gets a token', async () => {
  const good = await askedCode();
  const both = await Promise.allSettled([useCode(state, good, url, Date.now()), useCode(state, good, url, Date.now())]);
  expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
});

test('a refresh token renews in place; a former one, later on, ends it all', async () => {
  const now = Date.now();
  const first = await useCode(state, await askedCode(now), url, now);
  await expect(refreshGrant(state, { refreshToken: first.refreshToken, clientId: 'other' }, now)).rejects.toMatchObject(
    {
      code: 'OAUTH_GRANT_GONE',
    },
  );
  const second = await refreshGrant(state, { refreshToken: first.refreshToken, clientId }, now + hour);
  expect(second.token.id).toBe(first.token.id);
  await expect(identified(first.accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  expect(await identified(second.accessToken)).toBeDefined();
  // Another process of the app had the first one still.
  const third = await refreshGrant(state, { refreshToken: first.refreshToken, clientId }, now + hour + 30_000);
  expect(await identified(third.accessToken)).toBeDefined();
  await expect(
    refreshGrant(state, { refreshToken: first.refreshToken, clientId }, now + 2 * hour),
  ).rejects.toMatchObject({ code: 'OAUTH_GRANT_GONE' });
  await expect(identified(third.accessToken)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
});

test('an access token ends after some hours, and a grant that nobody renews after ninety days', async () => {
  const now = Date.now() - accessForMs;
  const old = await useCode(state, await askedCode(now), url, now);
  await expect(identified(old.accessToken)).rejects.toMatchObject({ code: 'ACCESS_EXPIRED' });
  await expect(
    refreshGrant(state, { refreshToken: old.refreshToken, clientId }, now + 91 * 24 * hour),
  ).rejects.toMatchObject({ code: 'OAUTH_GRANT_GONE' });
});

test('a device waits for its person, is told to wait, and gets what was granted once', async () => {
  const now = Date.now();
  const { deviceCode, userCode } = await startDevice(state, { clientId, scope: 'event:read nonsense' }, now);
  const poll = (at: number) => pollDevice(state, { deviceCode, clientId }, url, now + at);
  expect(await poll(0)).toBe('authorization_pending');
  expect(await poll(1_000)).toBe('slow_down');
  expect(await poll(7_000)).toBe('authorization_pending');
  expect(await findDevice(state, userCode.toLowerCase(), now)).toMatchObject({
    clientName: 'Agent',
    scopes: ['event:read'],
  });
  await expect(findDevice(state, userCode, now + 600_001)).rejects.toMatchObject({ code: 'OAUTH_DEVICE_UNKNOWN' });
  const decision = { userCode, accept: true, ...person, scopes: ['event:read'] as const };
  await decideDevice(state, decision, now);
  await expect(decideDevice(state, { ...decision, accept: false }, now)).rejects.toMatchObject({
    code: 'OAUTH_DEVICE_UNKNOWN',
  });
  expect(await pollDevice(state, { deviceCode, clientId: 'other' }, url, now)).toBe('expired_token');
  expect(await poll(12_000)).toMatchObject({ token: { scopes: ['event:read'] } });
  expect(await poll(18_000)).toBe('expired_token');

  const denied = await startDevice(state, { clientId }, now);
  await decideDevice(state, { ...decision, userCode: denied.userCode, accept: false, scopes: [] }, now);
  expect(await pollDevice(state, { deviceCode: denied.deviceCode, clientId }, url, now)).toBe('access_denied');
  await expect(startDevice(state, { clientId: 'nobody' }, now)).rejects.toMatchObject({ code: 'OAUTH_CLIENT_UNKNOWN' });
});

test('who has left may no longer be stood for', async () => {
  const good = await askedCode();
  await state.db.updateTable('member').set({ role: 'viewer' }).where('userId', '=', person.userId).execute();
  const { accessToken } = await useCode(state, good, url, Date.now());
  await state.db.deleteFrom('member').where('userId', '=', person.userId).execute();
  expect(await identified(accessToken).catch(() => undefined)).toBeUndefined();
  await expect(useCode(state, await askedCode(), url, Date.now())).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});

test('codes as people type them, and scopes as programs write them', () => {
  for (const typed of ['bcdf-ghjk', 'BCDFGHJK', ' bcdf ghjk ', 'bcdf–ghjk'])
    expect(readUserCode(typed)).toBe('BCDF-GHJK');
  for (const typed of ['', 'bcdf', 'abcd-efgh', 'bcdfghjkl', '12345678']) expect(readUserCode(typed)).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const code = readUserCode(text);
      expect(code === undefined || /^[B-Z]{4}-[B-Z]{4}$/.test(code)).toBe(true);
      expect(readScopes(text).length).toBeGreaterThan(0);
    }),
  );
  expect(readScopes('event:read event:read team:admin __proto__ constructor')).toEqual(['event:read']);
  expect(readScopes(undefined)).toEqual(['org:read', 'project:read', 'member:read', 'event:read']);
});
