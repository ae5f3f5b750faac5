/** What a copy of the data directory, or of a part of it, gives to whoever has it. */
import { createHmac } from 'node:crypto';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { open as openLmdb } from 'lmdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeReceived } from '../../src/ports/queue/received.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../harness.ts';

const slackToken = 'xoxb-at-rest-1234567890';
const whsec = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
// Nobody listens there, so that mail waits.
const environment = { CULPRIT_SMTP_URL: 'smtp://127.0.0.1:9', CULPRIT_MAIL_FROM: 'culprit@example.com' };

let server: Server;
beforeAll(async () => {
  server = await Server.create(environment, { start: false });
  await chmod(server.dataDir, 0o755);
  // The events store is still starting: what comes now waits in the log.
  await server.start({ ready: false });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Files under the data directory in which one of the texts stands as it is. */
async function filesWith(...texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (texts.some((text) => bytes.includes(text))) found.push(path);
  }
  return found;
}

const eventOf = (eventId: string): Promise<unknown> =>
  server.api(`/projects/${server.installed.organization}/${server.installed.project}/events/${eventId}/`);

const organizationPath = (): string => `/organizations/${server.installed.organization}`;
const post = <T>(path: string, body: unknown): Promise<T> =>
  server.api<T>(organizationPath() + path, { method: 'POST', body: JSON.stringify(body) });
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

function withState<T>(work: (state: DatabaseSync) => T): T {
  const state = new DatabaseSync(join(server.dataDir, 'state.db'), { timeout: 5_000 });
  try {
    return work(state);
  } finally {
    state.close();
  }
}

/** The cookie of a new session of the owner. */
async function signIn(): Promise<string> {
  const answer = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(owner),
  });
  expect(answer.status).toBe(200);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

const statusWith = async (cookie: string): Promise<number> =>
  (await fetch(`${server.url}/api/0${organizationPath()}/`, { headers: { cookie } })).status;

test('what was accepted and not scrubbed yet is in no file, and is processed after a kill', async () => {
  const secret = 'hunter2-in-an-extra';
  const eventId = newEventId();
  const sent = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: errorEnvelope(eventId, { extra: { password: secret, note: 'kept' } }),
  });
  expect(sent.status).toBe(200);
  await server.kill();
  const waiting = await filesWith(secret);
  await server.start();
  expect(waiting).toEqual([]);
  await server.drained();
  const event = JSON.stringify(await eventOf(eventId));
  expect(event).toContain('kept');
  expect(event).not.toContain(secret);
  expect(await filesWith(secret)).toEqual([]);
});

test('the directory and the key are their owner’s alone, also where the directory was open', async () => {
  expect(server.output).toContain('was accessible to other users (mode 755)');
  expect(await modeOf(server.dataDir)).toBe('700');
  for (const file of ['secret.key', 'state.db', 'log/log.mdb', 'running.json']) {
    expect(await modeOf(join(server.dataDir, file))).toBe('600');
  }
});

test('the state store is nobody’s session', async () => {
  const cookie = await signIn();
  expect(await statusWith(cookie)).toBe(200);
  const raw = decodeURIComponent(/session_token=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
  expect(raw.length).toBeGreaterThan(20);
  const { tokens, values } = withState((state) => ({
    tokens: state
      .prepare('select token from session')
      .all()
      .map(({ token }) => String(token)),
    values: state
      .prepare('select value from setting')
      .all()
      .map(({ value }) => String(value)),
  }));
  expect(tokens.length).toBeGreaterThan(0);
  // With all that lies beside them, as the server signs.
  const secrets = values.flatMap((value) => [value, ...(value.startsWith('"') ? [JSON.parse(value) as string] : [])]);
  for (const token of tokens) {
    for (const secret of secrets) {
      const signature = createHmac('sha256', secret).update(token).digest('base64');
      const made = `culprit.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
      expect(await statusWith(made)).toBe(401);
    }
  }
  expect(await filesWith(raw)).toEqual([]);
});

test('secrets of channels and links of invitations are in no file', async () => {
  await post('/channels/', { type: 'slack', name: 'chat', config: { token: slackToken, channel: '#ops' } });
  await post('/channels/', { type: 'webhook', name: 'hook', config: { url: 'https://hook.example/x', secret: whsec } });
  const { inviteLink } = await post<{ inviteLink: string }>('/members/', { email: 'new@example.com', role: 'member' });
  const token = inviteLink.slice(inviteLink.lastIndexOf('/') + 1);
  const waiting = withState((state) =>
    state.prepare("select notification from delivery where kind = 'invitation'").all(),
  );
  expect(waiting).toHaveLength(1);
  expect(await filesWith(slackToken, whsec, token)).toEqual([]);
  const shown = await server.api<{ config: object; problem: string }[]>(`${organizationPath()}/channels/`);
  expect(shown).toMatchObject([
    { config: { token: '…7890' }, problem: '' },
    { config: { secret: expect.stringMatching(/^…/) } },
  ]);
});

test('what an earlier version left in the clear is taken over, and is in no file any more', async () => {
  const cookie = await signIn();
  await server.stop();
  const oldSecret = 'hunter2-in-an-old-record';
  const eventId = newEventId();
  const projectId = Number(new URL(server.installed.dsn).pathname.slice(1));
  await appendAsEarlier(
    encodeReceived(
      { kind: 'envelope', projectId, keyId: 1, receivedAt: Date.now(), encoding: '' },
      Buffer.from(errorEnvelope(eventId, { extra: { password: oldSecret, note: 'kept' } })),
    ),
  );
  const clear = { token: 'xoxb-of-an-earlier-version', channel: '#ops' };
  withState((state) => {
    state.prepare("update channel set config = ? where name = 'chat'").run(JSON.stringify(clear));
    state.exec("delete from setting where name = 'secret_key'");
  });
  expect(await filesWith(oldSecret, clear.token)).toHaveLength(2);

  await server.start();
  await server.drained();
  expect(JSON.stringify(await eventOf(eventId))).toContain('kept');
  expect(await statusWith(cookie)).toBe(200);
  expect(await filesWith(oldSecret, clear.token)).toEqual([]);
  const [chat] = await server.api<{ config: object; problem: string }[]>(`${organizationPath()}/channels/`);
  expect(chat).toMatchObject({ config: { token: '…sion' }, problem: '' });
});

test('with another key nothing opens: channels say so, sessions end, and all is there again with the first', async () => {
  const cookie = await signIn();
  await server.kill();
  const other = { CULPRIT_SECRET: 'another key, which has thirty-two letters' };
  await using stranger = await Server.create(
    { ...environment, ...other, CULPRIT_DATA_DIR: server.dataDir },
    { init: false, start: false },
  );
  const doctor = await culprit(['doctor'], { ...other, CULPRIT_DATA_DIR: server.dataDir });
  expect(doctor.stdout).toMatch(/FAILED {3}key .*did not seal the secrets/);
  await stranger.start({ ready: false });
  const ask = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${stranger.url}/api/0${organizationPath()}${path}`, { headers });
  expect((await ask('/', { cookie })).status).toBe(401);
  const channels = await ask('/channels/', { authorization: `Bearer ${server.installed.token}` });
  expect(await channels.json()).toMatchObject([
    {
      health: 'broken',
      problem: expect.stringContaining('token: the key that sealed it is missing'),
      config: { channel: '#ops' },
    },
    { health: 'broken', problem: expect.stringContaining('Enter it again') },
  ]);
  expect(stranger.output).toContain('the key changed');
  expect(stranger.output).not.toContain(other.CULPRIT_SECRET);
  await stranger.kill();

  await server.start({ ready: false });
  expect(await statusWith(cookie)).toBe(200);
  expect(await server.api(`${organizationPath()}/channels/`)).toMatchObject([{ problem: '' }, { problem: '' }]);
});

/** A record as versions before the key wrote it, into a log as they left it. */
async function appendAsEarlier(record: Uint8Array): Promise<void> {
  const store = openLmdb({ path: join(server.dataDir, 'log', 'log.mdb') });
  const records = store.openDB<Uint8Array, number>({ name: 'records', encoding: 'binary' });
  const facts = store.openDB<unknown, string>({ name: 'facts', encoding: 'json' });
  const head = facts.get('head') as { next: number; records: number; bytes: number };
  records.putSync(head.next, record);
  facts.putSync('head', { next: head.next + 1, records: head.records + 1, bytes: head.bytes + record.length });
  facts.removeSync('sealed');
  await store.close();
}
