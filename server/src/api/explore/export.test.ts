import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExporter, exportKey } from '../../domains/explore/index.ts';
import { createRunner } from '../../jobs/index.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { createFailures } from '../../base/self/index.ts';
import { testLogRow } from '../../ports/events/test-rows.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const org = '/api/0/organizations/acme';
const nowMs = Date.now();
const count = 2500;
let api: TestApi;

interface Export {
  id: string;
  status: string;
  progress: number;
  rows: number;
  total: number | null;
  limit: number;
  truncated: boolean;
  bytes: number;
  detail: string;
  fileName: string;
  dateExpires: string | null;
}

const question = (overrides: object = {}) => ({ dataset: 'errors', statsPeriod: '1d', ...overrides });
const start = (format: string, overrides: object = {}) =>
  api.call({ method: 'POST', url: `${org}/data-export/`, payload: { format, question: question(overrides) } });
const read = (id: string): Promise<Export> => api.get(`${org}/data-export/${id}/`);

async function finished(id: string): Promise<Export> {
  for (;;) {
    const one = await read(id);
    if (one.status !== 'waiting' && one.status !== 'running') return one;
    await delay(20);
  }
}

async function exported(format: string, overrides: object = {}): Promise<{ job: Export; text: string; type: string }> {
  const answer = await start(format, overrides);
  expect(answer.statusCode, answer.body).toBe(201);
  const job = await finished(answer.json<Export>().id);
  expect(job).toMatchObject({ status: 'done', progress: 1, detail: '' });
  const file = await api.call({ url: `${org}/data-export/${job.id}/?download=true` });
  expect(file.statusCode).toBe(200);
  expect(file.headers['content-disposition']).toBe(`attachment; filename="${job.fileName}"`);
  return { job, text: file.body, type: String(file.headers['content-type']) };
}

/** Another one beside that of the API. */
const openNode = () => {
  const failures = createFailures({ logger: { error: () => {} } });
  const { jobs } = createExporter({ state: api.state, events: api.events, blobs: api.blobs, failures });
  const runner = createRunner(jobs, { state: api.state, failures, node: 'other' });
  runner.start(Promise.resolve());
  return runner;
};

beforeAll(async () => {
  api = await openTestApi();
  await store(
    api,
    Array.from({ length: count }, (_, index) =>
      errorRow({
        project_id: api.projectId,
        group_hash: hash('one'),
        event_id: hash(`export ${index}`),
        // Ten at a time, so that pages end amid the events of one moment.
        timestamp: nowMs - Math.floor(index / 10) * 1000,
        error_value: index === 0 ? '=HYPERLINK("http://x", "a")' : `value ${index}`,
        title: index === 0 ? '=1+1' : `title, ${index}`,
        level: index % 5 ? 'error' : 'warning',
        tags: index === 1 ? { odd: 'a\0b\ud800"c"\nd' } : {},
      }),
    ),
  );
});
afterAll(() => api[Symbol.asyncDispose]());

describe('a file', () => {
  test('of CSV has every row once, the newest first, and nothing that a spreadsheet would run', async () => {
    const { job, text, type } = await exported('csv', { field: ['id', 'title', 'issue', 'level'] });
    expect(job).toMatchObject({ rows: count, total: count, truncated: false, limit: 1_000_000 });
    expect(job.fileName).toMatch(/^explore-errors-\d{4}-\d\d-\d\d-\d+\.csv$/);
    expect(type).toBe('text/csv; charset=utf-8');
    const lines = text.split('\r\n');
    expect(lines[0]).toBe('id,title,issue,level');
    expect(lines.at(-1)).toBe('');
    expect(lines).toHaveLength(count + 2);
    expect(new Set(lines.slice(1, -1).map((line) => line.split(',')[0])).size).toBe(count);
    expect(text).toContain(`${hash('export 0')},'=1+1,WEB-1,warning`);
    expect(text).toContain('"title, 7"');
    expect(job.bytes).toBe(Buffer.byteLength(text));
  });

  test('of JSON Lines has a row a line', async () => {
    const { text, type } = await exported('jsonl', { field: ['id', 'tags[odd]', 'timestamp'], query: 'level:error' });
    expect(type).toBe('application/x-ndjson; charset=utf-8');
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength((count / 5) * 4);
    expect(rows.some((row) => row['tags[odd]'] === 'a\0b\uFFFD"c"\nd')).toBe(true);
    const times = rows.map((row) => Date.parse(String(row['timestamp'])));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test('of groups has them as the table has them', async () => {
    const { job, text } = await exported('csv', { field: ['level', 'count()'], sort: ['count()'] });
    expect(text).toBe(`level,count()\r\nwarning,${count / 5}\r\nerror,${(count / 5) * 4}\r\n`);
    expect(job).toMatchObject({ rows: 2, total: 2, limit: 50_000 });
  });

  test('of nothing is its head', async () => {
    expect((await exported('csv', { field: ['id', 'level'], query: 'level:none' })).text).toBe('id,level\r\n');
  });
});

describe('rows of logs', () => {
  const row = (index: number) =>
    testLogRow({
      project_id: api.projectId,
      // Seven at a time, so that a page would end amid the rows of one moment.
      timestamp: (nowMs - Math.floor(index / 7) * 1000) * 1000,
      body: `log ${index}`,
      environment: index % 2 ? 'production' : 'test',
      attributes: { 'http.route': '/a,"b"' },
    });

  test('come whole, the newest first, as they are stored', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => row(index));
    await api.events.insert('logs', rows, 'logs to export');
    const { job, text } = await exported('jsonl', { dataset: 'logs' });
    expect(job).toMatchObject({ rows: 1200, total: 1200 });
    expect(job.fileName).toMatch(/^explore-logs-.*\.jsonl$/);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(lines.map(({ body }) => body)).size).toBe(1200);
    expect(lines[0]).toMatchObject({
      project: 'web',
      level: 'info',
      attributes: { 'http.route': '/a,"b"' },
      timestamp: new Date(nowMs).toISOString().replace('Z', '000Z'),
    });
    const few = await exported('csv', { dataset: 'logs', field: ['body', 'attributes'], environment: ['test'] });
    expect(few.job.rows).toBe(600);
    expect(few.text).toMatch(/^body,attributes\r\nlog \d+,"\{""http\.route"":/);
  });

  test('are refused where they could not be asked for', async () => {
    for (const asked of [{ query: 'level:error' }, { sort: ['body'] }, { field: ['project_id'] }]) {
      expect((await start('csv', { dataset: 'logs', ...asked })).statusCode).toBe(400);
    }
    expect((await start('csv', { dataset: 'sessions' })).statusCode).toBe(400);
  });
});

describe('an export', () => {
  test('is refused where its question could not be asked', async () => {
    const answer = await start('csv', { field: ['cuont()'] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ problems: unknown[] }>().problems).toHaveLength(1);
    expect((await start('xls')).statusCode).toBe(400);
  });

  test('is seen by whoever asked for it alone', async () => {
    const { job } = await exported('csv', { field: ['level', 'count()'] });
    const other = await api.call({ url: `${org}/data-export/${job.id}0/` });
    expect(other.statusCode).toBe(404);
    expect((await api.get<Export[]>(`${org}/data-export/`)).map(({ id }) => id)).toContain(job.id);
  });

  test('is deleted with its file', async () => {
    const { job } = await exported('csv', { field: ['level', 'count()'] });
    const key = exportKey({ organizationId: api.organizationId, id: Number(job.id) });
    expect(await api.blobs.get(key)).toBeDefined();
    expect((await api.call({ method: 'DELETE', url: `${org}/data-export/${job.id}/` })).statusCode).toBe(204);
    expect(await api.blobs.get(key)).toBeUndefined();
    expect((await api.call({ url: `${org}/data-export/${job.id}/` })).statusCode).toBe(404);
  });

  test('that is cancelled writes nothing more; no more than a few wait at a time', async () => {
    const asked = await Promise.all(Array.from({ length: 6 }, () => start('csv', { field: ['id'] })));
    expect(asked.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 201, 201, 409]);
    const ids = asked.flatMap((answer) => (answer.statusCode === 201 ? [answer.json<Export>().id] : []));
    const last = ids.at(-1) ?? '';
    await api.call({ method: 'DELETE', url: `${org}/data-export/${last}/` });
    const ends = await Promise.all(ids.map(finished));
    expect(ends.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done', 'cancelled']);
    expect((await api.call({ url: `${org}/data-export/${last}/?download=true` })).statusCode).toBe(404);
  });

  test('that broke off when the server stopped begins again, and fails when it broke off too often', async () => {
    const { job } = await exported('csv', { field: ['level', 'count()'] });
    const broken = { state: 'running', finished_at: null, claimed_by: 'gone', claimed_until: 0 } as const;
    const set = (values: object) =>
      api.state.db.updateTable('data_export').set(values).where('id', '=', Number(job.id)).execute();
    const again = async () => {
      await using _ = openNode();
      return await finished(job.id);
    };
    await set({ ...broken, attempts: 1 });
    expect(await again()).toMatchObject({ status: 'done', rows: 2 });
    await set({ ...broken, attempts: 3 });
    expect(await again()).toMatchObject({ status: 'failed', detail: 'it was interrupted too often' });
  });

  test('goes a week after its end', async () => {
    const { job } = await exported('csv', { field: ['level', 'count()'] });
    expect(job.dateExpires).not.toBeNull();
    await api.state.db
      .updateTable('data_export')
      .set({ finished_at: nowMs - 7 * 86_400_000 - 1 })
      .where('id', '=', Number(job.id))
      .execute();
    expect((await read(job.id)).status).toBe('expired');
    const key = exportKey({ organizationId: api.organizationId, id: Number(job.id) });
    await api.state.db.updateTable('job').set({ due_at: 0 }).where('name', '=', 'export-expiry').execute();
    await using _ = openNode();
    while (await api.blobs.get(key)) await delay(10);
    expect((await api.call({ url: `${org}/data-export/${job.id}/` })).statusCode).toBe(404);
  });
});

interface Saved {
  id: string;
  name: string;
  visibility: string;
  mine: boolean;
  canChange: boolean;
  question: { dataset: string; field: string[]; view?: object };
}
const saved = `${org}/explore/saved/`;

describe('saved questions', () => {
  const asked = {
    dataset: 'spans',
    query: 'span.op:db',
    field: ['span.description', 'count()'],
    groupBy: ['span.description'],
    yAxis: ['count()'],
    sort: ['-count()'],
    statsPeriod: '7d',
    view: { chart: 'bars' },
  };

  test('are kept as a whole, changed, and deleted', async () => {
    const made = await api.call({ method: 'POST', url: saved, payload: { name: ' Queries ', question: asked } });
    expect(made.statusCode, made.body).toBe(201);
    const { id, ...one } = made.json<Saved>();
    expect(one).toMatchObject({ name: 'Queries', visibility: 'owner', mine: true, canChange: true, question: asked });
    expect(await api.get<Saved[]>(saved)).toEqual([expect.objectContaining({ id })]);
    const changed = await api.call({ method: 'PUT', url: `${saved}${id}/`, payload: { visibility: 'organization' } });
    expect(changed.json()).toMatchObject({ name: 'Queries', visibility: 'organization', question: asked });
    expect((await api.call({ method: 'DELETE', url: `${saved}${id}/` })).statusCode).toBe(204);
    expect(await api.get<Saved[]>(saved)).toEqual([]);
  });

  test.each([
    [{ name: '', question: asked }, 'name'],
    [{ name: 'x', question: { ...asked, field: ['cuont()'] } }, 'cuont'],
    [{ name: 'x', question: { ...asked, query: 'level:' } }, 'level'],
    [{ name: 'x', question: { ...asked, dataset: 'everything' } }, 'dataset'],
    [{ name: 'x', question: { ...asked, field: Array.from({ length: 21 }, () => 'x') } }, 'field'],
    [
      {
        name: 'x',
        question: {
          ...asked,
          groupBy: Array.from({ length: 10 }, () => 'x'.repeat(500)),
          view: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 'y'.repeat(500)])),
        },
      },
      '16 kB',
    ],
  ])('refuses %j', async (payload, words) => {
    const answer = await api.call({ method: 'POST', url: saved, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain(words);
  });

  test('not without the right', async () => {
    const token = await api.makeToken('event:read');
    expect(
      (await api.call({ method: 'POST', url: saved, token, payload: { name: 'x', question: asked } })).statusCode,
    ).toBe(403);
    expect((await api.call({ url: `${saved}12345/` })).statusCode).toBe(404);
  });
});

test('nothing failed on the server', () => {
  expect(api.errors).toEqual([]);
});
