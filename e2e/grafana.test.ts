/**
 * Grafana's data source for Sentry, by the requests that its source writes and the fields that it decodes
 * (grafana/sentry-datasource, `pkg/sentry`). The plugin itself is a program that Grafana loads and does not run here.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
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
