/**
 * Grafana's data source for Sentry, by the requests that its source writes and the fields that it decodes
 * (grafana/sentry-datasource, `pkg/sentry`). The plugin itself is a program that Grafana loads and does not run here.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl } from '../server/test/harness.ts';
import { type ClientInstallation, type Facts, openClientInstallation } from './client-facts.ts';

let installation: ClientInstallation;
let facts: Facts;
beforeAll(async () => {
  installation = await openClientInstallation();
  ({ facts } = installation);
}, 180_000);
afterAll(() => installation?.[Symbol.asyncDispose]());

const get = <T>(path: string): Promise<T> => installation.server.api<T>(path);
/** As Go writes a time without a zone. */
const at = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
const lastDay = (): Record<string, string> => ({ start: at(Date.now() - 86_400_000), end: at(Date.now() + 60_000) });
const search = (parts: Record<string, string | string[]>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) for (const one of [value].flat()) query.append(name, one);
  return query.toString();
};

test('organisations, projects, teams and the projects of a team', async () => {
  expect(await get('/organizations/')).toMatchObject([{ slug: 'acme', name: 'Acme', status: { id: 'active' } }]);
  const body = JSON.stringify({ name: 'Checkout', projects: ['web'] });
  await installation.server.api('/organizations/acme/teams/', { method: 'POST', body });
  expect(await get('/organizations/acme/teams/')).toMatchObject([
    { slug: 'checkout', name: 'Checkout', memberCount: 1, isMember: true, projects: [{ slug: 'web' }] },
  ]);
  const projects = await get<{ id: string }[]>('/organizations/acme/projects/');
  expect(projects).toContainEqual(expect.objectContaining({ id: '1', slug: 'web', isMember: true, hasAccess: true }));
  expect(await get('/teams/acme/checkout/projects/')).toMatchObject([{ id: '1', slug: 'web' }]);
});

test('issues, however many it asks for', async () => {
  const query = search({ query: 'is:unresolved TypeError', sort: 'freq', limit: '10000', project: '1', ...lastDay() });
  expect(await get(`/organizations/acme/issues/?${query}`)).toMatchObject([
    {
      id: facts.issueId,
      shortId: facts.issue,
      count: '6',
      userCount: 6,
      level: 'error',
      platform: 'node',
      culprit: 'POST /checkout',
      isUnhandled: true,
      metadata: { type: 'TypeError', filename: '/app/src/pricing/price-of.ts', function: 'priceOf' },
    },
  ]);
});

test('events and spans as tables', async () => {
  const events = search({
    query: 'plan:pro',
    per_page: '100',
    field: ['title', 'count()'],
    sort: '-count()',
    ...lastDay(),
  });
  expect(await get(`/organizations/acme/events/?${events}`)).toMatchObject({ data: [{ 'count()': 4 }] });
  const spans = search({
    dataset: 'spans',
    useRpc: '1',
    query: 'span.op:db',
    per_page: '100',
    field: ['span.op', 'span.duration'],
    ...lastDay(),
  });
  expect(await get(`/organizations/acme/events/?${spans}`)).toMatchObject({
    data: [{ 'span.op': 'db', 'span.duration': 120 }],
  });
});

test('events over time, by group', async () => {
  const start = new Date(Date.now() - 86_400_000).toISOString();
  const query = search({
    query: '',
    start,
    end: new Date(Date.now() + 60_000).toISOString(),
    interval: '1h',
    partial: '1',
    excludeOther: '1',
    topEvents: '10',
    field: ['title', 'count()'],
    yAxis: 'count()',
    sort: '-count()',
    project: '1',
  });
  const series = await get<Record<string, { data: [number, { count: number }[]][]; order: number }>>(
    `/organizations/acme/events-stats/?${query}`,
  );
  const sums = Object.fromEntries(
    Object.entries(series).map(([name, { data }]) => [
      name,
      data.reduce((sum, [, [one]]) => sum + (one?.count ?? 0), 0),
    ]),
  );
  expect(sums).toEqual({
    "TypeError: Cannot read properties of null (reading 'amount')": 6,
    'DiskFullError: no space left': 1,
  });
});

test('what was accepted, over time', async () => {
  const query = search({
    ...lastDay(),
    interval: '1h',
    category: 'error',
    field: ['sum(quantity)', 'sum(times_seen)'],
    groupBy: ['outcome', 'category'],
    project: '1',
  });
  const stats = await get<{
    intervals: string[];
    groups: { by: object; totals: Record<string, number>; series: Record<string, number[]> }[];
  }>(`/organizations/acme/stats_v2/?${query}`);
  expect(stats.groups).toMatchObject([
    { by: { outcome: 'accepted', category: 'error' }, totals: { 'sum(quantity)': 7, 'sum(times_seen)': 7 } },
  ]);
  const series = stats.groups[0]?.series['sum(quantity)'] ?? [];
  expect(series).toHaveLength(stats.intervals.length);
  expect(series.reduce((sum, one) => sum + one, 0)).toBe(7);
});

test('attributes and tags', async () => {
  const attributes = search({ attributeType: 'number', itemType: 'spans' });
  expect(await get<object[]>(`/organizations/acme/trace-items/attributes/?${attributes}`)).toContainEqual(
    expect.objectContaining({ key: 'tags[cart.items,number]', name: 'cart.items' }),
  );
  expect(await get<object[]>('/organizations/acme/tags/')).toContainEqual(expect.objectContaining({ key: 'plan' }));
});

test('sessions as metrics, each of its fields and groups', async () => {
  const { dsn } = facts;
  const session = (sid: number, status: string, more: object = {}) => ({
    sid: sid.toString(16).padStart(32, '0'),
    did: `user-${sid}`,
    init: true,
    started: new Date(Date.now() - 60_000).toISOString(),
    status,
    errors: status === 'ok' ? 0 : 1,
    attrs: { release: 'shop@1.2.0', environment: 'production' },
    ...more,
  });
  const sent = [session(1, 'exited', { errors: 0 }), session(2, 'exited', { errors: 0 }), session(3, 'crashed')];
  const lines = sent.flatMap((one) => [JSON.stringify({ type: 'session' }), JSON.stringify(one)]);
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body: `{}\n${lines.join('\n')}\n` });
  expect(response.status).toBe(200);

  interface Metrics {
    readonly intervals: readonly string[];
    readonly groups: readonly {
      readonly by: Readonly<Record<string, unknown>>;
      readonly totals: Readonly<Record<string, number | null>>;
      readonly series: Readonly<Record<string, readonly (number | null)[]>>;
    }[];
  }
  const metrics = (field: string, groupBy?: string): Promise<Metrics> =>
    get(
      `/organizations/acme/metrics/data/?${search({
        includeSeries: '1',
        ...lastDay(),
        interval: '1h',
        field,
        project: '1',
        ...(groupBy === undefined ? { per_page: '1' } : { groupBy, orderBy: `-${field}`, per_page: '5' }),
      })}`,
    );
  await installation.server.until('the sessions', async () => {
    const { groups } = await metrics('session.all');
    return groups[0]?.totals['session.all'] === 3;
  });
  const expected: Readonly<Record<string, number>> = {
    'session.all': 3,
    'session.healthy': 2,
    'session.healthy_user': 2,
    'session.crashed': 1,
    'session.crashed_user': 1,
    'session.errored': 0,
    'session.errored_user': 0,
    'session.abnormal': 0,
    'session.abnormal_user': 0,
    'count_unique(sentry.sessions.user)': 3,
    'session.crash_rate': 1 / 3,
    'session.crash_user_rate': 1 / 3,
    'session.crash_free_rate': 2 / 3,
    'session.crash_free_user_rate': 2 / 3,
  };
  for (const [field, value] of Object.entries(expected)) {
    const { groups, intervals } = await metrics(field);
    expect([field, groups[0]?.totals[field]]).toEqual([field, expect.closeTo(value, 6)]);
    expect(groups[0]?.series[field]).toHaveLength(intervals.length);
  }
  for (const [groupBy, value] of [
    ['release', 'shop@1.2.0'],
    ['environment', 'production'],
    ['project', 1],
  ] as const) {
    expect((await metrics('session.all', groupBy)).groups).toMatchObject([
      { by: { [groupBy]: value }, totals: { 'session.all': 3 } },
    ]);
  }
  const byStatus = (await metrics('session.all', 'session.status')).groups;
  expect(byStatus.find(({ by }) => by['session.status'] === 'crashed')?.totals).toEqual({ 'session.all': 1 });
  await expect(metrics('session.anr_rate')).rejects.toThrow(/session\.anr_rate is no field of sessions/);
});
