import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ItemRow } from '../../base/tables/items.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const minute = Math.floor(Date.now() / 60_000) * 60_000;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const project_id = api.projectId;
  await api.events.insert(
    'outcomes',
    [
      { project_id, minute, category: 'error', outcome: 'accepted', reason: '', quantity: 7 },
      { project_id, minute: minute - 3_600_000, category: 'error', outcome: 'accepted', reason: '', quantity: 5 },
      { project_id, minute, category: 'session', outcome: 'invalid', reason: 'json', quantity: 2 },
      { project_id: 999, minute, category: 'error', outcome: 'accepted', reason: '', quantity: 1000 },
    ],
    'outcomes',
  );
  const item = (more: Partial<ItemRow>): ItemRow => ({
    project_id,
    received_at: minute,
    item_type: 'mystery',
    category: 'default',
    outcome: 'invalid',
    reason: 'unknown_type',
    detail: 'no part knows items of this type',
    event_id: '',
    headers: '{"type":"mystery"}',
    size_bytes: 5,
    payload: 'hello',
    blob_key: '',
    ...more,
  });
  await api.events.insert(
    'items',
    [
      item({}),
      item({
        item_type: 'profile',
        outcome: 'accepted',
        reason: '',
        received_at: minute - 1,
        payload: '',
        blob_key: 'missing/key',
      }),
      item({ project_id: 999 }),
    ],
    'items',
  );
});
afterAll(() => api[Symbol.asyncDispose]());

test('outcomes by reason over time', async () => {
  const outcomes = await api.get<{ intervals: string[]; groups: { series: number[] }[] }>(
    '/api/0/organizations/acme/outcomes/?statsPeriod=6h',
  );
  expect(outcomes.groups).toMatchObject([
    { projectSlug: 'web', category: 'error', outcome: 'accepted', reason: '', total: 12 },
    { projectSlug: 'web', category: 'session', outcome: 'invalid', reason: 'json', total: 2 },
  ]);
  for (const { series } of outcomes.groups) expect(series).toHaveLength(outcomes.intervals.length);
  expect(outcomes.groups[0]?.series.filter(Boolean)).toEqual([5, 7]);
  expect(outcomes.intervals.length).toBeLessThanOrEqual(300);
  expect(await api.get('/api/0/organizations/acme/outcomes/?project=web')).toMatchObject({ intervalSeconds: 3600 });
});

test('kept items, and the payload of one', async () => {
  const items = await api.get<{ id: string; type: string }[]>('/api/0/organizations/acme/items/');
  expect(items).toMatchObject([
    { type: 'mystery', reason: 'unknown_type', projectSlug: 'web', eventId: null, sizeBytes: 5 },
    { type: 'profile', outcome: 'accepted' },
  ]);
  expect(await api.get(`/api/0/organizations/acme/items/${items[0]?.id}/`)).toMatchObject({
    payload: 'hello',
    headers: { type: 'mystery' },
  });
  expect(await api.get(`/api/0/organizations/acme/items/${items[1]?.id}/`)).toMatchObject({ payload: null });
  expect(await api.get('/api/0/organizations/acme/items/?type=profile&outcome=accepted')).toHaveLength(1);
  expect(await api.get('/api/0/organizations/acme/items/?reason=json')).toEqual([]);
  const page = await api.call({ method: 'GET', url: '/api/0/organizations/acme/items/?limit=1' });
  expect(page.headers.link).toContain('rel="next"; results="true"; cursor="0:1:0"');
  expect((await api.call({ method: 'GET', url: '/api/0/organizations/acme/items/nonsense/' })).statusCode).toBe(404);
  expect(await api.get('/api/0/health/')).toMatchObject({ unknownItemTypes: [{ type: 'mystery', count: 1 }] });
});

test('live changes of the own organisation only, until the server stops', async () => {
  await using own = await openTestApi();
  await own.state.db
    .insertInto('organization')
    .values({ id: 'other-org', name: 'Rival', slug: 'rival', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const rival = await own.state.db
    .insertInto('project')
    .values({
      organization_id: 'other-org',
      slug: 'secret',
      name: '',
      platform: '',
      short_id_prefix: 'S',
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const address = await own.app.listen({ port: 0 });
  const answer = await fetch(`${address}/api/0/organizations/acme/live/`, {
    headers: { authorization: `Bearer ${own.token}` },
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { projectId } = own;
  own.live.publish({ type: 'events', projectId: rival.id, issueIds: [1], newIssueIds: [], count: 1, first: false });
  own.live.publish({ type: 'events', projectId: 12345, issueIds: [1], newIssueIds: [], count: 1, first: false });
  own.live.publish({ type: 'events', projectId, issueIds: [3, 4], newIssueIds: [4], count: 2, first: true });
  own.live.publish({ type: 'spans', projectId: rival.id, count: 1, traceIds: ['secret'], first: false });
  own.live.publish({ type: 'spans', projectId, count: 5, traceIds: ['a', 'b'], first: true });
  own.live.publish({ type: 'issues', projectId, issueIds: [3] });
  let text = '';
  const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes('"issues"')) text += (await reader.read()).value ?? '';
  expect(text).toBe(
    [
      'retry: 2000',
      `data: ${JSON.stringify({ type: 'events', projectId: String(projectId), projectSlug: 'web', issueIds: ['3', '4'], newIssueIds: ['4'], count: 2, first: true })}`,
      `data: ${JSON.stringify({ type: 'spans', projectId: String(projectId), projectSlug: 'web', count: 5, traceIds: ['a', 'b'], first: true })}`,
      `data: ${JSON.stringify({ type: 'issues', projectId: String(projectId), projectSlug: 'web', issueIds: ['3'] })}`,
      '',
    ].join('\n\n'),
  );
  const ended = reader.read();
  await own.app.close();
  expect((await ended).done).toBe(true);
});

test('a stream that opens late begins with the changes of the last while, as far as its reader sees them', async () => {
  await using own = await openTestApi();
  const address = await own.app.listen({ port: 0 });
  const { projectId } = own;
  const read = async (query: string, until: string): Promise<string> => {
    const answer = await fetch(`${address}/api/0/organizations/acme/live/${query}`, {
      headers: { authorization: `Bearer ${own.token}` },
    });
    const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    own.live.publish({ type: 'issues', projectId, issueIds: [9] });
    while (!text.includes(until)) text += (await reader.read()).value ?? '';
    await reader.cancel();
    return text;
  };
  own.live.publish({ type: 'issues', projectId, issueIds: [7] });
  own.live.publish({ type: 'issues', projectId: 12345, issueIds: [8] });
  own.live.publish({
    type: 'digest',
    projectId,
    issueIds: [7],
    watchId: 1,
    userId: 'somebody else',
    digest: '1',
    eventId: 'e',
  });
  const ids = (text: string) => [...text.matchAll(/"issueIds":\["(\d)"\]/g)].map(([, id]) => id);
  expect(ids(await read('?lastMs=10000', '["9"]'))).toEqual(['7', '9']);
  for (const none of ['', '?lastMs=0', '?lastMs=-7.5']) expect(ids(await read(none, '["9"]'))).toEqual(['9']);
  for (const bad of ['x', 'Infinity'])
    expect(
      (
        await own.app.inject({
          url: `/api/0/organizations/acme/live/?lastMs=${bad}`,
          headers: { authorization: `Bearer ${own.token}` },
        })
      ).statusCode,
    ).toBe(400);
});
