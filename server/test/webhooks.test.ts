/**
 * The real server, killed between what happened and its delivery: all is told once it is back, under one id each. The
 * receiver is the test's; it answers as Sentry's and Standard Webhooks' documents ask of receivers.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpReceiver, openHttpReceiver } from '../src/domains/notify/testing/receiver.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;
let receiver: HttpReceiver;
beforeAll(async () => {
  [server, receiver] = await Promise.all([
    Server.create({ CULPRIT_OUTBOUND_ALLOW: '127.0.0.1', CULPRIT_SELF_REPORT: 'off' }),
    openHttpReceiver(),
  ]);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

interface Sent {
  readonly uuid: string;
  readonly state: string;
  readonly event: string;
}

const path = (): string => `/organizations/${server.installed.organization}/webhooks/`;

async function sendError(type: string): Promise<void> {
  const event = { exception: { values: [{ type, value: `no ${type}` }] } };
  const response = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: errorEnvelope(newEventId(), event),
  });
  expect(response.status).toBe(200);
}

test('what happened before a kill is told after it, each thing under one id', { timeout: 180_000 }, async () => {
  const hook = await server.api<{ id: string; uuid: string }>(path(), {
    method: 'POST',
    body: JSON.stringify({ name: 'hook', url: receiver.url, events: ['issue.created', 'release.created'] }),
  });
  const listed = () => server.api<Sent[]>(`${path()}${hook.id}/deliveries/`);
  // Held without an answer: the server dies in the midst of it.
  receiver.answer = () => new Promise(() => undefined);
  await sendError('FirstError');
  await server.until('the receiver has the first', async () => receiver.calls.length > 0);
  await sendError('SecondError');
  await server.drained();
  await server.kill();
  receiver.answer = () => ({ status: 200 });
  await server.start();
  await sendError('ThirdError');
  await server.until('all are told', async () => {
    const created = (await listed()).filter(({ event }) => event === 'issue.created');
    return created.length >= 3 && created.every(({ state }) => state === 'sent');
  });
  const ids = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.calls) {
    const { data, action } = JSON.parse(body) as { action: string; data: { issue: { title: string } } };
    expect(action).toBe('created');
    const known = ids.get(data.issue.title) ?? new Set();
    ids.set(data.issue.title, known.add(String(headers['webhook-id'])));
  }
  expect([...ids.keys()].map((title) => title.slice(0, 5)).toSorted()).toEqual(['First', 'Secon', 'Third']);
  expect([...ids.values()].every((known) => known.size === 1)).toBe(true);
});
