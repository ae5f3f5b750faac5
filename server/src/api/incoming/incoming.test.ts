/** Incoming webhooks over the API: made, shown, changed; the secret is given out once, and the audit log has it all. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEntries } from '../../domains/audit/index.ts';
import { createReceive, findIncoming } from '../../domains/incoming/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
});

const url = '/api/0/organizations/acme/incoming-webhooks/';
const mapping = { match: 'acme/shop', projects: ['web'], version: 'web@{version}', environments: ['production'] };

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly secret: string | null;
  readonly hasSecret: boolean;
}

async function call<T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  at = '',
  payload?: object,
): Promise<{ status: number; body: T }> {
  const answer = await api.call({ method, url: url + at, ...(payload && { payload }) });
  return { status: answer.statusCode, body: (answer.payload ? answer.json() : undefined) as T };
}

async function make(provider: string, more: object = {}): Promise<Hook> {
  const { status, body } = await call<Hook>('POST', '', { name: provider, provider, mappings: [mapping], ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

describe('incoming webhooks', { timeout: 60_000 }, () => {
  test('the address cannot be guessed; the secret is shown once and sealed', async () => {
    const hook = await make('github');
    expect(hook).toMatchObject({
      url: expect.stringMatching(/\/hooks\/github\/[\w-]{32}$/),
      secret: expect.stringMatching(/^[\w-]{43}$/),
      hasSecret: true,
      last: null,
      mappings: [{ match: 'acme/shop', version: 'web@{version}', projects: [{ slug: 'web' }] }],
    });
    const listed = JSON.stringify((await call('GET')).body);
    expect(listed).not.toContain(hook.secret);
    const rows = await api.state.db.selectFrom('incoming_webhook').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(hook.secret);
    const { body } = await call<{ secret: string }>('POST', `${hook.id}/secret/`, {});
    expect(body.secret).not.toBe(hook.secret);
    await call('DELETE', `${hook.id}/`);
    expect((await call('GET', `${hook.id}/deliveries/`)).status).toBe(404);
  });

  test('the secret of Vercel is entered, not made', async () => {
    const hook = await make('vercel');
    expect(hook).toMatchObject({ secret: null, hasSecret: false });
    expect((await call('POST', `${hook.id}/secret/`, {})).body).toMatchObject({
      status: 400,
      detail: expect.stringContaining('Vercel makes the secret'),
    });
    expect((await call('POST', `${hook.id}/secret/`, { secret: 'made by Vercel' })).status).toBe(200);
    expect((await call<Hook[]>('GET')).body.find(({ id }) => id === hook.id)).toMatchObject({ hasSecret: true });
    await call('DELETE', `${hook.id}/`);
  });

  test('what it received is listed, newest first, a page at a time', async () => {
    const hook = await make('gitlab');
    const webhook = await findIncoming(api.state, api.organizationId, Number(hook.id));
    if (!webhook) throw new Error('no webhook');
    const receive = createReceive(api);
    for (const n of [1, 2, 3]) {
      const request = { headers: { 'idempotency-key': `k${n}` }, body: Buffer.from(`{"object_kind":"note","n":${n}}`) };
      await receive(webhook, request);
    }
    const { body } = await call<{ delivery: string }[]>('GET', `${hook.id}/deliveries/?limit=2`);
    expect(body).toMatchObject([
      { delivery: 'k3', event: 'note', result: 'ignored' },
      { delivery: 'k2', detail: 'Events of type note make no release or deploy.' },
    ]);
    await call('DELETE', `${hook.id}/`);
  });

  test.each([
    [{ mappings: [{ ...mapping, version: 'latest' }] }, 400, 'must contain'],
    [{ mappings: [{ ...mapping, version: '{branch}' }] }, 400, 'has {branch}, which is not known'],
    [{ mappings: [{ ...mapping, projects: ['nowhere'] }] }, 404, 'nowhere'],
    [{ mappings: [{ ...mapping, match: '  ' }] }, 400, 'match'],
    [{ provider: 'elsewhere' }, 400, 'provider'],
  ])('%j is refused', async (more, status, detail) => {
    const answer = await call('POST', '', { name: 'x', provider: 'github', mappings: [mapping], ...more });
    expect(answer).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } });
  });

  test('each change leaves its entry, without the secret', async () => {
    const hook = await make('netlify');
    await call('PUT', `${hook.id}/`, { mappings: [{ ...mapping, version: '{commit}' }] });
    await call('PUT', `${hook.id}/`, { enabled: true });
    await call('POST', `${hook.id}/secret/`, {});
    await call('DELETE', `${hook.id}/`);
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 20 });
    const own = entries.filter(({ target }) => target.type === 'incoming_webhook' && target.id === hook.id);
    expect(own.map(({ action }) => action).toReversed()).toEqual([
      'incoming_webhook.create',
      'incoming_webhook.update',
      'incoming_webhook.rotate_secret',
      'incoming_webhook.delete',
    ]);
    expect(JSON.stringify(own)).toContain('{commit}');
    expect(JSON.stringify(own)).not.toContain(hook.secret);
  });
});
