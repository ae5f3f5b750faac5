/** What who has a password, or a session, does about the second factor that is asked for besides. */
import { join as path } from 'node:path';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { owner, Server } from '../harness.ts';
import {
  account,
  type App,
  ask,
  type Browser,
  enterCode,
  enterPassword,
  hasSession,
  nextAddress,
  setUpApp,
  signInTo,
  stranger,
} from './factors.ts';
import { join, tokenOf } from './people.ts';
import { cookiesOf } from './raw-call.ts';

let server: Server;
let people = 0;

/** The owner, who invites people. */
let ownerBrowser: Browser;

beforeAll(async () => {
  server = await Server.create({}, { clock: true });
  ownerBrowser = await signInTo(server, owner);
});
afterAll(() => server?.[Symbol.asyncDispose]());
// A code that was taken is never taken again, so each test begins with new ones.
beforeEach(() => server.moveClock(120_000));

interface Person {
  readonly login: { readonly email: string; readonly password: string };
  readonly browser: Browser;
  readonly app: App;
  readonly recoveryCodes: readonly string[];
  readonly secret: string;
}

async function member(role: 'member' | 'admin' = 'member'): Promise<Pick<Person, 'login' | 'browser'>> {
  const name = `person${(people += 1)}`;
  const { headers } = await join(server, name, role, { headers: ownHeaders(ownerBrowser) });
  const login = { email: `${name}@example.com`, password: `a long enough phrase of ${name}` };
  return { login, browser: { server, cookie: headers['cookie'] ?? '' } };
}

async function personWithApp(role?: 'member' | 'admin'): Promise<Person> {
  const { login, browser } = await member(role);
  return { login, browser, ...(await setUpApp(browser, login)) };
}

const entries = async (action: string): Promise<readonly unknown[]> =>
  JSON.parse(
    (await ask(ownerBrowser, 'GET', `/api/0/organizations/acme/audit-log/?action=${action}`)).text,
  ) as unknown[];

describe('an authenticator app', () => {
  test('is on with its first code, tells the recovery codes once, and signs out elsewhere', async () => {
    const { login, browser } = await member();
    const elsewhere = await signInTo(server, login);
    expect((await account(browser, 'POST', '/two-factor/', { password: 'a wrong one' })).code).toBe('PASSWORD_WRONG');
    expect((await account(browser, 'POST', '/two-factor/', {})).code).toBe('PASSWORD_WRONG');
    const { app, recoveryCodes } = await setUpApp(browser, login);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes.every((code) => /^[a-z2-9]{5}-[a-z2-9]{5}$/.test(code))).toBe(true);
    expect((await account(elsewhere, 'GET', '/')).status).toBe(401);
    expect(JSON.parse((await account(browser, 'GET', '/two-factor/')).text)).toMatchObject({
      isOn: true,
      recoveryCodesLeft: 10,
      hasShown: true,
    });
    expect((await account(browser, 'POST', '/two-factor/', { password: login.password })).code).toBe(
      'SECOND_FACTOR_ON',
    );
    const challenge = await enterPassword(server, login);
    expect([challenge.status, hasSession(cookiesOf(challenge))]).toEqual([200, false]);
    expect(challenge.text).not.toContain('token');
    const answer = await enterCode({ server, cookie: cookiesOf(challenge) }, app.code(1));
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{}');
    const signedIn = { server, cookie: cookiesOf(answer) };
    expect(JSON.parse((await account(signedIn, 'GET', '/two-factor/')).text)).toMatchObject({ hasShown: true });
  });

  test('of somebody else, or a challenge of somebody else, opens nothing', async () => {
    const [one, other] = [await personWithApp(), await personWithApp()];
    const challenge = await signInTo(server, one.login);
    expect((await enterCode(challenge, other.app.code(1))).code).toBe('CODE_WRONG');
    expect((await enterCode(stranger(server), one.app.code(1))).code).toBe('SIGN_IN_EXPIRED');
    const forged = challenge.cookie.replace(/(two_factor=)[^.]+/, '$1made-up');
    expect((await enterCode({ server, cookie: forged }, one.app.code(1))).code).toBe('SIGN_IN_EXPIRED');
    // A session of one, sent along with the challenge of the other, is not what is asked about.
    const both = { server, cookie: `${other.browser.cookie}; ${challenge.cookie}` };
    expect((await enterCode(both, other.app.code(1))).code).toBe('CODE_WRONG');
    expect((await enterCode(challenge, one.app.code(1))).status).toBe(200);
  });

  test('gives each code once, whoever saw it', async () => {
    const { login, app } = await personWithApp();
    const code = app.code(1);
    const challenges = [await signInTo(server, login), await signInTo(server, login)];
    const answers = await Promise.all(challenges.map((challenge) => enterCode(challenge, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const later = await signInTo(server, login);
    expect((await enterCode(later, code)).code).toBe('CODE_WRONG');
    // An earlier one that is still in its time is no better.
    expect((await enterCode(later, app.code(0))).code).toBe('CODE_WRONG');
    await server.moveClock(60_000);
    expect((await enterCode(later, app.code())).status).toBe(200);
  });

  test('cannot be guessed: an account and an address have few tries, and the challenge fewer', async () => {
    const { login, app } = await personWithApp();
    const challenge = await signInTo(server, login);
    const codes: (string | undefined)[] = [];
    for (let index = 0; index < 6; index += 1) codes.push((await enterCode(challenge, '000000')).code);
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'CODE_WRONG'), 'SIGN_IN_EXPIRED']);
    // With the right code, too, since the challenge is over.
    expect((await enterCode(challenge, app.code(1))).code).toBe('SIGN_IN_EXPIRED');
    const again = await signInTo(server, login);
    for (let index = 0; index < 5; index += 1) codes.push((await enterCode(again, '000000')).code);
    expect(codes.at(-1)).toBe('SIGN_IN_LIMITED');
    // Whatever the address, and with the right code.
    const last = await signInTo(server, login);
    expect((await enterCode(last, app.code(1), '203.0.113.250')).code).toBe('SIGN_IN_LIMITED');

    const address = nextAddress();
    const fromOne: (string | undefined)[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { login: victim } = await personWithApp();
      const open = await signInTo(server, victim);
      for (let time = 0; time < 4; time += 1) fromOne.push((await enterCode(open, '000000', address)).code);
    }
    expect(fromOne.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'CODE_WRONG'));
    expect(fromOne.slice(10)).toEqual(['SIGN_IN_LIMITED', 'SIGN_IN_LIMITED']);
  });

  test('is no easier to guess from within a session', async () => {
    const { browser } = await personWithApp();
    const codes: (string | undefined)[] = [];
    for (const where of ['verify', 'recovery-codes', 'off']) {
      for (let index = 0; index < 4; index += 1) {
        codes.push((await account(browser, 'POST', `/two-factor/${where}/`, { code: '000000' })).code);
      }
    }
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'CODE_WRONG'));
    expect(codes.slice(10)).toEqual(['SIGN_IN_LIMITED', 'SIGN_IN_LIMITED']);
    await expect.poll(() => entries('user.fail_code')).not.toHaveLength(0);
    expect((await entries('user.two_factor_on')).length).toBeGreaterThan(0);
  });

  test('is turned off by a code alone: a session and a password are not enough', async () => {
    const { login, browser, app } = await personWithApp();
    expect((await account(browser, 'POST', '/two-factor/off/', { code: login.password })).code).toBe('CODE_WRONG');
    expect((await account(browser, 'POST', '/two-factor/off/', {})).status).toBe(400);
    expect((await account(browser, 'POST', '/two-factor/off/', { code: app.code(1) })).status).toBe(200);
    expect(hasSession((await signInTo(server, login)).cookie)).toBe(true);
    expect(JSON.parse((await account(browser, 'GET', '/two-factor/')).text)).toMatchObject({
      isOn: false,
      hasShown: false,
    });
  });

  test('and its codes are secrets in what is stored', async () => {
    const { secret, recoveryCodes } = await personWithApp();
    const files = ['state.db', 'state.db-wal'].map((name) => path(server.dataDir, name));
    for (const file of files) {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0));
      const plain = Buffer.from(decodeBase32(secret));
      for (const text of [secret, plain, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))]) {
        expect(bytes.includes(text)).toBe(false);
      }
    }
  });
});

describe('a recovery code', () => {
  test('signs in once, whatever is tried at once, and is told apart from wrong ones by nobody', async () => {
    const { login, recoveryCodes } = await personWithApp();
    const [first = '', second = ''] = recoveryCodes;
    const challenges = [await signInTo(server, login), await signInTo(server, login)];
    const answers = await Promise.all(challenges.map((challenge) => enterCode(challenge, first.toUpperCase())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await signInTo(server, login);
    expect((await enterCode(again, first)).code).toBe('CODE_WRONG');
    expect((await enterCode(again, 'aaaaa-aaaaa')).code).toBe('CODE_WRONG');
    const answer = await enterCode(again, second.replace('-', ' '));
    expect(answer.status).toBe(200);
    const signedIn = { server, cookie: cookiesOf(answer) };
    expect(JSON.parse((await account(signedIn, 'GET', '/two-factor/')).text)).toMatchObject({ recoveryCodesLeft: 8 });
  });

  test('of a former set is worth nothing', async () => {
    const { login, browser, app, recoveryCodes } = await personWithApp();
    const renewed = await account(browser, 'POST', '/two-factor/recovery-codes/', { code: app.code(1) });
    const { recoveryCodes: fresh } = JSON.parse(renewed.text) as { recoveryCodes: string[] };
    const challenge = await signInTo(server, login);
    expect((await enterCode(challenge, recoveryCodes[0] ?? '')).code).toBe('CODE_WRONG');
    expect((await enterCode(challenge, fresh[0] ?? '')).status).toBe(200);
  });
});

test('nothing else of the library can be reached', async () => {
  const { browser } = await member();
  const closed = [
    ...['enable', 'disable', 'get-totp-uri', 'verify-totp', 'verify-backup-code', 'verify-otp', 'send-otp'].map(
      (name) => `two-factor/${name}`,
    ),
    ...['generate-backup-codes', 'view-backup-codes'].map((name) => `two-factor/${name}`),
    ...['generate-register-options', 'generate-authenticate-options', 'verify-registration'].map(
      (name) => `passkey/${name}`,
    ),
    ...['verify-authentication', 'list-user-passkeys', 'delete-passkey', 'update-passkey'].map(
      (name) => `passkey/${name}`,
    ),
    'get-session',
    'update-session',
    'update-user',
    'list-sessions',
    'change-password',
    'challenged-user',
  ];
  for (const name of closed) {
    for (const method of ['GET', 'POST']) {
      const { status } = await ask(browser, method, `/api/auth/${name}`, method === 'POST' ? {} : undefined);
      expect([name, method, status]).toEqual([name, method, 404]);
    }
  }
});

describe('an organisation that demands a second factor', () => {
  const policy = '/api/0/organizations/acme/sign-in-policy/';
  let admin: Person;

  beforeAll(async () => {
    await server.moveClock(120_000);
    admin = { login: owner, browser: ownerBrowser, ...(await setUpApp(ownerBrowser, owner)) };
  });

  const demand = (requireSecondFactor: boolean, browser = admin.browser) =>
    ask(browser, 'PUT', policy, { requireSecondFactor });

  test('is made so by no member, no admin, no token, and no owner who has not shown one', async () => {
    const { browser } = await member();
    expect((await demand(true, browser)).code).toBe('PERMISSION_DENIED');
    const { browser: second } = await personWithApp('admin');
    expect((await demand(true, second)).code).toBe('PERMISSION_DENIED');
    const { headers } = await tokenOf(server, { headers: ownHeaders(admin.browser) }, 'org:admin');
    const byToken = await fetch(server.url + policy, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ requireSecondFactor: true }),
    });
    expect(await byToken.json()).toMatchObject({ code: 'SESSION_REQUIRED' });
    inState(server, 'update session set secondFactor = 0');
    expect((await demand(true)).code).toBe('DEMAND_NOT_MET');
    expect(JSON.parse((await ask(admin.browser, 'GET', policy)).text)).toMatchObject({ requireSecondFactor: false });
    expect((await account(admin.browser, 'POST', '/two-factor/verify/', { code: admin.app.code(1) })).status).toBe(204);
    expect((await demand(true)).status).toBe(200);
    expect((await demand(false)).status).toBe(200);
  });

  test('is closed at once to sessions without one, in each method, and opens by a code without a new sign-in', async () => {
    const { login, browser } = await member();
    const inside = [
      ['GET', '/organizations/acme/'],
      ['GET', '/organizations/acme/issues/'],
      ['POST', '/organizations/acme/api-tokens/'],
      ['PUT', '/organizations/acme/'],
      ['DELETE', '/organizations/acme/members/me/'],
      ['GET', '/projects/acme/web/'],
      ['GET', '/issues/1/'],
      ['GET', '/organizations/acme/live/'],
    ] as const;
    const stream = await fetch(`${server.url}/api/0/organizations/acme/live/`, { headers: { cookie: browser.cookie } });
    const streamed = stream.text();
    expect((await demand(true)).status).toBe(200);
    await streamed;
    for (const [method, url] of inside) {
      const answer = await ask(browser, method, `/api/0${url}`, method.startsWith('P') ? {} : undefined);
      expect([method, url, answer.status, answer.code]).toEqual([method, url, 403, 'SECOND_FACTOR_REQUIRED']);
    }
    expect((await account(browser, 'GET', '/')).status).toBe(200);
    await setUpApp(browser, login);
    expect((await ask(browser, 'GET', '/api/0/organizations/acme/')).status).toBe(200);
    // What is made of the token of the project goes on, for it is no session.
    expect((await server.api<unknown[]>('/organizations/acme/projects/')).length).toBeGreaterThan(0);
    expect((await demand(false)).status).toBe(200);
  });

  test('is not fooled by anything that a browser keeps of its session: there is no such cookie', async () => {
    const { login, browser } = await member();
    const answer = await enterPassword(server, login);
    const names = cookiesOf(answer)
      .split('; ')
      .map((one) => one.split('=', 1)[0]);
    expect(names.filter((name) => !/^culprit\.(?:session_token|device-[\w-]+)$/.test(name ?? ''))).toEqual([]);
    await demand(true);
    const forged = {
      server,
      cookie: `${browser.cookie}; culprit.session_data=${Buffer.from('{}').toString('base64')}`,
    };
    expect((await ask(forged, 'GET', '/api/0/organizations/acme/')).code).toBe('SECOND_FACTOR_REQUIRED');
    await demand(false);
  });
});

const ownHeaders = ({ cookie }: Browser) => ({ cookie, origin: server.url, 'content-type': 'application/json' });

function inState({ dataDir }: Server, statement: string): void {
  using database = new DatabaseSync(path(dataDir, 'state.db'));
  database.exec('PRAGMA busy_timeout = 5000');
  database.exec(statement);
}

function decodeBase32(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => String.fromCodePoint(Number.parseInt(byte, 2))).join('');
}
