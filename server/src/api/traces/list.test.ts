import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import { testErrorRow, testSpanRow } from '../../ports/events/test-rows.ts';
import { hash } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const nowMs = Date.now();
const minuteMs = 60_000;
let api: TestApi;

const trace = (name: string): string => hash(`trace ${name}`);

/** A segment `minutesAgo` of a trace by name. */
const segment = (name: string, minutesAgo: number, durationMs: number, overrides: Partial<SpanRow> = {}): SpanRow => {
  const span_id = hash(`${name} ${minutesAgo} ${overrides.service ?? ''}`).slice(0, 16);
  return testSpanRow({
    project_id: api.projectId,
    trace_id: trace(name),
    span_id,
    segment_id: span_id,
    started_at: (nowMs - minutesAgo * minuteMs) * 1000,
    duration_us: durationMs * 1000,
    ...overrides,
  });
};

interface Listed {
  traceId: string;
  root: { transaction: string; service: string; durationMs: number } | null;
  rootMissing: boolean;
  match: { transaction: string; service: string; durationMs: number; failed: boolean };
  startUs: number;
  durationMs: number;
  spans: number;
  services: string[];
  segments: number;
  failedSegments: number;
  errors: number;
}

const base = '/api/0/organizations/acme/traces/';
const list = (query = ''): Promise<Listed[]> => api.get(`${base}?statsPeriod=1h&${query}`);
const names = async (query = ''): Promise<string[]> => {
  const known = new Map(['checkout', 'slow', 'orphan', 'phone', 'many', 'plain'].map((name) => [trace(name), name]));
  return (await list(query)).map(({ traceId }) => known.get(traceId) ?? traceId);
};

beforeAll(async () => {
  api = await openTestApi();
  const front = segment('checkout', 10, 900, { op: 'pageload', transaction: '/checkout', service: 'web' });
  const back = segment('checkout', 9.9, 400, {
    parent_span_id: front.span_id,
    transaction: 'POST /pay',
    service: 'pay',
    failed: 1,
    status: 'internal_error',
    numbers: { 'http.response.status_code': 500 },
    attributes: { 'http.request.method': 'POST' },
  });
  const child = testSpanRow({
    ...back,
    span_id: 'c'.repeat(16),
    parent_span_id: back.span_id,
    is_segment: 0,
    op: 'db',
  });
  const rows = [
    front,
    back,
    child,
    // The same span, sent twice.
    child,
    segment('slow', 20, 8000, { transaction: 'GET /report', user: 'id:7' }),
    segment('orphan', 30, 50, { parent_span_id: 'f'.repeat(16), transaction: 'GET /late' }),
    segment('phone', 40, 70, {
      transaction: '/home',
      op: 'pageload',
      environment: 'staging',
      release: 'shop@2',
      attributes: { 'browser.name': 'Safari', 'os.name': 'iOS' },
      numbers: { 'http.response.status_code': Number.MAX_VALUE },
    }),
    // A web vital that stands alone is no request.
    segment('phone', 39, 10, { op: 'ui.webvital.lcp', service: 'vitals' }),
    segment('plain', 50, 60, { transaction: 'GET /plain' }),
  ];
  const many = Array.from({ length: 300 }, (_, index) =>
    segment('many', 45 + index / 1000, 100 + index, { transaction: 'job', service: `w${index}`, op: 'queue.task' }),
  );
  await api.events.insert('spans', [...rows, ...many], 'list');
  const error = { project_id: api.projectId, trace_id: trace('checkout'), timestamp: nowMs - 9 * minuteMs };
  await api.events.insert(
    'errors',
    [
      testErrorRow({ ...error, event_id: hash('one') }),
      testErrorRow({ ...error, event_id: hash('two'), issue_type: 'performance_slow_db_query' }),
    ],
    'errors',
  );
});
afterAll(() => api[Symbol.asyncDispose]());

describe('the list', () => {
  test('has a row for each trace, with what the whole trace has', async () => {
    const rows = await list();
    expect(await names()).toEqual(['checkout', 'slow', 'orphan', 'phone', 'many', 'plain']);
    expect(rows[0]).toMatchObject({
      root: { transaction: '/checkout', service: 'web', durationMs: 900 },
      rootMissing: false,
      match: { transaction: 'POST /pay', service: 'pay', failed: true },
      durationMs: 6400,
      // As received: one came twice.
      spans: 4,
      services: ['pay', 'web'],
      segments: 2,
      failedSegments: 1,
      // A performance problem is no error.
      errors: 1,
    });
    expect(rows[2]).toMatchObject({ root: { transaction: 'GET /late' }, rootMissing: true });
    expect(rows[4]).toMatchObject({ segments: 300, spans: 300 });
    expect(rows[4]?.services).toHaveLength(20);
  });

  test('the slowest first, by the segment that fulfils the filter', async () => {
    expect(await names('sort=slowest')).toEqual(['slow', 'checkout', 'many', 'phone', 'plain', 'orphan']);
    const [first] = await list('sort=slowest&service=pay');
    expect(first).toMatchObject({ match: { durationMs: 400 }, root: { durationMs: 900 } });
  });

  test.each([
    ['query=REPOR', ['slow']],
    ['op=pageload', ['checkout', 'phone']],
    ['op=pageload&op=queue.task', ['checkout', 'phone', 'many']],
    ['service=pay', ['checkout']],
    ['failed=true', ['checkout']],
    ['failed=false&op=pageload', ['checkout', 'phone']],
    ['status=internal_error', ['checkout']],
    ['method=POST&code=500', ['checkout']],
    ['transaction=GET%20/report', ['slow']],
    ['user=id:7', ['slow']],
    ['browser=Safari&os=iOS', ['phone']],
    ['environment=staging&release=shop@2', ['phone']],
    ['durationFrom=1000', ['slow']],
    ['durationFrom=60&durationUntil=70', ['plain']],
    [`since=${nowMs / 1000 - 25 * 60}&before=${nowMs / 1000 - 15 * 60}`, ['slow']],
    ["query=' OR 1=1 --", []],
    ['service=nowhere', []],
  ])('by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    'failed=maybe',
    'durationFrom=-1',
    'sort=oldest',
    'cursor=1:x:0',
    'cursor=9999999999999999:00000000000000000000000000000000:0',
    'since=tomorrow',
    'project=none',
  ])('refuses %s', async (query) => {
    const answer = await api.call({ url: `${base}?${query}` });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });

  test('leaves out what the installation measures of itself, unless it is asked for', async () => {
    const { project } = await createProject(api.state, {
      organizationId: api.organizationId,
      name: 'Own',
      internal: true,
    });
    await api.events.insert('spans', [segment('own', 5, 5, { project_id: project.id })], 'own');
    expect(await names('durationUntil=10')).toEqual([]);
    expect(await names(`durationUntil=10&project=${project.slug}`)).toEqual([trace('own')]);
  });

  test('not without the right to read', async () => {
    const token = await api.makeToken('project:releases');
    for (const path of ['', 'heatmap/', 'fields/']) {
      expect((await api.call({ url: `${base}${path}`, token })).statusCode).toBe(403);
    }
  });
});

interface Grid {
  from: number;
  columnSeconds: number;
  columns: number;
  rows: { fromMs: number; untilMs: number }[];
  cells: [number, number, number, number][];
  count: number;
  failed: number;
}
const grid = (query: string): Promise<Grid> => api.get(`${base}heatmap/?${query}`);

describe('the heatmap', () => {
  test.each(['1h', '24h', '14d', '90d'])(
    'over %s has at most 60 columns and 40 rows, and every segment',
    async (period) => {
      const { rows, cells, columns, count, failed } = await grid(`statsPeriod=${period}`);
      expect(columns).toBeLessThanOrEqual(60);
      expect(rows.length).toBeLessThanOrEqual(40);
      expect(count).toBe(306);
      expect(failed).toBe(1);
      expect(cells.every(([column, row]) => column >= 0 && column < columns && row >= 0 && row < rows.length)).toBe(
        true,
      );
      for (const [index, row] of rows.entries()) if (index) expect(row.fromMs).toBe(rows[index - 1]?.untilMs);
    },
  );

  test('a cell is what its time and duration find', async () => {
    const { from, columnSeconds, rows, cells } = await grid('statsPeriod=1h');
    const cell = cells.find(([, row]) => (rows[row]?.fromMs ?? 0) > 5000);
    const [column = 0, row = 0] = cell ?? [];
    const since = from + column * columnSeconds;
    expect(
      await names(
        `since=${since}&before=${since + columnSeconds}&durationFrom=${rows[row]?.fromMs}&durationUntil=${rows[row]?.untilMs}`,
      ),
    ).toEqual(['slow']);
  });

  test('of nothing there is nothing', async () => {
    expect(await grid('query=nowhere')).toMatchObject({ rows: [], cells: [], count: 0 });
  });
});

interface Fields {
  count: number;
  failed: number;
  whole: boolean;
  fields: { field: string; values: { value: string; count: number; failed: number }[]; more: boolean }[];
}

test('fields count what the filter finds, the most frequent first', async () => {
  const { count, failed, whole, fields } = await api.get<Fields>(`${base}fields/?statsPeriod=1h&limit=3`);
  expect({ count, failed, whole }).toEqual({ count: 306, failed: 1, whole: true });
  const valuesOf = (name: string) => fields.find(({ field }) => field === name);
  expect(valuesOf('op')).toEqual({
    field: 'op',
    values: [
      { value: 'queue.task', count: 300, failed: 0 },
      { value: 'http.server', count: 4, failed: 1 },
      { value: 'pageload', count: 2, failed: 0 },
    ],
    more: false,
  });
  expect(valuesOf('code')?.values).toEqual([
    { value: '500', count: 1, failed: 1 },
    { value: '999', count: 1, failed: 0 },
  ]);
  expect(valuesOf('service')?.more).toBe(true);
  // What nothing has is left out.
  expect(valuesOf('browser')?.values).toEqual([{ value: 'Safari', count: 1, failed: 0 }]);
  const narrowed = await api.get<Fields>(`${base}fields/?statsPeriod=1h&op=pageload`);
  expect(narrowed.fields.find(({ field }) => field === 'op')?.values).toEqual([
    { value: 'pageload', count: 2, failed: 0 },
  ]);
});

describe.each(['newest', 'slowest'])('pages, the %s first', (sort) => {
  const page = async (query: string) => {
    const answer = await api.call({ url: `${base}?statsPeriod=1h&sort=${sort}&limit=2&${query}` });
    expect(answer.statusCode, answer.body).toBe(200);
    const cursor = (rel: string): string | undefined =>
      new RegExp(`rel="${rel}"; results="true"; cursor="([^"]+)"`).exec(String(answer.headers.link))?.[1];
    return {
      ids: answer.json<Listed[]>().map(({ traceId }) => traceId),
      next: cursor('next'),
      previous: cursor('previous'),
    };
  };

  test('have every trace once, forwards and back, also where one has hundreds of segments', async () => {
    const whole = (await list(`sort=${sort}`)).map(({ traceId }) => traceId);
    const forwards: string[][] = [];
    let at = await page('');
    expect(at.previous).toBeUndefined();
    forwards.push(at.ids);
    while (at.next) {
      at = await page(`cursor=${at.next}`);
      forwards.push(at.ids);
    }
    expect(forwards.flat()).toEqual(whole);
    const back: string[][] = [at.ids];
    while (at.previous) {
      at = await page(`cursor=${at.previous}`);
      back.unshift(at.ids);
    }
    expect(back.flat()).toEqual(whole);
  });

  test('stay as they are while traces arrive', async () => {
    const first = await page('');
    const second = await page(`cursor=${first.next}`);
    const fresh = segment(`fresh ${sort}`, 1, 20_000, { project_id: api.projectId });
    // A later segment of a trace that was on the first page does not bring it onto the second.
    const late = { ...fresh, trace_id: first.ids[0] ?? '', span_id: hash(`late ${sort}`).slice(0, 16) };
    await api.events.insert('spans', [fresh, late], `fresh ${sort}`);
    expect((await page(`cursor=${first.next}`)).ids).toEqual(second.ids);
    const ids = await list(`sort=${sort}&durationFrom=20000`);
    expect(ids.length).toBeGreaterThan(1);
  });
});
