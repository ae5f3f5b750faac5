/** Passkeys that are not what they say, for whom they say, or from where they say. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authenticator, createAuthenticator } from '../../src/domains/accounts/testing/authenticator.ts';
import { owner, Server } from '../harness.ts';
import { account, ask, type Browser, hasSession, type Login, signInTo, stranger } from './factors.ts';
import { join } from './people.ts';
import { cookiesOf, type RawAnswer } from './raw-call.ts';

let server: Server;
let origin: string;
let people = 0;

beforeAll(async () => {
  // Unless it is told of an address, it goes by localhost, where browsers make passkeys.
  server = await Server.create({ CULPRIT_URL: '' });
  origin = `http://localhost:${server.port}`;
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function person(): Promise<{ readonly login: Login; readonly browser: Browser }> {
  const name = `key${(people += 1)}`;
  const { headers } = await join(server, name, 'member');
  const login = { email: `${name}@example.com`, password: `a long enough phrase of ${name}` };
  return { login, browser: { server, cookie: headers['cookie'] ?? '' } };
}

const authenticator = (options: Partial<Parameters<typeof createAuthenticator>[0]> = {}): Authenticator =>
  createAuthenticator({ origin, rpId: 'localhost', ...options });

interface Question {
  readonly challenge: string;
  /** With the cookie that belongs to it. */
  readonly browser: Browser;
}

const withCookies = ({ cookie }: Browser, answer: RawAnswer): Browser => ({
  server,
  cookie: [cookie, cookiesOf(answer)].filter(Boolean).join('; '),
});

async function begin(browser: Browser, { password }: Login): Promise<Question> {
  const answer = await account(browser, 'POST', '/passkeys/options/', { password });
  expect(answer.status).toBe(200);
  return { challenge: (JSON.parse(answer.text) as Question).challenge, browser: withCookies(browser, answer) };
}

const add = ({ browser, challenge }: Question, key: Authenticator) =>
  account(browser, 'POST', '/passkeys/', { name: 'A key', response: key.create(challenge) });

async function personWithKey() {
  const { login, browser } = await person();
  const key = authenticator();
  const added = await add(await begin(browser, login), key);
  expect(added.status).toBe(201);
  return { login, browser, key, id: (JSON.parse(added.text) as { id: string }).id };
}

async function question(browser = stranger(server)): Promise<Question> {
  const answer = await ask(browser, 'POST', '/api/auth/passkey/options', {});
  expect(answer.status).toBe(200);
  const options = JSON.parse(answer.text) as { challenge: string };
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
  return { challenge: options.challenge, browser: withCookies(browser, answer) };
}

const show = ({ browser }: Pick<Question, 'browser'>, response: object) =>
  ask(browser, 'POST', '/api/auth/passkey/verify', { response });

describe('a passkey', () => {
  test('signs in by itself, and counts as a second factor', async () => {
    const { browser, key } = await personWithKey();
    expect(JSON.parse((await account(browser, 'GET', '/two-factor/')).text)).toMatchObject({ hasShown: true });
    const asked = await question();
    const answer = await show(asked, key.get(asked.challenge));
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    const signedIn = { server, cookie: cookiesOf(answer) };
    expect(JSON.parse((await account(signedIn, 'GET', '/two-factor/')).text)).toMatchObject({ hasShown: true });
    const listed = JSON.parse((await account(signedIn, 'GET', '/passkeys/')).text) as { passkeys: object[] };
    expect(listed).toMatchObject({ available: true, origin, passkeys: [{ lastUsed: expect.any(String) }] });
    expect(Object.keys(listed.passkeys[0] ?? {}).toSorted()).toEqual([
      'dateCreated',
      'id',
      'isSynced',
      'lastUsed',
      'name',
    ]);
  });

  test('of another page, or another site, is refused when it is made and when it is used', async () => {
    const { login, browser } = await person();
    for (const wrong of [
      { origin: `http://evil.localhost:${server.port}` },
      { origin: 'https://localhost.example.com' },
      { rpId: 'example.com' },
      { verifies: false },
    ]) {
      const answer = await add(await begin(browser, login), authenticator(wrong));
      expect([wrong, answer.status, answer.code]).toEqual([wrong, 400, 'PASSKEY_REFUSED']);
    }
    const { key } = await personWithKey();
    for (const options of [{ from: `http://evil.localhost:${server.port}` }, { verifies: false }]) {
      const asked = await question();
      const answer = await show(asked, key.get(asked.challenge, options));
      expect([options, answer.code, hasSession(cookiesOf(answer))]).toEqual([options, 'PASSKEY_REFUSED', false]);
    }
    // What the request says of its own origin changes nothing.
    const asked = await question();
    const response = key.get(asked.challenge, { from: server.url });
    expect((await show(asked, response)).code).toBe('PASSKEY_REFUSED');
  });

  test('answers one question once, in the browser that asked it', async () => {
    const { login, browser, key } = await personWithKey();
    const asked = await question();
    const response = key.get(asked.challenge);
    expect((await show({ browser: stranger(server) }, response)).code).toBe('PASSKEY_REFUSED');
    expect((await show(await question(), response)).code).toBe('PASSKEY_REFUSED');
    expect((await show(asked, response)).status).toBe(200);
    expect((await show(asked, response)).code).toBe('PASSKEY_REFUSED');
    // The question for making one is none for signing in.
    const making = await begin(browser, login);
    expect((await show(making, key.get(making.challenge))).code).toBe('PASSKEY_REFUSED');
  });

  test('is what its key signs: another one under its name, or a made-up one, is nobody', async () => {
    const { key } = await personWithKey();
    const asked = await question();
    const forged = { ...authenticator().get(asked.challenge), id: key.id, rawId: key.id };
    expect((await show(asked, forged)).code).toBe('PASSKEY_REFUSED');
    const again = await question();
    expect((await show(again, authenticator().get(again.challenge))).code).toBe('PASSKEY_REFUSED');
    for (const response of [{}, { id: 'x' }, { id: 'x', response: {} }, { id: key.id, response: { signature: 1 } }]) {
      const { status } = await show(await question(), response);
      expect([response, status]).toEqual([response, 400]);
    }
  });

  test('is added by who knows the password, for themselves alone', async () => {
    const [one, other] = [await person(), await person()];
    expect((await account(one.browser, 'POST', '/passkeys/options/', {})).code).toBe('PASSWORD_WRONG');
    expect((await account(one.browser, 'POST', '/passkeys/options/', { password: 'wrong' })).code).toBe(
      'PASSWORD_WRONG',
    );
    const asked = await begin(one.browser, one.login);
    const itsCookie = asked.browser.cookie.split('; ').find((each) => /\bpasskey=/.test(each)) ?? '';
    const stolen = { ...asked, browser: { server, cookie: `${other.browser.cookie}; ${itsCookie}` } };
    const key = authenticator();
    expect((await add(stolen, key)).code).toBe('PASSKEY_REFUSED');
    for (const { browser } of [one, other]) {
      expect(JSON.parse((await account(browser, 'GET', '/passkeys/')).text)).toMatchObject({ passkeys: [] });
    }
  });

  test('is renamed and deleted by its owner alone', async () => {
    const { browser, login, id } = await personWithKey();
    const other = await personWithKey();
    const deletion = await account(other.browser, 'POST', `/passkeys/${id}/delete/`, other.login);
    expect([deletion.status, deletion.code]).toEqual([404, 'NOT_FOUND']);
    expect((await account(other.browser, 'PUT', `/passkeys/${id}/`, { name: 'mine' })).status).toBe(404);
    expect(JSON.parse((await account(browser, 'GET', '/passkeys/')).text)).toMatchObject({
      passkeys: [{ id, name: 'A key' }],
    });
    expect((await account(browser, 'POST', `/passkeys/${id}/delete/`, {})).code).toBe('PASSWORD_WRONG');
    const { password } = login;
    expect((await account(browser, 'POST', `/passkeys/${id}/delete/`, { password })).status).toBe(204);
    expect(JSON.parse((await account(browser, 'GET', '/two-factor/')).text)).toMatchObject({ hasShown: false });
  });

  test('stays where nothing else lets its owner in, whatever is deleted at once', async () => {
    const { browser, login, id, key } = await personWithKey();
    const { password } = login;
    const both = await Promise.all([
      account(browser, 'POST', `/passkeys/${id}/delete/`, { password }),
      account(browser, 'POST', '/password/delete/', { password }),
    ]);
    const refused = both.filter(({ code }) => code === 'LAST_WAY_IN' || code === 'SIGN_IN_AGAIN');
    expect(refused.length).toBeLessThanOrEqual(1);
    const asked = await question();
    const byKey = (await show(asked, key.get(asked.challenge))).status === 200;
    const byPassword = await signInTo(server, login).then(
      ({ cookie }) => hasSession(cookie),
      () => false,
    );
    expect([byKey, byPassword].filter(Boolean)).toHaveLength(1);

    const alone = await personWithKey();
    const phrase = { password: alone.login.password };
    expect((await account(alone.browser, 'POST', '/password/delete/', phrase)).status).toBe(204);
    expect((await account(alone.browser, 'POST', `/passkeys/${alone.id}/delete/`, {})).code).toBe('LAST_WAY_IN');
    await expect(signInTo(server, alone.login)).rejects.toThrow('401');
  });

  test('is asked for so often, and not more', async () => {
    const codes: number[] = [];
    for (let index = 0; index < 62; index += 1) {
      codes.push((await ask(stranger(server), 'POST', '/api/auth/passkey/options', {}, '192.0.2.77')).status);
    }
    expect(codes.filter((status) => status === 200)).toHaveLength(60);
    expect(codes.at(-1)).toBe(429);
    const wrong: (string | undefined)[] = [];
    for (let index = 0; index < 12; index += 1) {
      const response = { id: 'x', response: {} };
      wrong.push((await ask(stranger(server), 'POST', '/api/auth/passkey/verify', { response }, '192.0.2.78')).code);
    }
    expect(wrong.at(-1)).toBe('SIGN_IN_LIMITED');
  });
});

test('where the address is none that browsers take, that is what is said', async () => {
  await using elsewhere = await Server.create();
  const browser = await signInTo(elsewhere, owner);
  const { code, text } = await account(browser, 'POST', '/passkeys/options/', owner);
  expect([code, text.includes('CULPRIT_URL')]).toEqual(['PASSKEYS_UNAVAILABLE', true]);
  expect((await ask(stranger(elsewhere), 'POST', '/api/auth/passkey/options', {})).code).toBe('PASSKEYS_UNAVAILABLE');
  expect(JSON.parse((await account(browser, 'GET', '/passkeys/')).text)).toMatchObject({ available: false });
});

test('what is refused leaves nothing in the log of the server', () => {
  expect(server.output).not.toMatch(/Failed to verify/);
});
