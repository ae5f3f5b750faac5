import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver, type Receiver } from '../../domains/mirror/testing.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let receiver: Receiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([openTestApi(), openReceiver()]);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object) => {
  const url = `/api/0/projects/acme/web/mirror/${path}`;
  const answer = await api.call({ method, url, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body ? answer.json<Record<string, unknown>>() : undefined };
};

test('a mirror is set, read without its key, paused, tested and removed', async () => {
  expect((await call('GET')).body).toEqual({ mirror: null, maxBytes: 2 ** 30, maxHours: 24 });
  expect((await call('PUT', '', { enabled: true })).body).toMatchObject({
    code: 'INPUT_INVALID',
    detail: expect.stringContaining('dsn') as string,
  });
  const dsn = `http://${'c'.repeat(32)}@${receiver.host}/12`;
  const made = await call('PUT', '', { dsn });
  expect(made).toMatchObject({
    status: 200,
    body: {
      mirror: { target: `http://…cccc@${receiver.host}/12`, enabled: true, forwarded: 0, waiting: 0, lagMs: null },
    },
  });
  expect(JSON.stringify(made.body)).not.toContain('c'.repeat(32));
  const [row] = await api.state.db.selectFrom('mirror').selectAll().execute();
  expect(row?.dsn).toMatch(/^sealed:/);
  expect((await call('PUT', '', { enabled: false })).body).toMatchObject({ mirror: { enabled: false } });
  expect((await call('PUT', '', {})).body).toMatchObject({ mirror: { enabled: false } });
  expect((await call('POST', 'test/')).body).toMatchObject({ accepted: true, answer: '200: {}' });
  expect(receiver.seen.at(-1)).toMatchObject({ url: '/api/12/envelope/' });
  expect((await call('DELETE')).status).toBe(204);
  expect(await call('DELETE')).toMatchObject({ status: 404 });
  expect(await call('POST', 'test/')).toMatchObject({ status: 404 });
});

test.each([
  ['no DSN', 'hello'],
  ['to itself', 'http://key@culprit.test/1'],
  ['too long', `https://key@sentry.example/${'1'.repeat(3_000)}`],
  ['another scheme', 'file://key@localhost/1'],
])('%s is refused with a reason', async (_, dsn) => {
  const { status, body } = await call('PUT', '', { dsn });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('dsn');
});

test('Health warns of one that fails for long or drops, and not of one that is paused', async () => {
  await call('PUT', '', { dsn: `http://key@${receiver.host}/12` });
  const reasons = async () =>
    (await api.get<{ reasons: string[] }>('/api/0/health/')).reasons.filter((reason) => reason.includes('mirror'));
  const set = (columns: object) => api.state.db.updateTable('mirror').set(columns).execute();
  expect(await reasons()).toEqual([]);
  await set({ failing_since: Date.now() - 20 * 60_000, problem: 'connect ECONNREFUSED' });
  expect(await reasons()).toEqual([`The mirror of web to ${receiver.host} has been failing for 20\u00a0min.`]);
  await set({ failing_since: null, dropped_at: Date.now() - 60_000 });
  expect(await reasons()).toEqual([
    `The mirror of web to ${receiver.host} dropped requests in the last hour. Its target is down or too slow.`,
  ]);
  await call('PUT', '', { enabled: false });
  expect(await reasons()).toEqual([]);
});
