import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ItemRow } from '../../base/tables/items.ts';
import { backfillFeedback, linkLate, recordFeedback } from '../../domains/feedback/index.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import type * as contract from './contract.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const nowMs = Date.now();
const minute = 60_000;
let api: TestApi;

type List = z.output<typeof contract.listFeedback.response>;
type Attachment = z.output<typeof contract.listAttachments.response>[number];

const root = '/api/0/organizations/acme/feedback/';
const list = (query = ''): Promise<List> => api.get(`${root}${query}`);
const id = (name: string): string => hash(name);

const item = (overrides: Partial<ItemRow>): ItemRow => ({
  project_id: api.projectId,
  received_at: nowMs - minute,
  item_type: 'feedback',
  category: 'feedback',
  outcome: 'accepted',
  reason: '',
  detail: '',
  event_id: '',
  headers: '{}',
  size_bytes: overrides.payload?.length ?? 0,
  payload: '',
  blob_key: '',
  ...overrides,
});
const form = (name: string, feedback: object, more: object = {}): ItemRow =>
  item({ event_id: id(name), payload: JSON.stringify({ contexts: { feedback }, environment: 'production', ...more }) });
const record = (rows: readonly ItemRow[]) => recordFeedback(api, rows, () => Promise.resolve(''));

beforeAll(async () => {
  api = await openTestApi();
  await store(api, [
    errorRow({
      project_id: api.projectId,
      group_hash: hash('a'),
      event_id: id('event'),
      title: 'a',
      timestamp: nowMs - 5 * minute,
    }),
  ]);
  const rows = [
    form('one', {
      message: 'The button does nothing',
      name: 'Ada',
      contact_email: 'ada@example.com',
      associated_event_id: id('event'),
    }),
    form('two', { message: '100 % sure that it_broke' }, { timestamp: nowMs / 1000 - 3600, environment: 'staging' }),
    item({
      item_type: 'user_report',
      event_id: id('late'),
      payload: JSON.stringify({ event_id: id('late'), name: 'Grace', email: 'g@example.com', comments: 'It crashed' }),
    }),
  ];
  await record(rows);
  // A batch that is run again.
  await record(rows);
});
afterAll(() => api[Symbol.asyncDispose]());

test('newest first, with the issue it is about; repeated batches count once', async () => {
  const { feedback, counts } = await list();
  expect(counts).toEqual({ open: 3, resolved: 0, spam: 0 });
  expect(feedback.at(-1)).toMatchObject({ message: '100 % sure that it_broke', issue: null, name: null });
  expect(feedback.find(({ name }) => name === 'Ada')).toMatchObject({
    kind: 'feedback',
    status: 'open',
    email: 'ada@example.com',
    eventId: id('event'),
    environment: 'production',
    project: { slug: 'web' },
    issue: { shortId: 'WEB-1', title: 'a' },
  });
});

test('an event that comes later is found', async () => {
  expect((await list('?query=crashed')).feedback[0]?.issue).toBeNull();
  await store(api, [
    errorRow({ project_id: api.projectId, group_hash: hash('a'), event_id: id('late'), title: 'a', timestamp: nowMs }),
  ]);
  expect((await list('?query=crashed')).feedback[0]?.issue).toBeNull();
  await linkLate(api, 0);
  expect((await list('?query=crashed')).feedback[0]?.issue).toMatchObject({ shortId: 'WEB-1' });
  const { feedback } = await list('?issue=1');
  expect(feedback.map(({ name }) => name).toSorted()).toEqual(['Ada', 'Grace']);
});

test.each([
  ['?query=BUTTON', 1],
  ['?query=%25', 1],
  ['?query=it_b', 1],
  ['?query=itXb', 0],
  ['?environment=staging', 1],
  ['?statsPeriod=30m', 2],
  ['?status=spam', 0],
  ['?status=all&project=web', 3],
])('%s: %i', async (query, count) => expect((await list(query)).feedback).toHaveLength(count));

test('resolved, taken back, spam, deleted', async () => {
  const [{ id: one } = { id: '' }] = (await list('?query=button')).feedback;
  const put = async (status: string) => {
    const answer = await api.call({ method: 'PUT', url: root, payload: { ids: [one], status } });
    return answer.json<object>();
  };
  expect(await put('resolved')).toEqual([{ id: one, before: 'open' }]);
  expect(await put('resolved')).toEqual([]);
  expect((await list()).counts).toEqual({ open: 2, resolved: 1, spam: 0 });
  expect(await put('open')).toEqual([{ id: one, before: 'resolved' }]);
  const gone = await api.call({ method: 'DELETE', url: `${root}${one}/` });
  expect(gone.statusCode).toBe(204);
  expect((await api.call({ method: 'GET', url: `${root}${one}/` })).statusCode).toBe(404);
});

test("in Sentry's shape", async () => {
  const reports = await api.get<object[]>('/api/0/projects/acme/web/user-feedback/');
  expect(reports).toContainEqual(
    expect.objectContaining({ eventID: id('late'), comments: 'It crashed', name: 'Grace' }),
  );
  expect(await api.get<object[]>('/api/0/issues/1/user-reports/')).toHaveLength(1);
  expect(await api.get('/api/0/issues/1/')).toMatchObject({ userReportCount: 1 });
});

test('what was kept by an earlier version is found once', async () => {
  await api.events.insert('items', [form('kept', { message: 'From before' })], 'kept feedback');
  expect(await backfillFeedback(api)).toBe(1);
  expect((await list('?query=before')).feedback).toHaveLength(1);
  expect(await backfillFeedback(api)).toBe(0);
});

describe('attachments', () => {
  const event = id('event');
  const address = `/api/0/projects/acme/web/events/${event}/attachments/`;
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const attach = async (name: string, type: string, bytes: Buffer | string): Promise<void> => {
    const blobKey = typeof bytes === 'string' ? '' : `1/attachments/${name}`;
    if (typeof bytes !== 'string') await api.blobs.put(blobKey, bytes);
    const payload = typeof bytes === 'string' ? bytes : '';
    const headers = JSON.stringify({ type: 'attachment', filename: name, content_type: type });
    await api.events.insert(
      'items',
      [
        item({
          item_type: 'attachment',
          category: 'attachment',
          event_id: event,
          headers,
          payload,
          blob_key: blobKey,
          size_bytes: bytes.length,
        }),
      ],
      `attachment ${name}`,
    );
  };
  let all: Attachment[];
  beforeAll(async () => {
    await attach('screen.png', 'image/png', png);
    await attach('../../etc/pa"ss\u202Egnp.log', 'text/plain', 'hello');
    await attach('page.html', 'text/html', '<script>alert(1)</script>');
    await attach('fake.png', 'image/png', Buffer.from('<svg onload=alert(1)>\xff', 'latin1'));
    all = await api.get(address);
  });
  const of = (name: string): Attachment => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`no ${name} among ${all.map((one) => one.name).join(', ')}`);
    return found;
  };
  const bytesOf = (name: string, how: string) => api.call({ method: 'GET', url: `${address}${of(name).id}/?${how}=1` });

  test('are listed by names without paths or tricks', () => {
    expect(all.map(({ name, kind }) => [name, kind]).toSorted()).toEqual([
      ['fake.png', 'image'],
      ['pa_ss_gnp.log', 'text'],
      ['page.html', 'text'],
      ['screen.png', 'image'],
    ]);
  });

  test.each([
    ['screen.png', 'image/png', 'inline'],
    ['pa_ss_gnp.log', 'text/plain; charset=utf-8', 'inline'],
    ['page.html', 'text/plain; charset=utf-8', 'inline'],
    // What says that it is an image and is none is not shown.
    ['fake.png', 'application/octet-stream', 'attachment'],
  ])('%s is shown as %s', async (name, type, disposition) => {
    const answer = await bytesOf(name, 'show');
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['content-disposition']).toMatch(new RegExp(`^${disposition}; `));
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test('no browser keeps one', async () => {
    for (const how of ['show', 'download'] as const) {
      expect((await bytesOf('screen.png', how)).headers['cache-control']).toBe('no-store');
    }
  });

  test('a download is one, whatever it is', async () => {
    const answer = await bytesOf('screen.png', 'download');
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''screen.png");
    expect(answer.rawPayload.equals(png)).toBe(true);
  });

  test('half a character at the end of a name that was cut is no failure', async () => {
    await attach(`${'x'.repeat(254)}\u{1F600}.log`, 'text/plain', 'hello');
    const cut = (await api.get<Attachment[]>(address)).find(({ name }) => name.startsWith('xx'));
    expect(cut?.name).toBe(`${'x'.repeat(254)}\uFFFD`);
    const answer = await api.call({ method: 'GET', url: `${address}${cut?.id}/?download=1` });
    expect([answer.statusCode, answer.body]).toEqual([200, 'hello']);
    expect((await api.call({ method: 'DELETE', url: `${address}${cut?.id}/` })).statusCode).toBe(204);
  });

  test('about one; of another event it is not there; deleted it is gone', async () => {
    expect(await api.get<Attachment>(`${address}${of('screen.png').id}/`)).toMatchObject({
      sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const elsewhere = `/api/0/projects/acme/web/events/${id('late')}/attachments/${of('screen.png').id}/`;
    expect((await api.call({ method: 'GET', url: elsewhere })).statusCode).toBe(404);
    const url = `${address}${of('screen.png').id}/`;
    expect((await api.call({ method: 'DELETE', url })).statusCode).toBe(204);
    expect((await api.call({ method: 'GET', url })).statusCode).toBe(404);
    expect(await api.get<Attachment[]>(address)).toHaveLength(3);
  });
});
