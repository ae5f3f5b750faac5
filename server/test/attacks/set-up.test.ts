/** Nobody but whoever started it sets an installation up, and no other site passes for it by pointing its name here. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../harness.ts';
import { cookiesOf, type RawAnswer, rawCall } from './raw-call.ts';

let server: Server;
let dsn: string;
let cookie: string;

/** None of this needs the engine, which takes a while where there was none. */
async function start(): Promise<void> {
  await server.start({ ready: false });
  await server.until('the link', () => secret() !== '');
}

beforeAll(async () => {
  const settings = { CULPRIT_ALLOWED_HOSTS: 'culprit.test, *.ops.test' };
  server = await Server.create(settings, { init: false, start: false });
  await start();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const secretIn = (text: string): string => /\/setup#([\w-]{32,})/.exec(text)?.[1] ?? '';
const secret = (): string => secretIn(server.output);
const first = { ...owner, organization: 'Acme', project: 'Web' };

const setUp = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
  rawCall(`${server.url}/api/0/setup/`, { method: 'POST', headers, body: { ...first, ...body } });

/** As a page of another site sends it, after its name was pointed here. */
const rebound = (name = 'evil.example'): Readonly<Record<string, string>> => ({
  host: `${name}:${server.port}`,
  origin: `http://${name}:${server.port}`,
  'sec-fetch-site': 'same-origin',
});
const isForeign = { status: 403, code: 'HOST_NOT_ALLOWED', text: expect.stringContaining('CULPRIT_ALLOWED_HOSTS') };

describe.sequential('set-up', () => {
  test('is refused without the secret of the link, or with another, and says where the link is', async () => {
    for (const wrong of [undefined, '', 'x'.repeat(43), secret().slice(1), `${secret()}x`]) {
      const refused = await setUp({ secret: wrong }, { 'x-forwarded-for': '203.0.113.66' });
      expect([wrong, refused]).toMatchObject([wrong, { status: 403, code: 'SETUP_SECRET' }]);
      expect(refused.text).toMatch(/printed at startup.*culprit doctor.*culprit init/);
    }
    expect((await rawCall(`${server.url}/api/0/setup/`)).text).toContain('"needed":true');
  });

  test('is refused under a foreign name, also with the secret, and whatever a page says it was forwarded for', async () => {
    for (const headers of [
      rebound(),
      { ...rebound(), 'x-forwarded-host': `localhost:${server.port}` },
      { ...rebound('localhost'), 'x-forwarded-host': 'evil.example' },
      { host: 'localhost' },
      { host: `localhost:${server.port + 1}` },
    ]) {
      expect([headers, await setUp({ secret: secret() }, headers)]).toMatchObject([headers, isForeign]);
    }
  });

  test('guesses are limited by address, and the link goes on working', async () => {
    const guess = (): Promise<RawAnswer> => setUp({ secret: newEventId() }, { 'x-forwarded-for': '203.0.113.77' });
    for (let index = 0; index < 10; index++) expect(await guess()).toMatchObject({ status: 403 });
    const limited = await guess();
    expect(limited).toMatchObject({ status: 429, code: 'SIGN_IN_LIMITED' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('refuses the common passwords, and says why', async () => {
    for (const password of ['password', '12345678', 'password1', 'qwertyuiop', 'Acme2026', 'owner123', 'culprit!']) {
      const refused = await setUp({ password, secret: secret() });
      expect([password, refused.status, refused.code]).toEqual([password, 400, 'PASSWORD_COMMON']);
    }
  });

  test('the link is printed at the start and again by doctor, and survives a restart', async () => {
    const before = secret();
    const { stdout } = await culprit(['doctor'], { CULPRIT_DATA_DIR: server.dataDir });
    expect(secretIn(stdout)).toBe(before);
    await server.stop();
    server.output = '';
    await start();
    expect(secret()).toBe(before);
  });

  test('with the link it is done once, under a name that is ours', async () => {
    const done = await setUp({ secret: secret() }, { host: `localhost:${server.port}` });
    expect(done.status).toBe(201);
    dsn = (JSON.parse(done.text) as { dsn: string }).dsn;
    cookie = cookiesOf(done);
    expect(await setUp({ secret: secret(), email: 'eve@example.com' })).toMatchObject({ code: 'SETUP_DONE' });
    const { stdout } = await culprit(['doctor'], { CULPRIT_DATA_DIR: server.dataDir });
    expect(stdout).not.toContain('/setup#');
  });
});

describe.sequential('a foreign name', () => {
  const organizations = (headers: Readonly<Record<string, string>>): Promise<RawAnswer> =>
    rawCall(`${server.url}/api/0/organizations/`, { headers });

  test('gets nothing by a session', async () => {
    expect(await organizations({ cookie })).toMatchObject({ status: 200 });
    expect(await organizations({ ...rebound(), cookie })).toMatchObject(isForeign);
    expect(await rawCall(`${server.url}/api/0/`, { headers: { ...rebound(), cookie } })).toMatchObject(isForeign);
    for (const path of ['/api/auth/sign-in/email', '/api/auth/sign-out', '/api/0/invitations/x/']) {
      const answer = await rawCall(server.url + path, { method: 'POST', headers: rebound(), body: owner });
      expect([path, answer]).toMatchObject([path, isForeign]);
    }
  });

  test('is one of ours where the setting names it', async () => {
    for (const host of ['culprit.test', `culprit.test:${server.port}`, 'eu.ops.test', `[::1]:${server.port}`]) {
      expect([host, (await organizations({ host, cookie })).status]).toEqual([host, 200]);
    }
    expect(await organizations({ host: 'ops.test', cookie })).toMatchObject(isForeign);
  });

  test('takes events and API tokens', async () => {
    const { pathname, search } = new URL(envelopeUrl(dsn));
    const body = errorEnvelope(newEventId());
    const headers = { ...rebound(), 'content-type': 'application/x-sentry-envelope' };
    expect(await rawCall(server.url + pathname + search, { method: 'POST', headers, body })).toMatchObject({
      status: 200,
    });
    const made = await culprit(['token', 'create', '--user', owner.email, '--name', 'ci', '--json'], {
      CULPRIT_DATA_DIR: server.dataDir,
    });
    const { token } = JSON.parse(made.stdout) as { token: string };
    expect(await organizations({ ...rebound(), authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
  });
});
