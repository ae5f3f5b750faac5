import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue } from '../../domains/notify/index.ts';
import { notification } from '../../domains/notify/testing/people.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const at = '/api/0/organizations/acme';
const slack = { type: 'slack', name: 'Ops', config: { url: 'https://hooks.slack.com/services/T0/B0/abcdefgh' } };

interface Channel {
  readonly id: string;
  readonly config: Readonly<Record<string, string>>;
  readonly quietHours: unknown;
}

const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, token?: string) =>
  api.call({ method, url: `${at}${path}`, ...(payload && { payload }), token });

test('channels are made, changed and deleted; their secrets stay inside', async () => {
  const made = await call('POST', '/channels/', slack);
  expect(made.statusCode).toBe(201);
  const { id, config } = made.json<Channel>();
  expect(config['url']).toBe('https://hooks.slack.com/…efgh');
  const hours = { timeZone: 'Europe/Berlin', from: '22:00', until: '07:00', days: [1], criticalPasses: true };
  const changed = await call('PUT', `/channels/${id}/`, { name: 'Ops 2', quietHours: hours, config: {} });
  expect(changed.json<Channel>()).toMatchObject({ name: 'Ops 2', quietHours: hours, health: 'unused' });
  const list = await api.get<Channel[]>(`${at}/channels/`);
  expect(JSON.stringify(list)).not.toContain('abcdefgh');
  const gone = await call('DELETE', `/channels/${id}/`);
  expect([gone.statusCode, await api.get(`${at}/channels/`)]).toEqual([204, []]);
});

test.each([
  [{ ...slack, config: {} }, 'webhook'],
  [{ ...slack, config: { url: 'javascript:alert(1)' } }, 'javascript:'],
  [{ ...slack, name: ' ' }, 'empty'],
  [{ ...slack, type: 'fax' }, 'type'],
  [
    { ...slack, quietHours: { timeZone: 'Mars/Base', from: '1', until: '25:00', days: [9], criticalPasses: 1 } },
    'time',
  ],
  [{ ...slack, config: { __proto__: null, url: `https://x/${'y'.repeat(5000)}` } }, 'config'],
])('what cannot be used is refused: %#', async (body, words) => {
  const answer = await call('POST', '/channels/', body);
  expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([400, expect.stringContaining(words)]);
});

test('members see channels and do not change them', async () => {
  const token = await api.makeToken('org:read', 'event:write');
  expect((await api.call({ method: 'GET', url: `${at}/channels/`, token })).statusCode).toBe(200);
  for (const path of ['/channels/', '/channels/test/', '/channels/1/test/', '/deliveries/1/resend/'])
    expect((await call('POST', path, slack, token)).statusCode, path).toBe(403);
  expect((await call('POST', '/channels/999999999999/test/')).statusCode).toBe(404);
});

test('deliveries are listed in pages, by channel and state; one that is under way is not sent again', async () => {
  const { id } = (await call('POST', '/channels/', slack)).json<Channel>();
  const { organizationId, userId, state } = api;
  for (const n of [1, 2, 3]) {
    const to = n === 3 ? { userId } : { channelId: Number(id) };
    await state.transaction((trx) => enqueue(trx, { key: `k${n}`, organizationId, to, notification: notification() }));
  }
  const all = await api.call({ method: 'GET', url: `${at}/deliveries/?limit=2` });
  expect(all.json<{ id: string }[]>()).toHaveLength(2);
  expect(all.headers['link']).toContain('rel="next"; results="true"');
  const own = await api.get<{ id: string; state: string }[]>(`${at}/deliveries/?channel=${id}&state=waiting`);
  expect(own).toHaveLength(2);
  expect(await api.get(`${at}/deliveries/?state=failed`)).toEqual([]);
  const again = await call('POST', `/deliveries/${own[0]?.id}/resend/`);
  expect(again.json()).toMatchObject({ status: 409, code: 'DELIVERY_UNDER_WAY' });
  await state.db.updateTable('delivery').set({ state: 'failed', finished_at: 1 }).execute();
  expect((await call('POST', `/deliveries/${own[0]?.id}/resend/`)).statusCode).toBe(202);
  expect((await call('POST', `/deliveries/${own[0]?.id}/resend/`)).statusCode).toBe(202);
  expect(await api.get<unknown[]>(`${at}/deliveries/?state=waiting`)).toHaveLength(2);
});

test('everybody has settings of their own', async () => {
  const before = await api.get<Record<string, unknown>>(`${at}/notification-settings/`);
  expect(before).toMatchObject({ state: 'mine', report: true, timeZone: 'UTC', quietHours: null });
  const put = (payload: object) => call('PUT', '/notification-settings/', payload);
  expect((await put({ comment: 'none', projects: { '1': 'all' } })).json()).toMatchObject({
    comment: 'none',
    state: 'mine',
    projects: { '1': 'all' },
  });
  for (const wrong of [{ comment: 'some' }, { timeZone: 'Nowhere' }, { projects: { x: 'all' } }])
    expect((await put(wrong)).statusCode).toBe(400);
  expect(await api.get(`${at}/mail/`)).toEqual({ configured: false, from: '', setting: 'CULPRIT_SMTP_URL' });
});

test('the log of deliveries does not hold the link of an invitation', async () => {
  const { organizationId, state } = api;
  const url = 'http://culprit.test/invite/a-secret';
  const invitation = notification({ kind: 'invitation', url });
  await state.transaction((trx) =>
    enqueue(trx, { key: 'invited', organizationId, to: { email: 'kim@example.com' }, notification: invitation }),
  );
  const token = await api.makeToken('org:read');
  const log = await api.call({ method: 'GET', url: `${at}/deliveries/`, token });
  expect(log.json<{ kind: string; url: string }[]>()[0]).toMatchObject({
    kind: 'invitation',
    url: 'http://culprit.test/settings/members',
  });
  expect(log.body).not.toContain('a-secret');
});
