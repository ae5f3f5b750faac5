/** What the tests of explore ask about: a dozen errors and spans of the last hour. */
import { expect } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { noteReleases } from '../../domains/releases/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

export const minuteMs = 60_000;
/** Within an hour, so that buckets of an hour do not depend on when it is run. */
export const nowMs = Date.now();

export type Row = Record<string, unknown>;
export interface Table {
  data: Row[];
  meta: { fields: Record<string, string>; units: Record<string, string | null> };
}
export type Query = Record<string, string | readonly string[]>;

export const org = '/api/0/organizations/acme';
export const path = (name: string, query: readonly (readonly [string, string])[]): string =>
  `${org}/${name}/?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
export const pairs = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [key, one]),
  );

export interface ExploreApi extends TestApi {
  table(query: Query): Promise<Table>;
  rows(query: Query): Promise<Row[]>;
  /** What is said of a question that cannot be asked. */
  refused(name: string, query: Query): Promise<{ detail: string; problems?: Row[] }>;
}

export async function openExploreApi(): Promise<ExploreApi> {
  const api = await openTestApi();
  await storeTraffic(api);
  const table = (query: Query): Promise<Table> => api.get(path('events', pairs({ statsPeriod: '1h', ...query })));
  return {
    ...api,
    table,
    rows: async (query) => (await table(query)).data,
    async refused(name, query) {
      const answer = await api.call({ url: path(name, pairs(query)) });
      expect(answer.statusCode, answer.body).toBe(400);
      return answer.json();
    },
  };
}

async function storeTraffic(api: TestApi): Promise<void> {
  const { projectId } = api;
  const event = (name: string, minutesAgo: number, overrides: object) =>
    errorRow({
      project_id: projectId,
      group_hash: hash(name),
      event_id: hash(`${name} ${minutesAgo}`),
      timestamp: nowMs - minutesAgo * minuteMs,
      error_type: name,
      error_value: 'broken',
      ...overrides,
    });
  await store(api, [
    ...Array.from({ length: 6 }, (_, index) =>
      event('TypeError', 1 + index, {
        release: 'shop@2',
        user: `id:${index % 3}`,
        tags: { plan: 'free', 'browser.name': index < 4 ? 'Safari' : 'Chrome', level: 'tagged' },
      }),
    ),
    ...Array.from({ length: 3 }, (_, index) =>
      event('RangeError', 10 + index, {
        release: 'shop@1',
        user: 'id:9',
        level: 'warning',
        tags: { plan: 'paid', 'browser.name': 'Chrome', ['__proto__']: 'odd' },
      }),
    ),
    event('SyntaxError', 50, { environment: 'staging', release: '', tags: {} }),
    // A second hash of the issue of the TypeErrors.
    event('TypeError', 20, {
      group_hash: hash('TypeError again'),
      group_hashes: [hash('TypeError again'), hash('TypeError')],
      release: 'shop@2',
      user: 'id:0',
    }),
    // A performance problem is no error.
    event('Slow', 5, { issue_type: 'performance_slow_db_query' }),
  ]);
  for (const [index, release] of ['shop@1', 'shop@2'].entries()) {
    const at = nowMs - (60 - index) * minuteMs;
    await noteReleases(api.state, [{ projectId, release, firstSeen: at, lastSeen: at }], at);
  }
  const span = (name: string, minutesAgo: number, ms: number, overrides: object) =>
    testSpanRow({
      project_id: projectId,
      trace_id: hash(`trace ${name} ${minutesAgo}`),
      span_id: hash(`${name} ${minutesAgo}`).slice(0, 16),
      started_at: (nowMs - minutesAgo * minuteMs) * 1000,
      duration_us: ms * 1000,
      transaction: name,
      name,
      ...overrides,
    });
  await api.events.insert(
    'spans',
    [
      ...[100, 200, 300, 400].map((ms, index) =>
        span('GET /cart', 2 + index, ms, {
          failed: index === 3 ? 1 : 0,
          status: index === 3 ? 'internal_error' : 'ok',
          attributes: { 'browser.name': 'Chrome', region: ms > 250 ? 'eu' : 'us' },
          numbers: { 'cart.items': ms / 100, lcp: ms * 10 },
        }),
      ),
      span('POST /pay', 8, 1000, { attributes: { region: 'eu' } }),
      span('POST /pay', 8.5, 20, { op: 'db', is_segment: 0, name: 'SELECT 1' }),
      span('ui', 9, 5, { op: 'ui.webvital.lcp' }),
    ],
    'explore spans',
  );
}
