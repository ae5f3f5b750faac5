/** What can be done to somebody's account: by links of mails, by sessions that were revoked, by asking who has one. */
import { join as path } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../../src/domains/notify/testing/receiver.ts';
import { owner as ownerLogin, Server } from '../harness.ts';
import { act, type Actor, join, signIn, tokenOf } from './people.ts';
import { type RawAnswer, rawCall } from './raw-call.ts';

let server: Server;
let mail: MailReceiver;
let owner: Actor;
let addresses = 0;

beforeAll(async () => {
  mail = await openMailReceiver();
  server = await Server.create({ CULPRIT_SMTP_URL: mail.url, CULPRIT_MAIL_FROM: 'culprit@example.com' });
  owner = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

const nextAddress = (): string => `203.0.113.${(addresses += 1)}`;

/** Signed out, from an address that the proxy on loopback tells of. */
const call = (method: string, url: string, body?: object, address = nextAddress()): Promise<RawAnswer> =>
  rawCall(`${server.url}/api/0${url}`, { method, headers: { 'x-forwarded-for': address }, body });

const forgot = (email: string, address?: string): Promise<RawAnswer> =>
  call('POST', '/password-reset/', { email }, address);
const reset = (token: string, password: string, address?: string): Promise<RawAnswer> =>
  call('POST', '/password-reset/confirm/', { token, password }, address);

const mailsTo = (email: string): MailReceiver['mails'] =>
  mail.mails.filter(({ recipients }) => recipients.includes(email));

/** The token in the newest mail to somebody, when there are so many. */
async function tokenFor(email: string, page: string, count = 1): Promise<string> {
  const links = (): string[] =>
    mailsTo(email).flatMap(({ text }) => new RegExp(`${server.url}/${page}#([\\w-]{43})`).exec(text ?? '')?.[1] ?? []);
  await expect.poll(() => links().length, { timeout: 10_000 }).toBe(count);
  return links().at(-1) ?? '';
}

function inState(statement: string, ...values: readonly (string | number)[]): void {
  using database = new DatabaseSync(path(server.dataDir, 'state.db'));
  database.exec('PRAGMA busy_timeout = 5000');
  database.prepare(statement).run(...values);
}

const passwordOf = (name: string): string => `a long enough phrase of ${name}`;
const loginOf = (name: string) => ({ email: `${name}@example.com`, password: passwordOf(name) });

describe('a link for a new password', () => {
  test('is sent to whoever has an account, and the answer is the same for who has none', async () => {
    await join(server, 'forgetful', 'member');
    const answers = [await forgot('Forgetful@example.com'), await forgot('nobody@example.com')];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, '{"validMinutes":30}'],
      [202, '{"validMinutes":30}'],
    ]);
    await tokenFor('forgetful@example.com', 'reset-password');
    expect(mailsTo('nobody@example.com')).toEqual([]);
  });

  test('is asked for in the same time, whoever it is for', async () => {
    const medianMs = async (email: (index: number) => string): Promise<number> => {
      const times: number[] = [];
      for (let index = 0; index < 9; index += 1) {
        const began = performance.now();
        expect((await forgot(email(index))).status).toBe(202);
        times.push(performance.now() - began);
      }
      return times.toSorted((a, b) => a - b)[4] ?? 0;
    };
    for (let index = 0; index < 9; index += 1) {
      inState(
        'INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt) VALUES (?, ?, ?, 1, ?, ?)',
        `known${index}`,
        'Known',
        `known${index}@example.com`,
        new Date().toISOString(),
        new Date().toISOString(),
      );
    }
    await forgot('warm@example.com');
    const known = await medianMs((index) => `known${index}@example.com`);
    const unknown = await medianMs((index) => `unknown${index}@example.com`);
    expect(Math.abs(known - unknown)).toBeLessThan(25);
  });

  test('works once, ends all sessions and streams, and keeps tokens', async () => {
    const member = await join(server, 'once', 'member');
    const token = await tokenOf(server, member, 'event:read', 'org:read');
    const stream = await listen(member);
    await forgot('once@example.com');
    const link = await tokenFor('once@example.com', 'reset-password');
    for (const altered of [link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), '', 'x'.repeat(200), `${link} `]) {
      expect(await reset(altered, 'an entirely new phrase')).toMatchObject({ status: 410, code: 'LINK_GONE' });
    }
    // A link for one thing is none for another.
    expect(await call('POST', '/email-confirmation/', { token: link })).toMatchObject({ code: 'LINK_GONE' });
    // What is refused as a password has not used it up.
    expect(await reset(link, 'password1')).toMatchObject({ status: 400, code: 'PASSWORD_COMMON' });
    const both = await Promise.all([reset(link, 'an entirely new phrase'), reset(link, 'another new phrase here')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410]);
    expect(both.flatMap(({ headers }) => headers['set-cookie'] ?? [])).toEqual([]);
    expect((await act(server, member, 'GET', '/account/')).status).toBe(401);
    await expect.poll(stream.isOpen, { timeout: 1_500 }).toBe(false);
    expect((await act(server, token, 'GET', '/organizations/acme/')).status).toBe(200);
    await expect(signIn(server, loginOf('once'))).rejects.toThrow(/401/);
  });

  test('ends after half an hour, with a newer one, and with another password', async () => {
    const member = await join(server, 'late', 'member');
    const email = 'late@example.com';
    await forgot(email);
    const first = await tokenFor(email, 'reset-password');
    await forgot(email);
    const second = await tokenFor(email, 'reset-password', 2);
    expect((await reset(first, 'an entirely new phrase')).code).toBe('LINK_GONE');
    inState('UPDATE account_link SET expires_at = ?', Date.now() - 1);
    expect((await reset(second, 'an entirely new phrase')).code).toBe('LINK_GONE');
    await forgot(email);
    const third = await tokenFor(email, 'reset-password', 3);
    const change = { currentPassword: passwordOf('late'), newPassword: 'an entirely new phrase' };
    expect((await act(server, member, 'POST', '/account/password/', change)).status).toBe(200);
    expect((await reset(third, 'another new phrase here')).code).toBe('LINK_GONE');
  });

  test('stands nowhere in what is stored', async () => {
    await join(server, 'stored', 'member');
    await forgot('stored@example.com');
    const link = await tokenFor('stored@example.com', 'reset-password');
    using database = new DatabaseSync(path(server.dataDir, 'state.db'));
    const rows = ['delivery', 'account_link'].map((table) => database.prepare(`SELECT * FROM ${table}`).all());
    expect(JSON.stringify(rows)).not.toContain(link);
  });

  test('fills nobody’s mailbox, and is not tried at will', async () => {
    const email = 'nobody-at-all@example.com';
    for (let asked = 0; asked < 3; asked += 1) expect((await forgot(email)).status).toBe(202);
    expect(await forgot(email)).toMatchObject({ status: 429, code: 'LINKS_LIMITED' });
    const address = nextAddress();
    for (let asked = 0; asked < 10; asked += 1) await forgot(`many${asked}@example.com`, address);
    expect(await forgot('more@example.com', address)).toMatchObject({ status: 429, code: 'LINKS_LIMITED' });
    const guesser = nextAddress();
    for (let tried = 0; tried < 10; tried += 1) {
      expect((await reset('g'.repeat(43), 'an entirely new phrase', guesser)).status).toBe(410);
    }
    expect(await reset('g'.repeat(43), 'an entirely new phrase', guesser)).toMatchObject({ status: 429 });
  });

  test('leads to this installation, whatever Host says', async () => {
    await join(server, 'hosted', 'member');
    await rawCall(`${server.url}/api/0/password-reset/`, {
      method: 'POST',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-for': nextAddress() },
      body: { email: 'hosted@example.com' },
    });
    await tokenFor('hosted@example.com', 'reset-password');
    expect(mailsTo('hosted@example.com').at(-1)?.text).not.toContain('evil.example');
  });
});

describe('a new address', () => {
  const ask = (by: Actor, email: string, password: string) =>
    act(server, by, 'POST', '/account/email/', { email, password });

  test('is confirmed by who has it, once, and told to the former one', async () => {
    const member = await join(server, 'mover', 'member');
    expect((await ask(member, 'moved@example.com', 'not this one')).body).toMatchObject({ code: 'PASSWORD_WRONG' });
    const asked = await ask(member, 'Moved@example.com', passwordOf('mover'));
    expect(asked).toMatchObject({
      status: 202,
      body: { email: 'mover@example.com', pendingEmail: 'moved@example.com' },
    });
    const link = await tokenFor('moved@example.com', 'confirm-email');
    expect(await reset(link, 'an entirely new phrase')).toMatchObject({ code: 'LINK_GONE' });
    expect((await call('POST', '/email-confirmation/', { token: link })).status).toBe(200);
    expect(await call('POST', '/email-confirmation/', { token: link })).toMatchObject({ status: 410 });
    await expect
      .poll(() => mailsTo('mover@example.com').map(({ subject }) => subject), { timeout: 10_000 })
      .toContain('The email address of your Culprit account changed');
    await signIn(server, { email: 'moved@example.com', password: passwordOf('mover') });
  });

  test('of another account is not told apart from a free one, and never taken', async () => {
    const [member, other] = [await join(server, 'curious', 'member'), 'taken@example.com'];
    await join(server, 'taken', 'member');
    expect(await ask(member, other, passwordOf('curious'))).toMatchObject({
      status: 202,
      body: { pendingEmail: other },
    });
    await expect.poll(() => mailsTo(other).filter(({ text }) => text?.includes('confirm-email'))).toEqual([]);
    // Free when it was asked for, taken before it was confirmed.
    await ask(member, 'race@example.com', passwordOf('curious'));
    const link = await tokenFor('race@example.com', 'confirm-email');
    await join(server, 'race', 'member');
    expect(await call('POST', '/email-confirmation/', { token: link })).toMatchObject({ code: 'ACCOUNT_EXISTS' });
  });

  test('ends the links that went to the former one', async () => {
    const member = await join(server, 'former', 'member');
    await forgot('former@example.com');
    const link = await tokenFor('former@example.com', 'reset-password');
    await ask(member, 'latter@example.com', passwordOf('former'));
    await call('POST', '/email-confirmation/', { token: await tokenFor('latter@example.com', 'confirm-email') });
    expect(await reset(link, 'an entirely new phrase')).toMatchObject({ code: 'LINK_GONE' });
  });
});

describe('sessions', () => {
  interface Listed {
    readonly id: string;
    readonly device: string;
    readonly address: string;
    readonly isCurrent: boolean;
  }
  const sessionsOf = async (by: Actor): Promise<Listed[]> =>
    (await act<Listed[]>(server, by, 'GET', '/account/sessions/')).body;

  test('are their owner’s alone, and end at once with their streams', async () => {
    const here = await join(server, 'several', 'member');
    const there = await signIn(server, loginOf('several'));
    const other = await join(server, 'other', 'member');
    const stream = await listen(there);
    const listed = await sessionsOf(here);
    expect(listed.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true]);
    expect(JSON.stringify(listed)).not.toMatch(/sha256|token/);
    const away = listed.find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await act(server, other, 'DELETE', `/account/sessions/${away}/`)).status).toBe(404);
    expect((await act(server, here, 'DELETE', `/account/sessions/${away}/`)).status).toBe(204);
    await expect.poll(stream.isOpen, { timeout: 1_500 }).toBe(false);
    expect((await act(server, there, 'GET', '/account/')).status).toBe(401);
    await signIn(server, loginOf('several'));
    expect(await act(server, here, 'DELETE', '/account/sessions/')).toMatchObject({ body: { endedSessions: 1 } });
    expect(await sessionsOf(here)).toMatchObject([{ isCurrent: true }]);
  });

  test('show the address of their client, not one that it made up', async () => {
    await join(server, 'disguised', 'member');
    const { status, headers } = await rawCall(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: {
        origin: server.url,
        'x-forwarded-for': '203.0.113.77',
        'x-culprit-client-address': '10.9.9.9',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
      body: loginOf('disguised'),
    });
    expect(status).toBe(200);
    const cookie = [headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    const listed = await sessionsOf({ headers: { cookie } });
    expect(listed.find(({ isCurrent }) => isCurrent)).toMatchObject({
      address: '203.0.113.77',
      device: 'Firefox 140, Linux',
    });
  });

  test('are new with each sign-in: one that was put there before is none', async () => {
    await join(server, 'fixed', 'member');
    const planted = 'culprit.session_token=planted.AAAA';
    const answer = await rawCall(`${server.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: server.url, cookie: planted, 'x-forwarded-for': nextAddress() },
      body: loginOf('fixed'),
    });
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).not.toContain('planted');
    expect((await act(server, { headers: { cookie: planted } }, 'GET', '/account/')).status).toBe(401);
  });

  test('end with the lifetime and the idle limit of the shortest of their organisations', async () => {
    const member = await join(server, 'idle', 'member');
    const policy = '/organizations/acme/session-policy/';
    const limits = { lifetimeHours: 12, idleHours: 1 };
    expect((await act(server, member, 'PUT', policy, limits)).status).toBe(403);
    expect((await act(server, owner, 'PUT', policy, limits)).status).toBe(200);
    const stream = await listen(member);
    const userId = (await act<{ id: string }>(server, member, 'GET', '/account/')).body.id;
    const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    inState('UPDATE session SET updatedAt = ? WHERE userId = ?', ago(1.1), userId);
    await expect.poll(stream.isOpen, { timeout: 8_000 }).toBe(false);
    expect((await act(server, member, 'GET', '/account/')).status).toBe(401);
    const again = await signIn(server, loginOf('idle'));
    inState('UPDATE session SET createdAt = ? WHERE userId = ?', ago(12.1), userId);
    expect((await act(server, again, 'GET', '/account/')).status).toBe(401);
    await act(server, owner, 'PUT', policy, { lifetimeHours: null, idleHours: null });
  });
});

describe('the account', () => {
  test('is no business of API tokens', async () => {
    const token = await tokenOf(server, owner, 'org:admin', 'member:admin');
    const calls = [
      ['GET', '/account/'],
      ['PUT', '/account/', { name: 'x' }],
      ['GET', '/account/sessions/'],
      ['DELETE', '/account/sessions/'],
      ['POST', '/account/password/', { currentPassword: ownerLogin.password, newPassword: 'an entirely new phrase' }],
      ['POST', '/account/email/', { email: 'x@example.com', password: ownerLogin.password }],
      ['POST', '/account/delete/', { password: ownerLogin.password }],
    ] as const;
    for (const [method, url, body] of calls) {
      expect(await act(server, token, method, url, body)).toMatchObject({ body: { code: 'SESSION_REQUIRED' } });
    }
  });

  test('asks for the password as often as sign-in does', async () => {
    const member = await join(server, 'guessed', 'member');
    const guess = () => act(server, member, 'POST', '/account/delete/', { password: 'not this one' });
    const headers = { ...member.headers, 'x-forwarded-for': nextAddress() };
    for (let tried = 0; tried < 10; tried += 1) {
      expect((await act(server, { headers }, 'POST', '/account/delete/', { password: 'no' })).status).toBe(403);
    }
    expect(await guess()).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LIMITED' } });
  });

  test('of the last owner stays; another one ends with sessions, tokens and name', async () => {
    expect(await act(server, owner, 'POST', '/account/delete/', { password: ownerLogin.password })).toMatchObject({
      status: 409,
      body: { code: 'ACCOUNT_LAST_OWNER', detail: expect.stringContaining('only owner of Acme') },
    });
    const member = await join(server, 'goer', 'member');
    const token = await tokenOf(server, member, 'event:read', 'org:read');
    const stream = await listen(member);
    expect((await act(server, member, 'POST', '/account/delete/', { password: passwordOf('goer') })).status).toBe(204);
    await expect.poll(stream.isOpen, { timeout: 1_500 }).toBe(false);
    expect((await act(server, member, 'GET', '/account/')).status).toBe(401);
    expect((await act(server, token, 'GET', '/organizations/acme/')).status).toBe(401);
    await expect(signIn(server, loginOf('goer'))).rejects.toThrow(/401/);
    using database = new DatabaseSync(path(server.dataDir, 'state.db'));
    expect(JSON.stringify(database.prepare('SELECT * FROM user').all())).not.toContain('goer');
  });
});

async function listen({ headers }: Actor): Promise<{ isOpen(): boolean }> {
  const response = await fetch(`${server.url}/api/0/organizations/acme/live/`, { headers });
  expect(response.status).toBe(200);
  let isOpen = true;
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) void chunk;
  };
  void read()
    .catch(() => {})
    .finally(() => (isOpen = false));
  return { isOpen: () => isOpen };
}
