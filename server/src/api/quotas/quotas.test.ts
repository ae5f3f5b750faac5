/** Quotas over the API: who may have which, what is refused, what is told, and what narrowed members see. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monthName, quotaTarget, quotaTermAt } from '../../base/quotas.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { enqueue } from '../../domains/notify/index.ts';
import { makeChannel } from '../../domains/notify/testing/channels.ts';
import { notification } from '../../domains/notify/testing/people.ts';
import { addQuotaUse, createKeyDirectory, createProject, listKeys } from '../../domains/projects/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let publicKey: string;
let keyId: number;
beforeAll(async () => {
  api = await openTestApi();
  const [key] = await listKeys(api.state, api.projectId);
  publicKey = key?.publicKey ?? '';
  keyId = key?.id ?? 0;
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const url = '/api/0/organizations/acme/quotas/';

interface Quota {
  readonly id: string;
  readonly scope: string;
  readonly amount: number;
  readonly used: number;
}

interface Quotas {
  readonly quotas: Quota[];
  readonly used: { readonly category: string; readonly used: number }[];
}

async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', at = '', payload?: object, token?: string) {
  const answer = await api.call({ method, url: url + at, ...(payload && { payload }), ...(token && { token }) });
  return { status: answer.statusCode, body: answer.payload ? answer.json<Record<string, unknown>>() : undefined };
}
const list = async (): Promise<Quotas> => (await api.call({ method: 'GET', url })).json<Quotas>();
const entry = () => createKeyDirectory({ state: api.state }).lookup(publicKey);

describe('quotas', () => {
  test('none at first, with what came this month', async () => {
    await addQuotaUse(api.state, [
      {
        target: quotaTarget('organization', api.organizationId),
        category: 'span',
        period: 'month',
        term: quotaTermAt('month', Date.now(), 'UTC').number,
        added: 12,
      },
    ]);
    expect((await call('GET')).body).toMatchObject({ timeZone: 'UTC', channelIds: [], quotas: [] });
    expect((await list()).used).toContainEqual({ category: 'span', used: 12 });
    expect((await list()).used).toContainEqual({ category: 'error', used: 0 });
  });

  test('of the organisation, a project and a key; ingestion knows all of them', async () => {
    const ofAll = await call('POST', '', { category: 'span', period: 'month', amount: 100 });
    expect(ofAll).toMatchObject({
      status: 201,
      body: { scope: 'organization', project: null, key: null, hard: true, used: 12, amount: 100 },
    });
    expect(await call('POST', '', { project: 'web', category: 'error', period: 'minute', amount: 0 })).toMatchObject({
      status: 201,
      body: { scope: 'project', project: { slug: 'web' }, amount: 0 },
    });
    const ofKey = { project: 'web', key: publicKey, category: 'attachment', period: 'month', amount: 5e9, hard: false };
    expect(await call('POST', '', ofKey)).toMatchObject({
      status: 201,
      body: { scope: 'key', key: { id: String(keyId) }, hard: false },
    });
    const known = await entry();
    expect(known?.quotas.map(({ scope, isHard }) => [scope, isHard]).toSorted()).toEqual([
      ['key', false],
      ['organization', true],
      ['project', true],
    ]);
  });

  test.each([
    [409, { category: 'span', period: 'month', amount: 5 }, 'QUOTA_EXISTS'],
    [400, { category: 'replay', period: 'month', amount: 5 }, 'INPUT_INVALID'],
    [400, { category: 'profile', period: 'month', amount: 5 }, 'INPUT_INVALID'],
    [400, { category: 'error', period: 'day', amount: 5 }, 'INPUT_INVALID'],
    [400, { category: 'error', period: 'month', amount: -1 }, 'INPUT_INVALID'],
    [400, { category: 'error', period: 'month', amount: 1.5 }, 'INPUT_INVALID'],
    [400, { category: 'error', period: 'month', amount: 1e300 }, 'INPUT_INVALID'],
    [400, { key: '1', category: 'error', period: 'month', amount: 1 }, 'INPUT_INVALID'],
    [404, { project: 'nowhere', category: 'error', period: 'month', amount: 1 }, 'NOT_FOUND'],
    [404, { project: 'web', key: '999', category: 'error', period: 'month', amount: 1 }, 'NOT_FOUND'],
  ])('%i for %j', async (status, body, code) => {
    expect(await call('POST', '', body)).toMatchObject({ status, body: { code } });
  });

  test('of a key of another project are refused', async () => {
    const other = await createProject(api.state, { organizationId: api.organizationId, name: 'other' });
    const body = { project: 'web', key: String(other.key.id), category: 'error', period: 'month', amount: 1 };
    expect((await call('POST', '', body)).status).toBe(404);
  });

  test('are changed and deleted, and the audit log tells', async () => {
    const [first] = (await list()).quotas;
    expect(await call('PUT', `${first?.id}/`, { amount: 200, hard: false })).toMatchObject({
      status: 200,
      body: { amount: 200, hard: false, used: 12 },
    });
    expect(await call('PUT', `${first?.id}/`, {})).toMatchObject({ status: 200, body: { amount: 200 } });
    expect((await call('DELETE', `${first?.id}/`)).status).toBe(204);
    expect((await call('DELETE', `${first?.id}/`)).status).toBe(404);
    expect((await call('PUT', 'x1/', { amount: 1 })).status).toBe(404);
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 10 });
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('quota.'));
    expect(actions.slice(0, 2)).toEqual(['quota.delete', 'quota.update']);
    expect(JSON.stringify(entries)).toContain('spans per month');
  });

  test('a pager that was told of one hears that it is over when the quota is deleted', async () => {
    const { state, organizationId } = api;
    const channelId = await makeChannel(state, organizationId, 'pagerduty', { key: 'k'.repeat(32) });
    const { body } = await call('POST', '', { category: 'feedback', period: 'month', amount: 10 });
    const id = String(body?.['id']);
    const full = notification({ kind: 'quota', groupKey: `quota:${id}` });
    await enqueue(state.db, { key: 'quota:full', organizationId, to: { channelId }, notification: full });
    expect((await call('DELETE', `${id}/`)).status).toBe(204);
    const told = await state.db
      .selectFrom('delivery')
      .select(['severity', 'notification'])
      .where('channel_id', '=', channelId)
      .orderBy('id')
      .execute();
    expect(told.map(({ severity }) => severity)).toEqual(['critical', 'resolved']);
    expect(told.at(-1)?.notification).toContain('The monthly quota of feedback of Acme has room again');
    await state.db.deleteFrom('channel').where('id', '=', channelId).execute();
  });

  test('the time zone and the channels are settled, and what is not there is refused', async () => {
    const settings = '/api/0/organizations/acme/quota-settings/';
    const put = async (payload: object) => {
      const answer = await api.call({ method: 'PUT', url: settings, payload });
      return { status: answer.statusCode, body: answer.json<object>() };
    };
    expect(await put({ timeZone: 'Pacific/Kiritimati' })).toEqual({
      status: 200,
      body: { timeZone: 'Pacific/Kiritimati', channelIds: [] },
    });
    expect((await entry())?.timeZone).toBe('Pacific/Kiritimati');
    expect((await put({ timeZone: 'Mars/Olympus' })).status).toBe(400);
    expect((await put({ channelIds: ['7'] })).status).toBe(404);
    const { month } = (await api.call({ method: 'GET', url })).json<{ month: { start: string } }>();
    const expected = quotaTermAt('month', Date.now(), 'Pacific/Kiritimati');
    expect([Date.parse(month.start), monthName(expected.number)]).toEqual([expected.startMs, expect.any(String)]);
  });

  test('reading needs project:read, changing org:write', async () => {
    const reader = await api.makeToken('project:read');
    expect((await call('GET', '', undefined, reader)).status).toBe(200);
    const body = { category: 'log_item', period: 'month', amount: 5 };
    expect((await call('POST', '', body, reader)).status).toBe(403);
    expect((await call('POST', '', body, await api.makeToken('org:write'))).status).toBe(201);
  });
});
