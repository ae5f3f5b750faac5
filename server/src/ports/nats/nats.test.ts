import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startNats, type NatsServer } from '../../../test/nats/server.ts';
import { createAlarm } from '../../base/jobs/index.ts';
import type { LiveMessage } from '../../base/live.ts';
import { openWake } from '../../jobs/wake.ts';
import { parseNatsAddress } from './address.ts';
import { openNats } from './connection.ts';
import { createSharedLive } from './live.ts';
import { openNotes } from './notes.ts';

describe('the address', () => {
  test('has servers, credentials, prefix, replicas', () => {
    expect(parseNatsAddress('nats://localhost')).toEqual({
      servers: ['localhost:4222'],
      tls: false,
      prefix: 'culprit',
      replicas: 1,
      ackWaitMs: 30_000,
    });
    expect(parseNatsAddress('tls://me:p%40ss@a:1,[::1]:2,c/own-log?replicas=3&ca=/etc/ca.pem&ack_wait=5')).toEqual({
      servers: ['a:1', '[::1]:2', 'c:4222'],
      tls: true,
      user: 'me',
      password: 'p@ss',
      ca: '/etc/ca.pem',
      prefix: 'own-log',
      replicas: 3,
      ackWaitMs: 5_000,
    });
    expect(parseNatsAddress('nats://s3cret@a')).toMatchObject({ token: 's3cret' });
  });

  test.each([
    ['nats://', /not an address of NATS/],
    ['nats://a/b/c', /stream prefix "b\/c"/],
    ['nats://a:99999', /no host:port as server 1/],
    ['nats://a,,b', /no host:port as server 2/],
    ['nats://a?replicas=2', /replicas=2\. NATS takes 1, 3 or 5/],
    ['nats://a?ack_wait=0', /ack_wait=0/],
    ['nats://a?stream=x', /unknown parameter "stream"/],
    ['nats://a?cert=/x', /needs both files/],
    ['nats://u:%zz@a', /credentials that cannot be read/],
  ])('%s is refused', (url, reason) => {
    expect(() => parseNatsAddress(url)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(reason) }),
    );
  });

  test('no refusal repeats the password', () => {
    for (const url of ['nats://u:hunter2@a/b/c', 'nats://u:hunter2@:1', 'nats://u:hunter2@a?x=1', 'nats://u:hunter2'])
      expect(() => parseNatsAddress(url)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
      );
  });
});

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server[Symbol.asyncDispose]());

const node = (url: string) => openNats({ url, name: 'test' });

test('nobody there, no JetStream, wrong credentials: it says which', async () => {
  await expect(node('nats://127.0.0.1:1')).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringMatching(/NATS at 127\.0\.0\.1:1 does not respond/),
  });
  await using closed = await startNats({ config: 'authorization { user: me, password: "hunter2" }' });
  await expect(node(`nats://me:wrong@127.0.0.1:${closed.port}`)).rejects.toMatchObject({
    message: expect.stringMatching(/rejects the credentials/),
  });
  await using open = await node(`nats://me:hunter2@127.0.0.1:${closed.port}`);
  expect(open.availability().isUp).toBe(true);
  await expect(node('nats://127.0.0.1:1?creds=/not/there')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/creds=\/not\/there, which cannot be read/),
  });
});

test('others hear a message once, in order, and its node does not hear it again', async () => {
  const url = server.url();
  await using first = await node(url);
  await using second = await node(url);
  await using third = await node(server.url());
  const heard = new Map<string, LiveMessage[]>();
  const lives = [first, second, third].map((nats, index) => {
    const live = createSharedLive(nats);
    const messages: LiveMessage[] = [];
    heard.set(String(index), messages);
    live.subscribe((message) => void messages.push(message));
    return live;
  });
  await Promise.all([first, second, third].map(({ connection }) => connection.flush()));
  const gained = { issues: new Map(), fromMs: 1, untilMs: 2 };
  const events = { type: 'events', projectId: 1, issueIds: [5], newIssueIds: [], count: 1, first: false } as const;
  lives[0]!.publish({ ...events, gained, digests: ['1'] });
  lives[0]!.publish({ type: 'access', userId: undefined });
  lives[1]!.publish({ type: 'issues', projectId: 1, issueIds: [5] });
  await vi.waitFor(() => expect([heard.get('0')?.length, heard.get('1')?.length]).toEqual([3, 3]));
  expect(heard.get('0')?.[0]).toMatchObject({ gained });
  expect(heard.get('1')?.filter(({ type }) => type !== 'issues')).toEqual([
    { ...events, digests: ['1'] },
    { type: 'access' },
  ]);
  expect(heard.get('2')).toEqual([]);
  for (const live of lives) live[Symbol.dispose]();
});

test('what is no message, or too large, reaches nobody; a message too large to tell is told as missed', async () => {
  const url = server.url('hostile');
  await using first = await node(url);
  await using second = await node(url);
  using live = createSharedLive(first);
  using other = createSharedLive(second);
  const heard: LiveMessage[] = [];
  live.subscribe((message) => void heard.push(message));
  await first.connection.flush();
  for (const text of ['', 'nothing', '[]', 'null', '{"from":1}', '{"from":1,"value":{"type":"reboot"}}'])
    second.connection.publish('hostile.notes.live', text);
  second.connection.publish(
    'hostile.notes.live',
    JSON.stringify({ from: 'x', value: { type: 'events', issueIds: 'all' } }),
  );
  second.connection.publish('hostile.notes.live', 'x'.repeat(600_000));
  const digests = Array.from({ length: 40_000 }, (_, index) => `${index}`.padStart(20, '0'));
  other.publish({ type: 'events', projectId: 1, issueIds: [], newIssueIds: [], count: 1, first: false, digests });
  other.publish({ type: 'access' });
  await vi.waitFor(() => expect(heard).toEqual([{ type: 'missed' }, { type: 'access' }]));
});

test('killed and started again, it is found again, and listeners hear that they missed something', async () => {
  const url = server.url();
  const said: string[] = [];
  await using nats = await openNats({ url, name: 'test', warn: (sentence) => void said.push(sentence) });
  await using other = await node(url);
  using live = createSharedLive(nats);
  const heard: LiveMessage[] = [];
  live.subscribe((message) => void heard.push(message));
  using notes = openNotes(other, { topic: 'live', hear: () => {} });
  await server.kill();
  await vi.waitFor(() => expect([nats, other].map((one) => one.availability().isUp)).toEqual([false, false]));
  expect(nats.availability()).toMatchObject({ isUp: false, reason: expect.stringContaining('is lost') });
  expect(notes.tell({ type: 'access' }), 'while it is away').toBe(false);
  await delay(300);
  await server.start();
  await vi.waitFor(() => expect([nats, other].map((one) => one.availability().isUp)).toEqual([true, true]), 10_000);
  expect(said).toHaveLength(1);
  await vi.waitFor(() => expect(heard).toEqual([{ type: 'missed' }]));
  await nats.connection.flush();
  notes.tell({ type: 'access' });
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ type: 'access' }));
});

test('an alarm rings on all nodes, once for each ring, and comes back to nobody', async () => {
  const url = server.url();
  const nodes = await Promise.all([node(url), node(url)]);
  const rung: number[][] = [[], []];
  const jobs = nodes.map((nats, index) => {
    const alarm = createAlarm();
    alarm.listen((afterMs) => void rung[index]?.push(afterMs));
    return { alarm, wake: openWake([{ name: 'send', alarm }, { name: 'silent' }], nats) };
  });
  await Promise.all(nodes.map(({ connection }) => connection.flush()));
  jobs[0]?.alarm.ring();
  for (let count = 0; count < 100; count++) jobs[0]?.alarm.ring(500);
  await vi.waitFor(() => expect(rung[1]).toEqual([0, 500]));
  await delay(300);
  expect([rung[0]?.length, rung[1]?.length]).toEqual([101, 2]);
  for (const { wake } of jobs) wake[Symbol.dispose]();
  for (const nats of nodes) await nats.close();
});
