/** The work on issues over HTTP: who has them, marks, changes of whole searches, taking back, deleting, discarding. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ItemRow } from '../../base/tables/items.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import type { LiveMessage } from '../../base/live.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
const now = Date.now();
const hour = 3_600_000;

beforeAll(async () => {
  api = await openTestApi();
});

afterAll(async () => {
  expect(api.errors).toEqual([]);
  await api[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { id: string; undo: { id: string }; state: string; detail: string };
}

async function send(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object): Promise<Answer> {
  const answer = await api.call({ method, url: `/api/0${url}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body ? (answer.json() as Answer['body']) : ({} as Answer['body']) };
}

/** Events of issues of its own; ids by name. */
async function issuesOf(...names: string[]): Promise<string[]> {
  await store(
    api,
    names.map((name, index) =>
      errorRow({
        project_id: api.projectId,
        group_hash: hash(name),
        timestamp: now - hour - index * 1000,
        error_value: name,
        tags: { kind: name.split('-')[0] ?? '' },
      }),
    ),
  );
  const rows = await api.state.db
    .selectFrom('issue_hash')
    .select(['hash', 'issue_id'])
    .where('hash', 'in', names.map(hash))
    .execute();
  return names.map((name) => String(rows.find((row) => row.hash === hash(name))?.issue_id));
}

const org = '/organizations/acme';
const undo = (id: string): Promise<Answer> => send('POST', `${org}/issues/bulk/${id}/undo/`);
const get = (id: string): Promise<Answer> => send('GET', `${org}/issues/${id}/`);
const found = async (query: string): Promise<unknown[]> => {
  const list = await api.get<{ title: string }[]>(
    `/api/0${org}/issues/?sort=new&limit=100&query=${encodeURIComponent(query)}&statsPeriod=24h`,
  );
  return list.map((issue) => issue.title.replace(/^TypeError: /, '')).toSorted();
};

async function settled(id: string, state: string): Promise<Answer['body']> {
  return expect
    .poll(async () => (await send('GET', `${org}/issues/bulk/${id}/`)).body.state, { timeout: 20_000, interval: 50 })
    .toBe(state)
    .then(async () => (await send('GET', `${org}/issues/bulk/${id}/`)).body);
}

test('who has an issue', async () => {
  const [a = '', b = ''] = await issuesOf('who-a', 'who-b');
  const team = await api.state.db
    .insertInto('team')
    .values({ organization_id: api.organizationId, slug: 'web', name: 'Web', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taken = await send('PUT', `/issues/${a}/`, { assignedTo: 'me' });
  expect(taken.body).toMatchObject({
    assignedTo: { type: 'user', id: api.userId, email: 'dev@example.com' },
    isSubscribed: true,
    subscriptionDetails: { reason: 'assigned' },
    participants: [{ type: 'user', id: api.userId }],
    activity: [{ type: 'assigned', data: { assigneeType: 'user', assignee: api.userId } }, { type: 'first_seen' }],
  });
  expect((await send('PUT', `/issues/${b}/`, { assignedTo: '#web' })).body).toMatchObject({
    assignedTo: { type: 'team', id: String(team.id), name: 'web' },
  });
  expect(await found('assigned:me')).toEqual(['who-a']);
  expect(await found('assigned:dev@example.com')).toEqual(['who-a']);
  expect(await found('assigned:#web')).toEqual(['who-b']);
  expect(await found('is:assigned')).toEqual(['who-a', 'who-b']);
  expect(await found('is:unassigned !kind:who')).not.toContain('who-a');
  expect(await found('assigned:[me, none] kind:who')).toEqual(['who-a']);
  expect(await found('(assigned:me OR kind:nothing) is:unresolved')).toEqual(['who-a']);
  await api.state.db
    .insertInto('team_member')
    .values({ team_id: team.id, user_id: api.userId, created_at: now })
    .execute();
  expect(await found('assigned:my_teams')).toEqual(['who-b']);
  expect((await send('PUT', `/issues/${a}/`, { assignedTo: 'nobody@example.com' })).body).toMatchObject({
    code: 'INPUT_INVALID',
  });
  expect((await undo(taken.body.undo.id)).body.state).toBe('undone');
  expect((await get(a)).body).toMatchObject({ assignedTo: null });
  expect((await send('PUT', `/issues/${b}/`, { assignedTo: '' })).body).toMatchObject({ assignedTo: null });
});

test('priority: as the level says until somebody sets it', async () => {
  const [a = ''] = await issuesOf('much');
  expect((await get(a)).body).toMatchObject({ priority: 'high' });
  const low = await send('PUT', `/issues/${a}/`, { priority: 'low' });
  expect(low.body).toMatchObject({
    priority: 'low',
    activity: [{ type: 'set_priority', data: { priority: 'low', reason: 'user' } }, { type: 'first_seen' }],
  });
  expect(await found('issue.priority:low')).toEqual(['much']);
  expect(await found('issue.priority:high much')).toEqual([]);
  expect((await undo(low.body.undo.id)).body.state).toBe('undone');
  expect((await get(a)).body).toMatchObject({ priority: 'high' });
});

test('marks are one’s own', async () => {
  const [a = ''] = await issuesOf('marked');
  expect((await get(a)).body).toMatchObject({ hasSeen: false, isBookmarked: false, subscriptionDetails: null });
  expect((await send('PUT', `/issues/${a}/`, { hasSeen: true })).body).toMatchObject({ hasSeen: true, undo: null });
  const marked = await send('PUT', `/issues/${a}/`, { isBookmarked: true });
  expect(marked.body).toMatchObject({
    isBookmarked: true,
    subscriptionDetails: { reason: 'bookmarked' },
    seenBy: [{ id: api.userId, email: 'dev@example.com' }],
  });
  expect(await found('bookmarks:me')).toEqual(['marked']);
  expect(await found('!bookmarks:me marked')).toEqual([]);
  expect(await found('(bookmarks:me OR kind:nothing)')).toEqual(['marked']);
  expect(await found('subscribed:me bookmarks:dev@example.com')).toEqual(['marked']);
  expect((await send('PUT', `/issues/${a}/`, { isSubscribed: false })).body).toMatchObject({
    isSubscribed: false,
    subscriptionDetails: { disabled: true },
  });
  expect(await found('subscribed:me marked')).toEqual([]);
  await undo(marked.body.undo.id);
  expect(await found('bookmarks:me')).toEqual([]);
  // What comes back has to be seen again.
  await send('PUT', `/issues/${a}/`, { status: 'resolved' });
  await store(api, [
    errorRow({ project_id: api.projectId, group_hash: hash('marked'), timestamp: Date.now() + 60_000 }),
  ]);
  expect((await get(a)).body).toMatchObject({ substatus: 'regressed', hasSeen: false });
});

test('a shared issue says what failed and nothing of whom', async () => {
  const [a = ''] = await issuesOf('shared');
  const frames = [
    {
      function: 'pay',
      filename: 'pay.ts',
      abs_path: 'https://shop/?token=1',
      lineno: 1,
      in_app: true,
      vars: { card: '4111' },
    },
  ];
  const secret = 'ada@example.com';
  await store(api, [
    errorRow({
      project_id: api.projectId,
      group_hash: hash('shared'),
      user: `email:${secret}`,
      user_email: secret,
      payload: JSON.stringify({
        exception: { values: [{ type: 'TypeError', value: 'shared', stacktrace: { frames } }] },
        user: { email: secret },
        request: { url: 'https://shop/?token=1', headers: [['Cookie', secret]] },
        breadcrumbs: { values: [{ message: secret }] },
        extra: { secret },
        tags: { secret },
      }),
    }),
  ]);
  const on = await send('PUT', `/issues/${a}/`, { isPublic: true });
  const shareId = String(on.body['shareId']);
  expect(shareId).toMatch(/^[0-9a-f]{32}$/);
  // Beside texts of anybody its length would tell the link, if it were compressed.
  const policyOf = async (url: string): Promise<unknown> =>
    (await api.call({ method: 'GET', url: `/api/0${url}` })).headers['cache-control'];
  for (const url of [`/issues/${a}/`, `${org}/issues/${a}/`])
    expect(await policyOf(url)).toBe('no-store, no-transform');
  const anybody = (): Promise<{ statusCode: number; body: string }> =>
    api.call({ method: 'GET', url: `/api/0/shared/issues/${shareId}/`, token: undefined });
  const seen = await anybody();
  expect(JSON.parse(seen.body)).toMatchObject({
    title: 'TypeError: shared',
    latestEvent: {
      entries: [
        {
          type: 'exception',
          data: { values: [{ type: 'TypeError', stacktrace: { frames: [{ function: 'pay', vars: null }] } }] },
        },
      ],
    },
  });
  for (const hidden of [secret, 'token=1', '4111']) expect(seen.body).not.toContain(hidden);
  await send('PUT', `/issues/${a}/`, { isPublic: false });
  expect((await anybody()).statusCode).toBe(404);
  expect(await policyOf(`/issues/${a}/`)).toBe('no-store');
  const again = await send('PUT', `/issues/${a}/`, { isPublic: true });
  expect(again.body['shareId']).not.toBe(shareId);
  expect((await anybody()).statusCode).toBe(404);
});

describe('changes of whole searches', () => {
  test('say how far they are, and are taken back', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `many-${index}`);
    const ids = await issuesOf(...names);
    await send('PUT', `/issues/${ids[0]}/`, { status: 'ignored' });
    const heard: LiveMessage[] = [];
    const stop = api.live.subscribe((message) => heard.push(message));
    const query = 'kind:many';
    const started = await send('POST', `${org}/issues/bulk/`, {
      query,
      change: { status: 'resolved', assignedTo: 'me', priority: 'low' },
    });
    expect(started).toMatchObject({ status: 202, body: { total: 120, change: { status: 'resolved' } } });
    expect(await settled(started.body.id, 'done')).toMatchObject({ done: 120, changed: 120 });
    expect(heard.filter((message) => message.type === 'bulk').at(-1)).toMatchObject({ state: 'done', done: 120 });
    stop();
    expect(await found('kind:many is:resolved assigned:me issue.priority:low')).toHaveLength(100);
    // What somebody changes meanwhile stays.
    await send('PUT', `/issues/${ids[1]}/`, { status: 'unresolved', priority: 'medium' });
    expect((await undo(started.body.id)).status).toBe(202);
    expect(await settled(started.body.id, 'undone')).toMatchObject({ undoableUntil: null });
    expect((await get(ids[0] ?? '')).body).toMatchObject({ status: 'ignored', assignedTo: null, priority: 'high' });
    expect((await get(ids[1] ?? '')).body).toMatchObject({
      status: 'unresolved',
      substatus: 'ongoing',
      priority: 'medium',
    });
    expect((await get(ids[2] ?? '')).body).toMatchObject({ status: 'unresolved', substatus: 'new', priority: 'high' });
    expect((await undo(started.body.id)).body).toMatchObject({ code: 'UNDO_REFUSED' });
  });

  test('of issues alone, of events, and of both mixed', async () => {
    await issuesOf('mix-a', 'mix-b', 'mix-c');
    for (const [query, total] of [
      ['kind:mix', 3],
      ['mix-a', 1],
      ['(kind:mix is:resolved) OR mix-b', 1],
      ['is:archived is:resolved', 0],
    ] as const) {
      const started = await send('POST', `${org}/issues/bulk/`, { query, change: { isBookmarked: true } });
      expect([query, started.body['total']]).toEqual([query, total]);
      await settled(started.body.id, 'done');
    }
  });

  test('ask for something that can be done', async () => {
    const start = async (body: object): Promise<unknown> =>
      (await send('POST', `${org}/issues/bulk/`, body)).body['code'];
    expect(await start({ change: {} })).toBe('INPUT_INVALID');
    expect(await start({ change: { delete: true, status: 'resolved' } })).toBe('INPUT_INVALID');
    expect(await start({ query: 'is:nothing', change: { status: 'resolved' } })).toBe('QUERY_INVALID');
    expect(await start({ ids: ['WEB-99999'], change: { status: 'resolved' } })).toBe('NOT_FOUND');
    expect((await send('GET', `${org}/issues/bulk/99999/`)).status).toBe(404);
    const mine = await api.makeToken('event:write');
    const answer = await api.call({
      method: 'POST',
      url: `/api/0${org}/issues/bulk/`,
      payload: { change: { delete: true } },
      token: mine,
    });
    expect(answer.json()).toMatchObject({ code: 'SCOPE_MISSING' });
  });

  test('what is wrong with a change of one is said at once, and nothing is changed', async () => {
    const [a = ''] = await issuesOf('wrong');
    await api.state.db.deleteFrom('release_project').execute();
    const answer = await send('PUT', `/issues/${a}/`, { status: 'resolved', statusDetails: { inRelease: 'latest' } });
    expect(answer.body).toMatchObject({ code: 'INPUT_INVALID' });
    expect((await get(a)).body).toMatchObject({ status: 'unresolved' });
  });
});

describe('deleting', () => {
  const due = async (id: string): Promise<void> => {
    await api.state.db.updateTable('bulk_job').set({ due_at: 0 }).where('id', '=', Number(id)).execute();
  };
  const rowsOf = async (name: string): Promise<number> => {
    const own = `group_hash = '${hash(name)}'`;
    const counts = await Promise.all(
      ['errors', 'issue_hours', 'issue_ranks', 'issue_lives'].map((table) =>
        api.events.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE ${own}`),
      ),
    );
    return counts.flat().reduce((sum, { n }) => sum + n, 0);
  };

  const attach = async (name: string, key: string): Promise<void> => {
    const [event] = await api.events.query<{ id: string }>(
      `SELECT event_id AS id FROM errors WHERE group_hash = '${hash(name)}' LIMIT 1`,
    );
    await api.blobs.put(key, Buffer.from(name));
    const item: ItemRow = {
      project_id: api.projectId,
      received_at: now,
      item_type: 'attachment',
      category: 'attachment',
      outcome: 'accepted',
      reason: '',
      detail: '',
      event_id: event?.id ?? '',
      headers: '{}',
      size_bytes: name.length,
      payload: '',
      blob_key: key,
    };
    await api.events.insert('items', [item], `attached to ${name}`);
  };

  test('is hidden first and can be had back', async () => {
    const [a = ''] = await issuesOf('gone-a');
    const removed = await send('DELETE', `/issues/${a}/`);
    expect(removed).toMatchObject({ status: 202, body: { undo: { id: expect.any(String) } } });
    expect((await get(a)).status).toBe(404);
    expect(await found('gone-a')).toEqual([]);
    expect(await send('GET', `${org}/issues/bulk/${removed.body.undo.id}/`)).toMatchObject({
      body: { state: 'waiting' },
    });
    expect((await undo(removed.body.undo.id)).body.state).toBe('undone');
    expect((await get(a)).body).toMatchObject({ status: 'unresolved', substatus: 'new' });
  });

  test('takes everything in both stores; its next event is a new issue', async () => {
    const [a = '', b = ''] = await issuesOf('gone-b', 'stays');
    expect(await rowsOf('gone-b')).toBeGreaterThan(4);
    await attach('gone-b', 'items/2026-01-01/gone');
    await attach('stays', 'items/2026-01-01/stays');
    const removed = await send('DELETE', `${org}/issues/?id=${a}`);
    await due(removed.body.undo.id);
    expect(await settled(removed.body.undo.id, 'done')).toMatchObject({ undoableUntil: null });
    expect(await rowsOf('gone-b')).toBe(0);
    expect(await rowsOf('stays')).toBeGreaterThan(4);
    expect(await api.events.query<{ key: string }>('SELECT blob_key AS key FROM items')).toEqual([
      { key: 'items/2026-01-01/stays' },
    ]);
    expect(await api.blobs.get('items/2026-01-01/gone')).toBeUndefined();
    expect(await api.blobs.get('items/2026-01-01/stays')).toBeDefined();
    for (const table of ['issue_hash', 'issue_activity', 'issue_subscription'] as const) {
      expect(await api.state.db.selectFrom(table).selectAll().where('issue_id', '=', Number(a)).execute()).toEqual([]);
    }
    expect((await undo(removed.body.undo.id)).body).toMatchObject({ code: 'UNDO_REFUSED' });
    expect((await get(b)).status).toBe(200);
    const [again = ''] = await issuesOf('gone-b');
    expect(Number(again)).toBeGreaterThan(Number(b));
    expect((await get(again)).body).toMatchObject({ count: '1' });
  });

  test('a discarded issue does not come back until it is wanted again', async () => {
    const [a = ''] = await issuesOf('unwanted');
    const discarded = await send('PUT', `/issues/${a}/`, { discard: true });
    expect(discarded.body).toMatchObject({ id: a });
    await due(discarded.body.undo.id);
    await settled(discarded.body.undo.id, 'done');
    const list = await api.get<{ id: string; title: string; actor: { email: string } }[]>(
      '/api/0/projects/acme/web/tombstones/',
    );
    expect(list).toMatchObject([{ title: 'TypeError: unwanted', actor: { email: 'dev@example.com' } }]);
    expect(await issuesOf('unwanted')).toEqual(['undefined']);
    expect((await send('DELETE', `/projects/acme/web/tombstones/${list[0]?.id}/`)).status).toBe(204);
    expect((await send('DELETE', `/projects/acme/web/tombstones/${list[0]?.id}/`)).status).toBe(404);
    const [back = ''] = await issuesOf('unwanted');
    expect(Number(back)).toBeGreaterThan(Number(a));
  });
});

test('how many events of an issue are stored is limited, and only so that one is', async () => {
  const [a = '', b = ''] = await issuesOf('limit-a', 'limit-b');
  expect((await get(a)).body).toMatchObject({ eventLimit: null, waitingEvents: null });
  for (const eventLimit of [{ events: 0, per: 'hour' }, { events: 5, per: 'day' }, { events: 1.5, per: 'hour' }, 5]) {
    expect((await send('PUT', `/issues/${a}/`, { eventLimit })).status).toBe(400);
  }
  const many = await send('PUT', `${org}/issues/?id=${a}&id=${b}`, { eventLimit: { events: 5, per: 'hour' } });
  expect(many.body).toMatchObject({ issueIds: [a, b] });
  expect((await get(b)).body).toMatchObject({ eventLimit: { events: 5, per: 'hour' } });
  expect((await send('PUT', `/issues/${a}/`, { eventLimit: { events: 5, per: 'hour' } })).body.undo).toBeNull();
  await undo(many.body.undo.id);
  expect((await get(b)).body).toMatchObject({
    eventLimit: null,
    activity: [{ type: 'set_limit', data: { limit: null } }, { type: 'set_limit' }, { type: 'first_seen' }],
  });
  const problem = { type: 'performance_n_plus_one_db_queries' };
  await api.state.db.updateTable('issue').set(problem).where('id', '=', Number(b)).execute();
  expect((await send('PUT', `/issues/${b}/`, { eventLimit: { events: 5, per: 'hour' } })).body).toMatchObject({
    detail: expect.stringContaining('performance problems'),
  });
});
