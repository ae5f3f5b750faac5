/** The numbers of an installation are for whoever runs it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../harness.ts';
import { type Actor, join, signIn, tokenOf } from './people.ts';

let server: Server;
let owner: Actor;

beforeAll(async () => {
  server = await Server.create();
  owner = await signIn(server);
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** As it comes through a proxy on the same machine. */
const stranger = { 'x-forwarded-for': '203.0.113.9' };

async function read(path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${server.url}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

test.each([
  ['X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
  ['Forwarded', { forwarded: 'for=127.0.0.1' }],
  ['X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
  ['Via', { via: '1.1 proxy' }],
])('a stranger behind a proxy that sets %s is told how to read them', async (_name, headers) => {
  const { status, text } = await read('/metrics', headers);
  expect(status).toBe(401);
  expect(JSON.parse(text)).toMatchObject({
    code: 'METRICS_CLOSED',
    detail: expect.stringContaining('CULPRIT_METRICS'),
  });
});

test('this machine and a token with org:read read them; sessions, public keys and other tokens do not', async () => {
  expect((await read('/metrics', {})).text).toContain('culprit_log_records');
  const reader = await tokenOf(server, owner, 'org:read');
  expect((await read('/metrics', { ...stranger, ...reader.headers })).text).toContain('culprit_log_records');
  const other = await tokenOf(server, owner, 'event:read');
  expect((await read('/metrics', { ...stranger, ...other.headers })).status).toBe(403);
  const member = await join(server, 'reader', 'member');
  expect((await read('/metrics', { ...stranger, ...member.headers })).status).toBe(401);
  const key = new URL(server.installed.dsn).username;
  const withKey: readonly Readonly<Record<string, string>>[] = [
    { 'x-sentry-auth': `Sentry sentry_key=${key}` },
    { authorization: `Bearer ${key}` },
    { authorization: `Sentry sentry_key=${key}` },
  ];
  for (const headers of withKey) {
    expect((await read('/metrics', { ...stranger, ...headers })).status).toBe(401);
  }
});

test('probes answer strangers, and say nothing of what waits', async () => {
  expect(await read('/healthz', stranger)).toEqual({ status: 200, text: '{"status":"ok"}' });
  expect(await read('/readyz', stranger)).toEqual({
    status: 200,
    text: '{"status":"ready","log":{"ok":true},"events":true,"state":true}',
  });
  expect(JSON.parse((await read('/readyz', {})).text)).toMatchObject({
    roles: ['intake', 'process', 'api', 'jobs'],
    log: { records: expect.any(Number) },
  });
});
