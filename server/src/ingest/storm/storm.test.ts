/** What of a storm stands in the log, and what becomes of the rest of its envelopes. */
import { parseEnvelope } from '@culprit/envelope';
import { expect, test } from 'vitest';
import { openTestServer, publicKey, type TestServer } from '../test-server.ts';
import { largestGroup, passing } from './groups.ts';
import { openStormGuard } from './index.ts';

const path = `/api/1/envelope/?sentry_version=7&sentry_key=${publicKey}`;
const eventOf = (user: number, message: string): string => JSON.stringify({ message, user: { id: String(user) } });
const item = (type: string, payload: string, more = ''): string =>
  `{"type":"${type}","length":${payload.length}${more}}\n${payload}\n`;

async function post(server: TestServer, to: string, body: string): Promise<number> {
  const response = await fetch(`${server.url}${to}`, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}

/** Until enough has come that the guard has noticed, which says that processing is behind. */
async function openStorm(options: Parameters<typeof openTestServer>[0] = {}) {
  const storm = openStormGuard({ isBehind: async () => true, random: () => 0.999 });
  const server = await openTestServer({ ...options, storm });
  const calm = `{}\n${item('event', eventOf(0, 'before'))}`;
  while (storm.stats().projects === 0) {
    await Promise.all(Array.from({ length: 60 }, () => post(server, path, calm)));
  }
  await server.drain();
  return { server, storm };
}

test('an error of a group stands for the others, and what comes with them is not lost', async () => {
  const { server } = await openStorm();
  await using _ = server;
  const envelope = (user: number): string =>
    [
      `{"event_id":"${String(user).padStart(32, '0')}"}\n`,
      item('event', eventOf(user, 'again')),
      item('attachment', 'a file', ',"filename":"a.txt"'),
      item('client_report', '{"discarded_events":[]}'),
    ].join('');
  const count = passing + 2 * largestGroup;
  for (let user = 0; user < passing; user++) expect(await post(server, path, envelope(user))).toBe(200);
  const statuses = await Promise.all(
    Array.from({ length: count - passing }, (_, index) => post(server, path, envelope(passing + index))),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));

  const envelopes = await server.drainEnvelopes();
  const itemsOf = (body: Uint8Array): string[] => [...parseEnvelope(body).items].map(({ type }) => type);
  const all = envelopes.map(({ head, body }) => ({ standsFor: head.standsFor, types: itemsOf(body) }));
  const withEvent = all.filter(({ types }) => types.includes('event'));
  const stored = passing + 2;
  expect(withEvent).toHaveLength(stored);
  expect(withEvent.reduce((sum, { standsFor }) => sum + 1 + (standsFor?.events ?? 0), 0)).toBe(count);
  const met = withEvent.flatMap(({ standsFor }) => standsFor?.met ?? []).map(([user]) => JSON.parse(user) as object);
  expect(met).toHaveLength(count - stored);
  expect(new Set(met.map((user) => JSON.stringify(user))).size).toBe(met.length);
  // Reports of clients are about other things.
  expect(all.flatMap(({ types }) => types).filter((type) => type === 'client_report')).toHaveLength(count);
  expect(await server.drainOutcomes()).toEqual({ '1 attachment filtered:storm': count - stored });
});

test('the store endpoint is guarded, too; other items and other projects are not', async () => {
  const { server } = await openStorm();
  await using _ = server;
  const store = `/api/1/store/?sentry_key=${publicKey}`;
  for (let user = 0; user < passing; user++) expect(await post(server, store, eventOf(user, 'old'))).toBe(200);
  await Promise.all(Array.from({ length: largestGroup }, (_, user) => post(server, store, eventOf(user, 'old'))));
  const session = `{}\n${item('session', '{}')}`;
  await Promise.all(Array.from({ length: 30 }, () => post(server, path, session)));
  const envelopes = await server.drainEnvelopes();
  expect(envelopes.filter(({ head }) => head.standsFor?.events === largestGroup - 1)).toHaveLength(1);
  expect(envelopes).toHaveLength(passing + 1 + 30);
});

test('who is in a group when the log is full is told so, and all of it counts as that', async () => {
  const { server } = await openStorm({ limitBytes: 2 ** 20 });
  await using _ = server;
  for (let user = 0; user < passing; user++) await post(server, path, `{}\n${item('event', eventOf(user, 'fill'))}`);
  // Sessions are not sampled: what does not fit of long ones is filled up with shorter ones.
  for (const bytes of [100_000, 10_000, 1_000, 1]) {
    while ((await post(server, path, `{}\n${item('session', 'x'.repeat(bytes))}`)) === 200);
  }
  const statuses = await Promise.all(
    Array.from({ length: largestGroup }, (_, user) =>
      post(server, path, `{}\n${item('event', eventOf(user, 'fill'))}`),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([503]));
});
