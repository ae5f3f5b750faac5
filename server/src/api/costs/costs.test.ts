/** What projects take of the disk: measured by the job on an engine, read over the API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachClass } from '../../base/retention.ts';
import { measureCosts } from '../../domains/costs/measure.ts';
import { createProject } from '../../domains/projects/index.ts';
import { noteStored } from '../../domains/retention/stored.ts';
import { testErrorRow, testLogRow, testSpanRow } from '../../ports/events/test-rows.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let other: { readonly id: number; readonly slug: string };
beforeAll(async () => {
  api = await openTestApi();
  ({ project: other } = await createProject(api.state, { organizationId: api.organizationId, name: 'other' }));
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const get = async <T>(path: string): Promise<T> => (await api.call({ method: 'GET', url: `/api/0${path}` })).json<T>();

interface Costs {
  readonly measuredAt: string | null;
  readonly bytes: number;
  readonly sampled: number;
  readonly releases: { name: string; bytes: number; low: number; high: number; events: number }[];
  readonly parts: { name: string; bytes: number }[];
  readonly tables: { table: string; rows: number; sampled: number; attributes: { name: string; bytes: number }[] }[];
  readonly growth: { table: string; part: string; times: number; release: string; before: string }[];
}

const dayMs = 86_400_000;
const text = (bytes: number): string => 'x'.repeat(bytes);

async function fail(projectId: number, release: string, times: number, { crumbs, at }: { crumbs: number; at: number }) {
  const rows = Array.from({ length: times }, (_, index) =>
    testErrorRow({
      project_id: projectId,
      release,
      timestamp: at + index,
      event_id: crypto.randomUUID().replaceAll('-', ''),
      payload: JSON.stringify({ breadcrumbs: text(crumbs + index), exception: text(1_000) }),
    }),
  );
  await api.events.insert('errors', rows, `${projectId} ${release}`);
}

test('nothing is told before it was measured', async () => {
  expect(await get('/organizations/acme/costs/')).toEqual([]);
  expect(await get('/projects/acme/other/costs/')).toMatchObject({ measuredAt: null, bytes: 0, releases: [] });
  await measureCosts(api, new AbortController().signal, Date.now());
  expect(await get('/organizations/acme/costs/')).toEqual([]);
});

test('projects by what they take, releases and parts within them, and what grew', async () => {
  const now = Date.now();
  await fail(api.projectId, '2.4.0', 60, { crumbs: 2_000, at: now - 3 * dayMs });
  await fail(api.projectId, '2.4.1', 60, { crumbs: 6_000, at: now - dayMs });
  await fail(other.id, '1.0.0', 30, { crumbs: 100, at: now - dayMs });
  await api.events.insert('logs', [testLogRow({ project_id: other.id })], 'a log');
  const units = (bytes: number) => ({ units: [{ before: now, bytes, rows: 1, bySize: true }] });
  const stored = { ...eachClass(() => units(0)), errors: units(1_000_000), logs: units(5_000) };
  await noteStored(api.state, { at: now, classes: stored });
  await measureCosts(api, new AbortController().signal, now);

  const list = await get<{ project: { id: string }; bytes: number; classes: object[] }[]>('/organizations/acme/costs/');
  expect(list[0]?.project.id).toBe(String(api.projectId));
  expect(list.find(({ project }) => project.id === String(other.id))?.classes).toContainEqual({
    name: 'logs',
    bytes: 5_000,
    rows: 1,
  });
  const sum = list.reduce((all, { bytes }) => all + bytes, 0);
  expect(sum).toBeGreaterThan(1_004_900);
  expect(sum).toBeLessThan(1_005_100);

  const costs = await get<Costs>(`/projects/acme/${api.projectId}/costs/`);
  expect(costs).toMatchObject({ sampled: 120, events: 120 });
  const [newest, before] = costs.releases;
  expect([newest?.name, before?.name]).toEqual(['2.4.1', '2.4.0']);
  // Of 7 kB an event and 3 kB.
  expect((newest?.bytes ?? 0) / (before?.bytes ?? 1)).toBeCloseTo(7 / 3, 0);
  for (const { bytes, low, high } of costs.releases) expect(low <= bytes && bytes <= high).toBe(true);
  expect(costs.parts[0]?.name).toBe('breadcrumbs');
  expect(costs.growth[0]).toMatchObject({ release: '2.4.1', before: '2.4.0', part: 'breadcrumbs' });
  expect(costs.growth[0]?.times).toBeCloseTo(3, 0);
});

test('attributes of spans and logs by what they take, and those that grew', async () => {
  const now = Date.now();
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'attributes' });
  const at = (index: number, days: number): number => (now - days * dayMs + index) * 1_000;
  const spans = (release: string, days: number, bytes: number) =>
    Array.from({ length: 40 }, (_, index) =>
      testSpanRow({
        project_id: project.id,
        release,
        span_id: crypto.randomUUID().replaceAll('-', '').slice(16),
        started_at: at(index, days),
        attributes: { constructor: text(bytes + index), 'http.route': '/' },
      }),
    );
  await api.events.insert('spans', [...spans('1', 3, 300), ...spans('2', 1, 900)], 'spans');
  const logs = Array.from({ length: 30 }, (_, index) =>
    testLogRow({
      project_id: project.id,
      timestamp: at(index, 1),
      body: text(40),
      attributes: { 'user.cart': text(400) },
    }),
  );
  await api.events.insert('logs', logs, 'logs');
  const units = (bytes: number) => ({ units: [{ before: now, bytes, rows: 1, bySize: true }] });
  await noteStored(api.state, { at: now, classes: eachClass(() => units(1_000_000)) });
  await measureCosts(api, new AbortController().signal, now);
  const { tables, growth } = await get<Costs>(`/projects/acme/${project.id}/costs/`);
  expect(tables.map(({ table, rows, sampled }) => [table, rows, sampled])).toEqual([
    ['errors', 0, 0],
    ['spans', 80, 80],
    ['logs', 30, 30],
  ]);
  const first = (table: string) => tables.find((one) => one.table === table)?.attributes[0]?.name;
  expect([first('spans'), first('logs')]).toEqual(['constructor', 'user.cart']);
  expect(growth.map(({ table, part }) => `${table} ${part}`)).toEqual(['spans constructor', 'spans ']);
  expect(growth[0]?.times).toBeCloseTo(3, 0);
});

test('what an earlier version measured is read', async () => {
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'earlier' });
  const report = {
    at: 1,
    classes: eachClass(() => 5),
    events: 3,
    sampled: 3,
    groups: [],
    releases: [],
    sdks: [],
    parts: [],
    growth: [{ release: '2', before: '1', part: 'breadcrumbs', times: 3, low: 2, high: 4 }],
  };
  const row = { project_id: project.id, at: 1, report: JSON.stringify(report) };
  await api.state.db.insertInto('project_cost').values(row).execute();
  expect(await get<Costs>(`/projects/acme/${project.id}/costs/`)).toMatchObject({
    bytes: 30,
    tables: [],
    growth: [{ table: 'errors', part: 'breadcrumbs' }],
  });
});
