/** What the calls about second factors refuse; attacks on a whole server are in `server/test/attacks`. */
import type { LightMyRequestResponse } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashesCheaply } from '../../domains/accounts/passwords/testing.ts';
import { type Authenticator, createAuthenticator } from '../../domains/accounts/testing/authenticator.ts';
import { addPerson, type Credentials, password } from '../access-testing.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const url = 'http://localhost:7420';
let api: TestApi;
let people = 0;

hashesCheaply();
beforeAll(async () => {
  // Mails are queued; no test here sends one.
  api = await openTestApi({ url, smtpUrl: 'smtp://127.0.0.1:9' });
});
afterAll(async () => {
  await api.accounts.flush();
  await api[Symbol.asyncDispose]();
});

const newPerson = () => addPerson(api, `factor${(people += 1)}`, 'owner');

type Method = 'GET' | 'POST' | 'PUT';
const call = (who: Credentials, method: Method, path: string, payload?: object) =>
  api.app.inject({ method, url: `/api/0${path}`, headers: who, ...(payload && { payload }) });
const post = (who: Credentials, path: string, payload: object) => call(who, 'POST', `/account${path}`, payload);
const codeOf = (answer: LightMyRequestResponse): unknown => answer.json<{ code?: string }>().code;

async function setUpApp(who: Credentials): Promise<TOTP> {
  const begun = await post(who, '/two-factor/', { password });
  const totp = new TOTP({ secret: Secret.fromBase32(begun.json<{ secret: string }>().secret) });
  const confirmed = await post(who, '/two-factor/confirm/', { code: totp.generate() });
  expect(confirmed.statusCode).toBe(200);
  return totp;
}

async function addKey(who: Credentials, key: Authenticator): Promise<LightMyRequestResponse> {
  const begun = await post(who, '/passkeys/options/', { password });
  const { challenge } = begun.json<{ challenge: string }>();
  const set = begun.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const cookie = [who['cookie'], ...set].join('; ');
  return post({ ...who, cookie }, '/passkeys/', { name: 'A key', response: key.create(challenge) });
}

const newKey = (verifies = true): Authenticator => createAuthenticator({ origin: url, rpId: 'localhost', verifies });

describe('authenticator apps', () => {
  test('take each code once, also within a session', async () => {
    const { session } = await newPerson();
    const totp = await setUpApp(session);
    const code = totp.generate({ timestamp: Date.now() + 30_000 });
    expect((await post(session, '/two-factor/verify/', { code })).statusCode).toBe(204);
    expect(codeOf(await post(session, '/two-factor/verify/', { code }))).toBe('CODE_WRONG');
    expect(codeOf(await post(session, '/two-factor/verify/', { code: totp.generate() }))).toBe('CODE_WRONG');
  });

  test('are told to nobody but who has the session', async () => {
    const { session, userId } = await newPerson();
    await setUpApp(session);
    const token = await api.makeToken('org:admin');
    const { statusCode } = await api.call({ method: 'GET', url: '/api/0/account/two-factor/', token });
    expect(statusCode).toBe(403);
    const row = await api.state.db
      .selectFrom('twoFactor')
      .selectAll()
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    const answer = await call(session, 'GET', '/account/two-factor/');
    expect(answer.body).not.toContain(row.secret);
    expect(answer.json()).toMatchObject({ isOn: true, recoveryCodesLeft: 10, hasShown: true });
  });
});

test('what changes is mailed to whose account it is', async () => {
  const { session } = await newPerson();
  const totp = await setUpApp(session);
  const code = totp.generate({ timestamp: Date.now() + 30_000 });
  const { id } = (await addKey(session, newKey())).json<{ id: string }>();
  await post(session, `/passkeys/${id}/delete/`, { password });
  expect((await post(session, '/two-factor/off/', { code })).statusCode).toBe(200);
  const rows = await api.state.db
    .selectFrom('delivery')
    .select('notification')
    .where('email', '=', `factor${people}@example.com`)
    .orderBy('id')
    .execute();
  const titles = rows.map(({ notification }) => (JSON.parse(notification) as { title: string }).title);
  expect(titles).toEqual([
    'Two-factor authentication is on for your Culprit account',
    'A passkey was added to your Culprit account',
    'A passkey was deleted from your Culprit account',
    'Two-factor authentication is off for your Culprit account',
  ]);
});

describe('a second factor', () => {
  const policy = '/organizations/acme/sign-in-policy/';

  test('is required by who has shown one, and by nobody else', async () => {
    const { session } = await newPerson();
    const demand = () => call(session, 'PUT', policy, { requireSecondFactor: true });
    expect(codeOf(await demand())).toBe('DEMAND_NOT_MET');
    await setUpApp(session);
    expect((await demand()).json()).toMatchObject({ requireSecondFactor: true, providerId: null });
    expect((await call(session, 'PUT', policy, { requireSecondFactor: false })).statusCode).toBe(200);
  });
});

describe('passkeys', () => {
  test('without a verified person are none', async () => {
    const { session } = await newPerson();
    expect(codeOf(await addKey(session, newKey(false)))).toBe('PASSKEY_REFUSED');
    expect((await addKey(session, newKey())).statusCode).toBe(201);
  });

  test('are deleted by their owner alone', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const { id } = (await addKey(one.session, newKey())).json<{ id: string }>();
    expect(codeOf(await post(other.session, `/passkeys/${id}/delete/`, { password }))).toBe('NOT_FOUND');
    expect((await post(one.session, `/passkeys/${id}/delete/`, { password })).statusCode).toBe(204);
  });

  test('are limited in number, and kept by one account each', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const key = newKey();
    expect((await addKey(one.session, key)).statusCode).toBe(201);
    expect(codeOf(await addKey(other.session, key))).toBe('PASSKEY_REFUSED');
    await api.state.db
      .insertInto('passkey')
      .values(
        Array.from({ length: 24 }, (_each, index) => ({
          id: `more ${index}`,
          userId: one.userId,
          name: null,
          publicKey: '',
          credentialID: `more ${index}`,
          counter: 0,
          deviceType: 'singleDevice',
          backedUp: false,
          transports: null,
          createdAt: null,
          aaguid: null,
          lastUsedAt: null,
        })),
      )
      .execute();
    expect(codeOf(await post(one.session, '/passkeys/options/', { password }))).toBe('PASSKEYS_FULL');
  });

  test('the last way in stays', async () => {
    const { session } = await newPerson();
    expect(codeOf(await post(session, '/password/delete/', { password }))).toBe('LAST_WAY_IN');
    const { id } = (await addKey(session, newKey())).json<{ id: string }>();
    expect((await post(session, '/password/delete/', { password })).statusCode).toBe(204);
    expect(codeOf(await post(session, `/passkeys/${id}/delete/`, {}))).toBe('LAST_WAY_IN');
    // Who has no password and came in long ago signs in again first.
    await api.state.db
      .updateTable('session')
      .set({ createdAt: new Date(0) })
      .execute();
    expect(codeOf(await post(session, `/passkeys/${id}/delete/`, {}))).toBe('SIGN_IN_AGAIN');
  });
});
