/** `culprit user recovery`: whoever runs the server lets an owner in, whatever they and their organisation have lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { account, ask, hasSession, nextAddress, setUpApp, signInTo, stranger } from './attacks/factors.ts';
import { cookiesOf, rawCall } from './attacks/raw-call.ts';
import { lasting } from '../src/base/testing.ts';
import { culprit, owner, Server } from './harness.ts';

/** What differs between them is tested with what is stored. */
const databases = lasting(['SQLite'], ['SQLite', 'PostgreSQL']);

let postgres: PostgresServer | undefined;
beforeAll(async () => {
  if (databases.includes('PostgreSQL')) postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

const password = 'a phrase after the recovery';

async function recover(
  environment: Readonly<Record<string, string>>,
  ...more: readonly string[]
): Promise<{ readonly token: string; readonly text: string; readonly link: string }> {
  const { code, stdout, stderr } = await culprit(
    ['user', 'recovery', '--email', 'Owner@example.com', ...more],
    environment,
  );
  expect([code, stderr]).toEqual([0, '']);
  const link = /\bhttp\S+\/recover#[\w-]{43}/.exec(stdout)?.[0] ?? '';
  return { token: link.split('#')[1] ?? '', link, text: stdout };
}

test.each(databases)(
  'with %s, running or not, once and for half an hour',
  async (database) => {
    const stateUrl: Record<string, string> = {};
    if (database === 'PostgreSQL') stateUrl['CULPRIT_STATE_URL'] = (await postgres?.createDatabase()) ?? '';
    await using server = await Server.create(stateUrl, { clock: true });
    const environment = { CULPRIT_DATA_DIR: server.dataDir, CULPRIT_URL: server.url, ...stateUrl };
    const use = (token: string, address = nextAddress()) =>
      rawCall(`${server.url}/api/0/recovery/`, {
        method: 'POST',
        headers: { origin: server.url, 'x-forwarded-for': address },
        body: { token, password },
      });

    const browser = await signInTo(server, owner);
    await setUpApp(browser, owner);
    const policy = '/api/0/organizations/acme/sign-in-policy/';
    expect((await ask(browser, 'PUT', policy, { requireSecondFactor: true })).status).toBe(200);

    const replaced = await recover(environment);
    const { token, text, link } = await recover(environment);
    expect(link).toBe(`${server.url}/recover#${token}`);
    expect(text).toContain('once, for 30 minutes');
    expect(text).toContain('stay. Remove them with --remove-factors');
    expect((await use(replaced.token)).code).toBe('LINK_GONE');
    // A link of the host is none of a mail, and the other way round.
    const asMail = await rawCall(`${server.url}/api/0/password-reset/confirm/`, {
      method: 'POST',
      headers: { 'x-forwarded-for': nextAddress() },
      body: { token, password },
    });
    expect(asMail.code).toBe('LINK_GONE');
    const answer = await use(token);
    expect(answer.status).toBe(200);
    const recovered = { server, cookie: cookiesOf(answer) };
    // In spite of what the organisation demands, which can be changed from here.
    expect((await ask(recovered, 'GET', '/api/0/organizations/acme/')).status).toBe(200);
    expect((await account(browser, 'GET', '/')).status).toBe(401);
    expect((await use(token)).code).toBe('LINK_GONE');
    // To demand it of others, this session has shown too little.
    expect((await ask(recovered, 'PUT', policy, { requireSecondFactor: true })).code).toBe('DEMAND_NOT_MET');
    // The app is still asked for.
    expect(hasSession((await signInTo(server, { ...owner, password })).cookie)).toBe(false);

    await server.stop();
    const offline = await recover(environment, '--remove-factors');
    expect(offline.text).toContain('Removed the authenticator app and all passkeys');
    await server.start();
    expect(hasSession((await signInTo(server, { ...owner, password })).cookie)).toBe(true);
    const again = await use(offline.token);
    expect(again.status).toBe(200);

    const late = await recover(environment);
    await server.moveClock(31 * 60_000);
    expect((await use(late.token)).code).toBe('LINK_GONE');

    const log = '/organizations/acme/audit-log/?limit=100';
    const reader = { server, cookie: cookiesOf(again) };
    const entries = JSON.parse((await ask(reader, 'GET', `/api/0${log}`)).text) as {
      action: string;
      actor: object;
    }[];
    const told = entries.map(({ action }) => action).filter((action) => /^(?:user|sign_in)\./.test(action));
    for (const action of ['user.recover', 'user.use_recovery', 'user.remove_factors']) expect(told).toContain(action);
    expect(entries.find(({ action }) => action === 'user.recover')).toMatchObject({ actor: { type: 'host' } });
    expect(entries.filter(({ action }) => action === 'sign_in.succeed')[0]).toMatchObject({
      details: { way: 'recovery' },
    });
  },
  120_000,
);

test('tells who it cannot help, and what it does', async () => {
  await using server = await Server.create({}, { start: false });
  const environment = { CULPRIT_DATA_DIR: server.dataDir };
  const unknown = await culprit(['user', 'recovery', '--email', 'nobody@example.com'], environment);
  expect(unknown).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/nobody@example\.com not found/),
  });
  expect(await culprit(['user', 'recovery'], environment)).toMatchObject({ code: 2 });
  const help = await culprit(['user', '--help'], environment);
  expect(help.stdout).toMatch(/recovery --email EMAIL \[--remove-factors\]/);
  const made = await culprit(['user', 'recovery', '--email', owner.email, '--json'], environment);
  expect(JSON.parse(made.stdout)).toEqual({
    email: owner.email,
    link: expect.stringMatching(/^http:\/\/.*\/recover#[\w-]{43}$/),
    factorsRemoved: false,
  });
});

test('guesses of a link are limited by address', async () => {
  await using server = await Server.create();
  const address = nextAddress();
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const body = { token: 'x'.repeat(43), password };
    statuses.push((await ask(stranger(server), 'POST', '/api/0/recovery/', body, address)).status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 410));
  expect(statuses.slice(10)).toEqual([429, 429]);
});
