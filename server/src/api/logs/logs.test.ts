import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testLogRow, testSpanRow } from '../../ports/events/test-rows.ts';
import type { LogRow } from '../../base/tables/logs.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const org = '/api/0/organizations/acme';
const startMs = Date.now() - 600_000;
const traceId = hash('trace');
const loudId = hash('loud');
const loneId = hash('lone');
const spanId = (name: string): string => hash(name).slice(0, 16);

let api: TestApi;
let projectId: number;

interface Log {
  id: string;
  message: string;
  level: string;
  timestamp: string;
  traceId: string | null;
}
interface Table {
  data: Record<string, unknown>[];
}

const row = (body: string, offsetMs: number, overrides: Partial<LogRow> = {}): LogRow =>
  testLogRow({
    project_id: projectId,
    timestamp: (startMs + offsetMs) * 1000,
    trace_id: '',
    span_id: '',
    body,
    received_at: startMs + 1000,
    ...overrides,
  });

beforeAll(async () => {
  api = await openTestApi();
  projectId = api.projectId;
  const inTrace = { trace_id: traceId };
  const span = { project_id: projectId, trace_id: traceId, service: 'web', started_at: startMs * 1000 };
  await api.events.insert(
    'spans',
    [
      testSpanRow({ ...span, span_id: spanId('page'), duration_us: 1_000_000 }),
      // Its clock is half a second slow.
      testSpanRow({
        ...span,
        span_id: spanId('request'),
        parent_span_id: spanId('page'),
        service: 'api',
        started_at: (startMs - 400) * 1000,
        duration_us: 200_000,
      }),
    ],
    'spans',
  );
  await api.events.insert(
    'logs',
    [
      row('page opened', 10, { ...inTrace, span_id: spanId('page'), service: 'web' }),
      row('price read', -300, {
        ...inTrace,
        span_id: spanId('request'),
        service: 'api',
        level: 'error',
        severity_number: 17,
        environment: 'staging',
        attributes: { 'db.system.name': 'postgresql', region: 'eu-*' },
        numbers: { total: 50.25 },
        remarks: '[{"field":"body","what":"cut","was":9}]',
      }),
      row('nowhere', 500, { ...inTrace, span_id: 'f'.repeat(16), sequence: 1 }),
      row('at once', 500, { ...inTrace, sequence: 0 }),
      row('Ölstand 50 % of "all"', 600, { level: 'warn', severity_number: 13, sequence: 7 }),
      row('of no trace', 700, { project_id: projectId + 1000 }),
      row('only a log', 0, { trace_id: loneId }),
      row('and another', 3, { trace_id: loneId }),
    ],
    'logs',
  );
  await api.events.command(
    `INSERT INTO logs (project_id, timestamp, sequence, trace_id, level, body)
     SELECT {project:UInt64}, fromUnixTimestamp64Milli({start:Int64} - 86400000 * 3 + number, 'UTC'), number, {trace:String}, 'debug', concat('line ', toString(number)) FROM numbers(1500)`,
    { project: projectId, trace: loudId, start: startMs },
  );
});
afterAll(() => api[Symbol.asyncDispose]());

describe('the waterfall', () => {
  interface Waterfall {
    startUs: number;
    durationUs: number;
    rows: { id: string; logs?: number }[];
    logs: { id: string; row: number; offsetUs: number; level: string; message: string; service: string }[];
    logsLeft: number;
    errors: { offsetUs: number }[];
  }

  test('has logs in their place, moved with their span, in the order in which they were written', async () => {
    const trace = await api.get<Waterfall>(`${org}/trace/${traceId}/spans/`);
    expect(trace.rows.map(({ id, logs }) => [id, logs])).toEqual([
      [spanId('page'), 1],
      [spanId('request'), 1],
    ]);
    expect(trace.logs.map(({ message, row: index, offsetUs }) => [message, index, offsetUs])).toEqual([
      ['page opened', 0, 10_000],
      ['price read', 1, 100_000],
      ['at once', -1, 500_000],
      ['nowhere', -1, 500_000],
    ]);
    expect(trace.logs[1]).toMatchObject({ level: 'error', service: 'api', projectId: String(projectId) });
    expect(trace.logsLeft).toBe(0);
  });

  test('has the first 1,000 and says how many more there are', async () => {
    const trace = await api.get<Waterfall>(`${org}/trace/${loudId}/spans/`);
    expect(trace.logs).toHaveLength(1000);
    expect(trace.logs[999]?.message).toBe('line 999');
    expect(trace.logsLeft).toBe(500);
    expect(await api.get(`${org}/trace-meta/${loudId}/`)).toMatchObject({ logs: 1500, span_count: 0 });
    const far = `${org}/trace/${loudId}/spans/?timestamp=${Math.floor(startMs / 1000)}`;
    expect((await api.get<Waterfall>(far)).logs).toEqual([]);
  });

  test('without a span begins with the first log or error', async () => {
    const error = { project_id: projectId, group_hash: hash('a'), trace_id: loneId, timestamp: startMs + 5 };
    await store(api, [errorRow({ ...error, event_id: hash('e1') })]);
    const trace = await api.get<Waterfall>(`${org}/trace/${loneId}/spans/`);
    expect(trace).toMatchObject({ startUs: startMs * 1000, durationUs: 0, rows: [] });
    expect(trace.logs.map(({ offsetUs }) => offsetUs)).toEqual([0, 3000]);
    expect(trace.errors.map(({ offsetUs }) => offsetUs)).toEqual([5000]);
  });
});

describe('the list', () => {
  const messages = async (query: string): Promise<string[]> =>
    (await api.get<Log[]>(`${org}/logs/?${query}`)).map(({ message }) => message);
  const search = (query: string): Promise<string[]> => messages(`query=${encodeURIComponent(query)}&statsPeriod=24h`);

  test('is by time, the newest first, and only of the own organisation', async () => {
    expect(await messages('statsPeriod=24h')).toEqual([
      'Ölstand 50 % of "all"',
      'nowhere',
      'at once',
      'page opened',
      'and another',
      'only a log',
      'price read',
    ]);
    expect((await messages('statsPeriod=24h&sort=timestamp'))[0]).toBe('price read');
    expect(await messages('environment=staging')).toEqual(['price read']);
  });

  test.each([
    ['level:error', ['price read']],
    ['level:[warning, fatal]', ['Ölstand 50 % of "all"']],
    ['level:warning', ['Ölstand 50 % of "all"']],
    ['!level:info', ['Ölstand 50 % of "all"', 'price read']],
    ['ölstand', ['Ölstand 50 % of "all"']],
    ['"50 % OF"', ['Ölstand 50 % of "all"']],
    ['message:"*50*all*"', ['Ölstand 50 % of "all"']],
    ['50_%', []],
    [`trace:${traceId.toUpperCase()} service:api`, ['price read']],
    [`span:${spanId('page')}`, ['page opened']],
    ['db.system.name:postgresql', ['price read']],
    ['db.system.name:post*', ['price read']],
    ['region:"eu-\\*"', ['price read']],
    ['total:50.25', ['price read']],
    ['total:>50', ['price read']],
    ['total:<=50', []],
    ['total:<=50 OR (total:>50 level:error)', ['price read']],
    ['has:total', ['price read']],
    ['has:service service:w*', ['page opened']],
    ['project:web level:error', ['price read']],
    ['project:other', []],
    ['attributes:"\'); DROP TABLE logs; --"', []],
  ])('search: %s', async (query, found) => {
    expect(await search(query)).toEqual(found);
  });

  test('what cannot be searched for is said', async () => {
    for (const query of ['is:unresolved', 'timestamp:-24h', 'project:web OR level:info']) {
      const { statusCode } = await api.call({ url: `${org}/logs/?query=${encodeURIComponent(query)}` });
      expect([query, statusCode]).toEqual([query, 400]);
    }
  });

  test('has pages, which stay the same while more comes', async () => {
    const first = await api.call({ url: `${org}/logs/?limit=3&statsPeriod=24h` });
    const next = /<([^>]+)>; rel="next"; results="true"/.exec(String(first.headers.link))?.[1] ?? '';
    await api.events.insert('logs', [row('late', 120_000 + 600_000)], 'late');
    const { pathname, search: rest } = new URL(next);
    const second = await api.get<Log[]>(`${pathname}${rest}`);
    const seen = [...first.json<Log[]>(), ...second].map(({ message }) => message);
    expect(seen).toEqual(['Ölstand 50 % of "all"', 'nowhere', 'at once', 'page opened', 'and another', 'only a log']);
    expect((await api.call({ url: `${org}/logs/?cursor=x` })).statusCode).toBe(400);
  });

  test('goes back to the beginning of what is stored', async () => {
    expect(await messages('limit=100&query=line')).toHaveLength(100);
  });
});

test('one log, with its attributes', async () => {
  const [found] = await api.get<Log[]>(`${org}/logs/?query=price`);
  const log = await api.get<Record<string, unknown>>(`${org}/logs/${found?.id}/`);
  expect(log).toEqual({
    ...found,
    level: 'error',
    severityNumber: 17,
    spanId: spanId('request'),
    environment: 'staging',
    timestamp: new Date(startMs - 300).toISOString().replace('Z', '000Z'),
    dateObserved: log.timestamp,
    dateReceived: new Date(startMs + 1000).toISOString(),
    origin: '',
    sdk: { name: 'sentry.javascript.node', version: '10.0.0' },
    attributes: { 'db.system.name': 'postgresql', region: 'eu-*' },
    numbers: { total: 50.25 },
    remarks: [{ field: 'body', what: 'cut', was: 9 }],
  });
  for (const id of [hash('none'), 'f'.repeat(32), `${found?.id.slice(0, 31)}g`]) {
    expect((await api.call({ url: `${org}/logs/${id}/` })).statusCode).toBe(id.endsWith('g') ? 400 : 404);
  }
});

describe("tables of Sentry's clients", () => {
  test('the logs of traces', async () => {
    const { data } = await api.get<Table>(`${org}/trace-logs/?traceId=${traceId}&traceId=${loneId}&orderby=timestamp`);
    expect(data.map(({ message }) => message)).toEqual([
      'price read',
      'only a log',
      'and another',
      'page opened',
      'at once',
      'nowhere',
    ]);
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      'sentry.item_id': data[0]?.id,
      'project.id': projectId,
      trace: traceId,
      severity_number: 17,
      severity: 'error',
      timestamp: new Date(startMs - 300).toISOString().replace('Z', '000Z'),
      'tags[sentry.timestamp_precise,number]': (startMs - 300) * 1e6,
      message: 'price read',
    });
    const few = await api.get<Table>(`${org}/trace-logs/?traceId=${loudId}&per_page=1000&query=level:debug`);
    expect(few.data).toHaveLength(1000);
    for (const bad of ['', 'traceId=xyz', `traceId=${traceId}&orderby=body`]) {
      expect((await api.call({ url: `${org}/trace-logs/?${bad}` })).statusCode).toBe(400);
    }
  });

  test('the fields that are asked for', async () => {
    const path = `${org}/events/?dataset=logs&field=sentry.item_id&field=severity&field=message&field=project&field=odd&query=project:web+price&per_page=100&statsPeriod=90d&sort=-timestamp`;
    expect((await api.get<Table>(path)).data).toEqual([
      {
        'sentry.item_id': expect.any(String) as string,
        severity: 'error',
        message: 'price read',
        project: 'web',
        odd: null,
      },
    ]);
  });
});
