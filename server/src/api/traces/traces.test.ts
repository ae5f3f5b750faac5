import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const startMs = Date.now() - 3_600_000;
const traceId = hash('trace');
const largeId = hash('large');
const oldId = hash('old');

const spanId = (name: string): string => hash(name).slice(0, 16);

let api: TestApi;
let projectId: number;

const at = (
  name: string,
  parent: string,
  offsetMs: number,
  durationMs: number,
  overrides: Partial<SpanRow> = {},
): SpanRow =>
  testSpanRow({
    project_id: projectId,
    trace_id: traceId,
    span_id: spanId(name),
    parent_span_id: parent && spanId(parent),
    segment_id: spanId('page'),
    is_segment: 0,
    started_at: (startMs + offsetMs) * 1000,
    duration_us: durationMs * 1000,
    received_at: startMs + 5000,
    name,
    op: 'function',
    kind: '',
    service: 'web',
    platform: 'javascript',
    transaction: '/cart',
    ...overrides,
  });

beforeAll(async () => {
  api = await openTestApi();
  projectId = api.projectId;
  const inApi = {
    service: 'api',
    platform: 'node',
    segment_id: spanId('request'),
    transaction: 'GET /api/cart',
  } as const;
  await api.events.insert(
    'spans',
    [
      at('db', 'request', -400, 50, {
        ...inApi,
        op: 'db',
        kind: 'client',
        attributes: { 'db.system.name': 'postgresql' },
      }),
      at('page', '', 0, 1000, { op: 'pageload', is_segment: 1, numbers: { lcp: 800 } }),
      // Named as SDK 11 names it: the rest is in what it is grouped by.
      at('fetch', 'page', 100, 300, {
        op: 'http.client',
        kind: 'client',
        name: 'GET api.example.com',
        description: 'GET https://api.example.com/cart',
      }),
      // Its clock is half a second slow.
      at('request', 'fetch', -450, 200, {
        ...inApi,
        op: 'http.server',
        kind: 'server',
        is_segment: 1,
        failed: 1,
        status: 'internal_error',
      }),
      at('fetch', 'page', 100, 250, { op: 'http.client', kind: 'client', received_at: startMs + 4000 }),
      at('lost', 'nowhere', 500, 10),
      at('inp', 'page', 9000, 40, { op: 'ui.webvital.inp' }),
      at('old', '', -40 * 86_400_000, 10, { trace_id: oldId }),
    ],
    'traces',
  );
  await api.events.command(
    `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, segment_id, is_segment, started_at, duration_us, received_at, op, name, service)
     SELECT {project:UInt64}, {trace:String}, lower(hex(toUInt64(number + 1))), if(number = 25000, '', lower(hex(toUInt64(25001)))), '', number = 25000,
       fromUnixTimestamp64Milli({start:Int64} + intDiv(number, 10), 'UTC'), 100, now64(3), 'db', 'SELECT 1', 'api' FROM numbers(30000)`,
    { project: projectId, trace: largeId, start: startMs },
  );
  const error = { project_id: projectId, group_hash: hash('a'), trace_id: traceId };
  await store(api, [
    errorRow({ ...error, event_id: hash('e1'), span_id: spanId('db'), timestamp: startMs - 380 }),
    errorRow({ ...error, event_id: hash('e2'), span_id: 'f'.repeat(16), timestamp: startMs + 700 }),
  ]);
});
afterAll(() => api[Symbol.asyncDispose]());

interface Waterfall {
  spans: number;
  left: number;
  duplicates: number;
  durationUs: number;
  startUs: number;
  rows: Record<string, unknown>[];
  errors: Record<string, unknown>[];
  services: unknown[];
}

describe('the waterfall', () => {
  test('rows in order, clocks corrected, what is odd marked, errors in their place', async () => {
    const trace = await api.get<Waterfall>(`/api/0/organizations/acme/trace/${traceId}/spans/`);
    expect(trace.startUs).toBe(startMs * 1000);
    expect(trace).toMatchObject({ spans: 7, left: 0, duplicates: 1, durationUs: 9_040_000 });
    expect(
      trace.rows.map(({ name, depth, offsetUs, selfUs }) => [
        name,
        depth,
        Number(offsetUs) / 1000,
        Number(selfUs) / 1000,
      ]),
    ).toEqual([
      ['page', 0, 0, 690],
      ['GET https://api.example.com/cart', 1, 100, 100],
      ['request', 2, 100, 150],
      ['db', 3, 150, 50],
      ['lost', 1, 500, 10],
      ['inp', 1, 9000, 40],
    ]);
    expect(trace.rows[0]).toMatchObject({ segment: true, transaction: '/cart', critical: true, parent: -1, below: 5 });
    expect(trace.rows[1]).toMatchObject({ duplicates: 1, parent: 0, parentId: spanId('page') });
    expect(trace.rows[2]).toMatchObject({ shiftUs: 550_000, failed: true, status: 'internal_error', service: 'api' });
    expect(trace.rows[3]).toMatchObject({ shiftUs: 550_000, errors: [0] });
    expect(trace.rows[4]).toMatchObject({ orphan: true, parentId: spanId('nowhere') });
    expect(trace.rows[5]).toMatchObject({ late: true });
    expect(trace.errors).toMatchObject([
      { eventId: hash('e1'), row: 3, offsetUs: 170_000, shortId: 'WEB-1', issueId: '1' },
      { eventId: hash('e2'), row: -1, offsetUs: 700_000 },
    ]);
    expect(trace.services).toEqual([
      { name: 'web', projectId: String(projectId), platform: 'javascript', spans: 4 },
      { name: 'api', projectId: String(projectId), platform: 'node', spans: 2 },
    ]);
  });

  test('of 30,000 spans 20,000 are shown, segments first; the rest is counted', async () => {
    const trace = await api.get<Waterfall>(`/api/0/organizations/acme/trace/${largeId}/spans/`);
    expect(trace).toMatchObject({ spans: 30_000, left: 10_000 });
    expect(trace.rows).toHaveLength(20_000);
    expect(trace.rows[0]).toMatchObject({ segment: true, below: 19_999 });
    const few = await api.get<Waterfall>(`/api/0/organizations/acme/trace/${largeId}/spans/?limit=5`);
    expect(few).toMatchObject({ spans: 30_000, left: 29_995 });
  });

  test('a moment of the trace narrows where it is looked for', async () => {
    const path = `/api/0/organizations/acme/trace/${oldId}/spans/`;
    const seconds = Math.floor(startMs / 1000);
    expect(await api.get<Waterfall>(path)).toMatchObject({ spans: 1 });
    expect(await api.get<Waterfall>(`${path}?timestamp=${seconds - 40 * 86_400}`)).toMatchObject({ spans: 1 });
    expect(await api.get<Waterfall>(`${path}?timestamp=${seconds}`)).toMatchObject({ spans: 0, rows: [] });
  });

  test('an unknown trace is empty, another id none', async () => {
    expect(await api.get<Waterfall>(`/api/0/organizations/acme/trace/${hash('none')}/spans/`)).toMatchObject({
      spans: 0,
      rows: [],
      errors: [],
      lastReceived: null,
    });
    expect((await api.call({ url: '/api/0/organizations/acme/trace/xyz/spans/' })).statusCode).toBe(400);
    const token = await api.makeToken('project:read');
    expect((await api.call({ url: `/api/0/organizations/acme/trace/${traceId}/`, token })).statusCode).toBe(403);
  });
});

interface Nested {
  event_type: string;
  event_id: string;
  name?: string;
  children?: Nested[];
  errors?: Nested[];
}

test("the trace in the shape of Sentry's clients", async () => {
  const dashed = `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-${traceId.slice(12, 16)}-${traceId.slice(16, 20)}-${traceId.slice(20)}`;
  const roots = await api.get<Nested[]>(`/api/0/organizations/acme/trace/${dashed.toUpperCase()}/?statsPeriod=14d`);
  expect(roots.map((one) => [one.event_type, one.event_id])).toEqual([
    ['span', spanId('page')],
    ['error', hash('e2')],
  ]);
  expect(roots[0]).toMatchObject({
    is_transaction: true,
    op: 'pageload',
    start_timestamp: startMs / 1000,
    end_timestamp: startMs / 1000 + 1,
    duration: 1000,
    project_slug: 'web',
    parent_span_id: null,
    transaction_id: spanId('page'),
  });
  const db = roots[0]?.children?.[0]?.children?.[0]?.children?.[0];
  expect(db).toMatchObject({ name: 'db', transaction_id: spanId('request'), children: [] });
  expect(db?.errors).toMatchObject([{ event_id: hash('e1'), issue_id: 1, issue: 'WEB-1', project_slug: 'web' }]);
});

test('what a trace has of each', async () => {
  expect(await api.get(`/api/0/organizations/acme/trace-meta/${traceId}/`)).toEqual({
    errors: 2,
    performance_issues: 0,
    logs: 0,
    projects: 1,
    transactions: 2,
    span_count: 7,
    span_count_map: { 'http.client': 2, db: 1, 'http.server': 1, function: 1, pageload: 1, 'ui.webvital.inp': 1 },
    transaction_child_count_map: [
      { 'transaction.event_id': spanId('page'), 'count()': 5 },
      { 'transaction.event_id': spanId('request'), 'count()': 2 },
    ],
  });
});

test('one span with its attributes', async () => {
  const path = `/api/0/organizations/acme/trace/${traceId}/spans`;
  expect(await api.get(`${path}/${spanId('db')}/`)).toMatchObject({
    id: spanId('db'),
    startUs: (startMs - 400) * 1000,
    attributes: { 'db.system.name': 'postgresql' },
    numbers: {},
    segmentId: spanId('request'),
    links: [],
    events: [],
    remarks: [],
  });
  expect((await api.call({ url: `${path}/${'0'.repeat(16)}/` })).statusCode).toBe(404);
});
