/** Performance problems through the API: as issues, as events, in their trace, and what is looked for. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { examineDue } from '../../domains/detectors/examine.ts';
import { noteSuspects } from '../../domains/detectors/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const traceId = hash('trace');
const startMs = Date.now() - 60_000;
const spanId = (name: string): string => hash(name).slice(0, 16);
const queries = Array.from({ length: 6 }, (_, index) => spanId(`query ${index}`));

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
  const { projectId, state, events } = api;
  const row = (name: string, offsetMs: number, ms: number, overrides: object) =>
    testSpanRow({
      project_id: projectId,
      trace_id: traceId,
      span_id: spanId(name),
      parent_span_id: spanId('request'),
      segment_id: spanId('request'),
      is_segment: 0,
      started_at: (startMs + offsetMs) * 1_000,
      duration_us: ms * 1_000,
      transaction: 'GET /cart',
      attributes: {},
      numbers: {},
      ...overrides,
    });
  const query = (name: string, text: string, offsetMs: number) =>
    row(name, offsetMs, 10, { op: 'db', name: text, description: text, description_hash: hash(text).slice(0, 16) });
  await events.insert(
    'spans',
    [
      row('request', 0, 500, { is_segment: 1, parent_span_id: '', op: 'http.server', name: 'GET /cart' }),
      query('source', 'SELECT id FROM carts', 1),
      ...queries.map((_, index) => query(`query ${index}`, 'SELECT * FROM items WHERE id = %s', 20 + index * 12)),
    ],
    'spans',
  );
  await store(api, [
    errorRow({ project_id: projectId, group_hash: hash('error'), trace_id: traceId, timestamp: startMs + 100 }),
  ]);
  const suspect = { projectId, traceId, segmentId: spanId('request'), transaction: 'GET /cart', at: startMs };
  await noteSuspects(state, [suspect], { now: 0, waitMs: 0 });
  const { recorded } = await examineDue(
    { state, events },
    { now: Date.now(), waitMs: 0, claimer: { node: 'test', leaseMs: 60_000 } },
  );
  expect(recorded).toMatchObject({ projectId, count: 1, first: false });
});
afterAll(() => api[Symbol.asyncDispose]());

interface Listed {
  readonly id: string;
  readonly shortId: string;
}

const put = (url: string, payload: object) => api.call({ method: 'PUT', url: `/api/0${url}`, payload });

const get = <T = unknown>(url: string): Promise<T> => api.get<T>(`/api/0${url}`);

const list = (query: string) =>
  get<Listed[]>(`/organizations/acme/issues/?query=${encodeURIComponent(query)}&statsPeriod=24h`);

test('an issue of its category and type, found by both, beside the errors', async () => {
  const [issue, ...more] = await list('issue.category:performance');
  expect(more).toEqual([]);
  expect(issue).toMatchObject({
    title: 'N+1 Query',
    culprit: 'GET /cart',
    level: 'info',
    count: '1',
    issueCategory: 'performance',
    issueType: 'performance_n_plus_one_db_queries',
    metadata: { value: 'SELECT * FROM items WHERE id = %s' },
  });
  expect(await list('issue.type:performance_n_plus_one_db_queries')).toHaveLength(1);
  expect(await list('issue.category:error')).toMatchObject([{ issueCategory: 'error', issueType: 'error' }]);
  expect(await list('!issue.category:performance')).toMatchObject([{ issueCategory: 'error' }]);
  expect(await list('issue.category:[error,performance]')).toHaveLength(2);
  expect(await list('issue.category:metric')).toEqual([]);
  expect(await list('items')).toMatchObject([{ issueCategory: 'performance' }]);
});

test('an event with its occurrence; errors have none', async () => {
  const [problem] = await list('issue.category:performance');
  const [error] = await list('issue.category:error');
  expect(await get(`/issues/${problem?.id}/events/latest/`)).toMatchObject({
    'event.type': 'transaction',
    traceId,
    spanId: queries[0],
    metadata: { title: 'N+1 Query', value: 'SELECT * FROM items WHERE id = %s' },
    occurrence: {
      type: 'performance_n_plus_one_db_queries',
      title: 'N+1 Query',
      subtitle: 'SELECT * FROM items WHERE id = %s',
      level: 'info',
      evidenceData: {
        transaction: 'GET /cart',
        op: 'db',
        traceId,
        parentSpanIds: [spanId('request')],
        causeSpanIds: [spanId('source')],
        offenderSpanIds: queries,
      },
    },
  });
  expect(await get(`/issues/${error?.id}/events/latest/`)).toMatchObject({ occurrence: null });
});

interface Rows {
  readonly rows: readonly { readonly id: string; readonly problems?: readonly number[] }[];
  readonly problems: readonly { readonly offenders: readonly number[]; readonly causes: readonly number[] }[];
  readonly errors: readonly unknown[];
}

test('its spans are marked in the waterfall, and it is no error of the trace', async () => {
  const [issue] = await list('issue.category:performance');
  const waterfall = await get<Rows>(`/organizations/acme/trace/${traceId}/spans/`);
  const [problem, ...more] = waterfall.problems;
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ issueId: issue?.id, shortId: issue?.shortId, title: 'N+1 Query' });
  const idsOf = (rows: readonly number[] = []): unknown[] => rows.map((row) => waterfall.rows[row]?.id);
  expect(idsOf(problem?.offenders)).toEqual(queries);
  expect(idsOf(problem?.causes)).toEqual([spanId('source')]);
  expect(waterfall.rows.filter((row) => row.problems).map(({ id }) => id)).toEqual([spanId('source'), ...queries]);
  expect(waterfall.errors).toHaveLength(1);
  const meta = await get(`/organizations/acme/trace-meta/${traceId}/`);
  expect(meta).toMatchObject({ errors: 1, performance_issues: 1 });
  const [root] = await get<{ children: { event_id: string; occurrences: unknown[] }[] }[]>(
    `/organizations/acme/trace/${traceId}/`,
  );
  const marked = root?.children.filter(({ occurrences }) => occurrences.length > 0);
  expect(marked).toMatchObject([
    { event_id: queries[0], occurrences: [{ issue: issue?.shortId, title: 'N+1 Query' }] },
  ]);
});

test('thresholds through the project, and by the names of other clients', async () => {
  const project = '/projects/acme/web/';
  const configure = `${project}performance-issues/configure/`;
  expect(await get(project)).toMatchObject({
    settings: { performance: { nPlusOneDb: { enabled: true, count: 5, minDurationMs: 50 } } },
  });
  const changed = await put(project, { settings: { performance: { nPlusOneDb: { count: 9 } } } });
  expect(changed.json()).toMatchObject({
    settings: {
      performance: { nPlusOneDb: { enabled: true, count: 9, minDurationMs: 50 }, slowDb: { minDurationMs: 500 } },
    },
  });
  expect(await get(configure)).toMatchObject({
    n_plus_one_db_count: 9,
    n_plus_one_db_queries_detection_enabled: true,
    slow_db_query_duration_threshold: 500,
  });
  const other = await put(configure, { slow_db_queries_detection_enabled: false, n_plus_one_db_count: 6 });
  expect(other.json()).toMatchObject({ slow_db_queries_detection_enabled: false, n_plus_one_db_count: 6 });
  const refused = [
    await put(configure, { n_plus_one_db_count: 1_000 }),
    await put(configure, { n_plus_two: 1 }),
    await put(project, { settings: { performance: { nPlusTwo: {} } } }),
  ];
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
  expect(refused[0]?.json()).toMatchObject({ detail: expect.stringContaining('must be from 2 to 100') as string });
});
