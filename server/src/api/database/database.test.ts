import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import { createHash } from 'node:crypto';
import { createProject } from '../../domains/projects/index.ts';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const minuteMs = 60_000;
const nowMs = Date.now();
const idOf = (text: string): string => createHash('md5').update(text).digest('hex');

let api: TestApi;
let made = 0;

const books = 'SELECT * FROM books';
const author = 'SELECT name FROM authors WHERE id = %s';
const hashOf = (statement: string): string => idOf(statement).slice(0, 16);

function call(statement: string, durationMs: number, columns: Partial<SpanRow> = {}): SpanRow {
  made += 1;
  const id = idOf(`call ${made}`);
  return testSpanRow({
    project_id: api.projectId,
    trace_id: id,
    span_id: id.slice(0, 16),
    is_segment: 0,
    op: 'db.sql.query',
    name: statement,
    description: statement,
    description_hash: hashOf(statement),
    transaction: 'GET /books',
    started_at: (nowMs - 30 * minuteMs) * 1000,
    duration_us: durationMs * 1000,
    ...columns,
    attributes: { 'db.system.name': 'postgresql', ...columns.attributes },
  });
}

const view = { 'code.namespace': 'shop.views', 'code.function.name': 'books', 'code.file.path': 'shop/views.py' };
const report = { 'code.function.name': 'shop.report.total', 'code.file.path': '/srv/app/shop/report.py' };

beforeAll(async () => {
  api = await openTestApi();
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'Other' });
  const other = project.id;
  const called = [
    ...Array.from({ length: 40 }, () => call(author, 5)),
    ...Array.from({ length: 4 }, () => call(author, 200, { attributes: view, numbers: { 'code.line.number': 31 } })),
    ...Array.from({ length: 2 }, () =>
      call(author, 300, {
        transaction: 'GET /report',
        attributes: report,
        numbers: { 'code.line.number': 7 },
        failed: 1,
      }),
    ),
    call(books, 900, { release: 'shop@2.0.0', environment: 'staging' }),
    call(author, 1, { project_id: other }),
  ];
  // None of these asks a database.
  const others = [
    call('connect', 4_000),
    call('GET *', 4_000, { op: 'db.redis' }),
    call('shop', 4_000, { op: 'db.connection' }),
    call('GET /books', 9_000, { is_segment: 1, op: 'http.server' }),
    call('sql.rows', 4_000),
  ];
  await api.events.insert('spans', [...called, ...others], 'queries');
});
afterAll(() => api[Symbol.asyncDispose]());

interface Listed {
  data: { id: string; statement: string; project: { slug: string }; count: number; transactions: number }[];
  meta: { share: number | null };
}
const list = (query = ''): Promise<Listed> => api.get(`/api/0/organizations/acme/queries/?${query}`);
const one = (part = '', query = '', hash = hashOf(author)): string =>
  `/api/0/projects/acme/web/queries/${hash}/${part}?${query}`;

describe('all queries', () => {
  test('by total time, with who calls them; nothing that asks no database', async () => {
    const { data, meta } = await list();
    expect(data.map(({ statement, project, count }) => [statement, project.slug, count])).toEqual([
      [author, 'web', 46],
      [books, 'web', 1],
      [author, 'other', 1],
    ]);
    expect(data[0]).toMatchObject({
      id: hashOf(author),
      system: 'postgresql',
      op: 'db.sql.query',
      service: 'shop',
      transaction: 'GET /books',
      transactions: 2,
      totalMs: 1_600,
    });
    expect(meta.share).toBeNull();
  });

  test('by project, environment, release and text', async () => {
    const statements = async (query: string) => (await list(query)).data.map(({ statement }) => statement);
    expect(await statements('project=other')).toEqual([author]);
    expect(await statements('environment=staging')).toEqual([books]);
    expect(await statements('release=shop@2.0.0')).toEqual([books]);
    expect(await statements('query=BOOKS')).toEqual([books]);
    expect(await statements("query=' OR 1=1")).toEqual([]);
    expect(await statements('statsPeriod=5m')).toEqual([]);
  });

  test('in every order, in pages', async () => {
    expect((await list('sort=count')).data[0]?.statement).toBe(author);
    for (const sort of ['p50', 'p95']) expect((await list(`sort=${sort}`)).data[0]?.statement).toBe(books);
    expect((await list('limit=1&cursor=0:1:0')).data.map(({ statement }) => statement)).toEqual([books]);
    const answer = await api.call({ url: '/api/0/organizations/acme/queries/?limit=1' });
    expect(answer.headers['link']).toContain('rel="next"; results="true"; cursor="0:1:0"');
    expect((await api.call({ url: '/api/0/organizations/acme/queries/?sort=name' })).statusCode).toBe(400);
  });
});

describe('one query', () => {
  test('its numbers, over time', async () => {
    const found = await api.get<{ series: { count: number }[]; p95Ms: number; failureRate: number }>(one());
    expect(found).toMatchObject({ statement: author, count: 46, totalMs: 1_600, system: 'postgresql', share: null });
    expect(found.failureRate).toBeCloseTo(2 / 46);
    expect(found.p95Ms).toBeCloseTo(200, -1);
    expect(found.series.reduce((sum, { count }) => sum + count, 0)).toBe(46);
  });

  test('what nobody called is not found', async () => {
    expect((await api.call({ url: one('', '', '0123456789abcdef') })).statusCode).toBe(404);
    expect((await api.call({ url: one('', 'statsPeriod=5m') })).statusCode).toBe(404);
    expect((await api.call({ url: one('', '', 'nothing') })).statusCode).toBe(400);
  });

  test('transactions that call it', async () => {
    expect(await api.get(one('transactions/'))).toMatchObject({
      transactions: [
        { transaction: 'GET /books', count: 44, totalMs: 1_000, timeShare: 0.625 },
        { transaction: 'GET /report', count: 2, totalMs: 600 },
      ],
      share: null,
    });
  });

  test('lines of code that call it, each with its slowest call', async () => {
    const found = await api.get<{ sites: object[]; samples: { durationMs: number; site: unknown }[] }>(
      one('call-sites/'),
    );
    expect(found).toMatchObject({
      examined: 46,
      told: 6,
      sites: [
        {
          function: 'shop.views.books',
          file: 'shop/views.py',
          line: 31,
          count: 4,
          totalMs: 800,
          link: null,
          transactions: ['GET /books'],
          longest: { durationMs: 200 },
        },
        { function: 'shop.report.total', file: '/srv/app/shop/report.py', line: 7, count: 2 },
      ],
    });
    expect(found.samples).toHaveLength(10);
    expect(found.samples[0]).toMatchObject({
      durationMs: 300,
      transaction: 'GET /report',
      failed: true,
      site: { file: '/srv/app/shop/report.py', line: 7 },
    });
    expect(found.samples.at(-1)?.site).toBeNull();
  });

  test('their lines in the repository, by its code mappings', async () => {
    const repository = await api.call({
      method: 'POST',
      url: '/api/0/organizations/acme/repos/',
      payload: { url: 'https://github.com/acme/shop', defaultBranch: 'main' },
    });
    const { id } = repository.json<{ id: string }>();
    const mapped = await api.call({
      method: 'POST',
      url: '/api/0/organizations/acme/code-mappings/',
      payload: { project: 'web', repoId: id, stackRoot: '/srv/app/', sourceRoot: 'backend/' },
    });
    expect(mapped.statusCode).toBe(201);
    const { sites } = await api.get<{ sites: { link: string | null }[] }>(one('call-sites/'));
    expect(sites.map(({ link }) => link)).toEqual([
      null,
      'https://github.com/acme/shop/blob/main/backend/shop/report.py#L7',
    ]);
  });
});

describe('more spans than are read', () => {
  const rows = 60_000;
  let large: TestApi;

  beforeAll(async () => {
    large = await openTestApi({ sampling: { exactRows: 10_000, stretches: 128, stretchRows: 64 } });
    // Yesterday, whole: the same rows are drawn whenever this runs.
    await large.events.command(
      `INSERT INTO spans (project_id, trace_id, span_id, started_at, duration_us, op, name, description, description_hash, transaction, attributes, numbers)
       SELECT ${large.projectId}, lower(hex(MD5(toString(intDiv(number, 5))))), lower(hex(sipHash64(number))),
         toStartOfDay(now()) - INTERVAL 1 DAY + toIntervalMillisecond(number * 1400), 1000 + number % 100 * 1000,
         if(number % 5 = 0, 'http.client', 'db'), 'q', if(number % 5 = 1, 'SELECT 1', 'SELECT 2'),
         if(number % 5 = 1, '${'1'.repeat(16)}', '${'2'.repeat(16)}'), concat('GET /', toString(sipHash64(intDiv(number, 100)) % 7)),
         map('code.function.name', 'shop.one'), map('code.line.number', 3)
       FROM numbers(${rows})`,
    );
  });
  afterAll(() => large?.[Symbol.asyncDispose]());

  test('are estimated from a sample, which is said', async () => {
    const { data, meta } = await large.get<Listed>('/api/0/organizations/acme/queries/?statsPeriod=2d');
    expect(meta.share).toBeGreaterThan(0);
    expect(meta.share).toBeLessThan(0.4);
    const [two, first] = data;
    expect([two?.statement, first?.statement]).toEqual(['SELECT 2', 'SELECT 1']);
    expect(two?.count).toBeGreaterThan(0.6 * rows * 0.8);
    expect(two?.count).toBeLessThan(0.6 * rows * 1.25);
    const path = `/api/0/projects/acme/web/queries/${'2'.repeat(16)}/`;
    const details = await large.get<{ count: number; share: number; p50Ms: number }>(`${path}?statsPeriod=2d`);
    expect(details.share).toBe(meta.share);
    expect(details.count).toBe(two?.count);
    expect(Math.abs(details.p50Ms - 50)).toBeLessThan(10);
    const { transactions } = await large.get<{ transactions: object[] }>(`${path}transactions/?statsPeriod=2d`);
    expect(transactions).toHaveLength(7);
    expect(await large.get(`${path}call-sites/?statsPeriod=2d`)).toMatchObject({
      examined: 2_000,
      told: 2_000,
      sites: [{ function: 'shop.one', file: '', line: 3, count: 2_000, link: null }],
    });
  });
});
