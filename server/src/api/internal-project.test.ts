/** What the installation reports of itself is not among what is the people's, unless somebody names its project. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { testSpanRow } from '../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { deleteProject, insertProject } from '../domains/projects/index.ts';
import type { Health } from './installation/contract.ts';
import type { getNow } from './now/contract.ts';
import { openTestApi, type TestApi } from './testing.ts';

const nowMs = Date.now();
const minute = Math.floor(nowMs / 60_000) * 60_000;
let api: TestApi;
let internalId: number;
let culprit: string;

const organization = '/api/0/organizations/acme';
const shown = async (query: string): Promise<string[]> =>
  (await api.get<{ shortId: string }[]>(`${organization}/issues/?${query}`)).map(({ shortId }) => shortId);

const outcome = (project_id: number, category: string, kind: string, reason: string, quantity: number) => ({
  project_id,
  minute,
  category,
  outcome: kind,
  reason,
  quantity,
});

beforeAll(async () => {
  api = await openTestApi();
  const { organizationId, projectId } = api;
  const newProject = { organizationId, name: 'Culprit itself', slug: 'culprit', platform: 'node', internal: true };
  internalId = (await api.state.transaction((trx) => insertProject(trx, newProject))).project.id;
  const row = (project_id: number, name: string) =>
    errorRow({
      project_id,
      event_id: hash(name),
      group_hash: hash(name),
      title: name,
      error_value: name,
      timestamp: nowMs - 60_000,
      environment: `env-${name}`,
      digest: project_id === internalId ? '2718281828' : '',
    });
  await store(api, [row(projectId, 'mine'), row(internalId, 'own')]);
  [culprit = ''] = await shown('project=culprit');
  await api.events.insert(
    'spans',
    [testSpanRow({ project_id: internalId, trace_id: hash('trace'), started_at: (nowMs - 60_000) * 1000 })],
    'spans',
  );
  await api.events.insert(
    'outcomes',
    [
      outcome(projectId, 'error', 'accepted', '', 500),
      outcome(projectId, 'session', 'invalid', 'too_old', 288),
      outcome(internalId, 'span', 'client_discard', 'sample_rate', 1657),
      outcome(internalId, 'error', 'invalid', 'too_large', 40),
      outcome(internalId, 'error', 'rate_limited', 'address', 900),
    ],
    'outcomes',
  );
});
afterAll(() => api[Symbol.asyncDispose]());

test('the list of issues is that of the people, unless the project or an issue of it is named', async () => {
  expect(culprit).toMatch(/^CULPRIT-\d+$/);
  expect(await shown('')).toEqual(['WEB-1']);
  expect(await shown('project=-1')).toEqual(['WEB-1']);
  for (const named of ['project=culprit', `project=${internalId}`]) expect(await shown(named)).toEqual([culprit]);
  for (const query of [
    'project:culprit',
    `project.id:${internalId}`,
    'is:unresolved project:[culprit, other]',
    culprit,
  ])
    expect(await shown(`query=${encodeURIComponent(query)}`), query).toEqual([culprit]);
  for (const query of ['!project:culprit', 'culprit', 'project:web'])
    expect(await shown(`query=${encodeURIComponent(query)}`), query).not.toContain(culprit);
});

test('what is done to all of a search leaves it alone; what names it does not', async () => {
  const change = (query: string) =>
    api.call({ method: 'PUT', url: `${organization}/issues/?${query}`, payload: { hasSeen: true, priority: 'high' } });
  const ids = async (query: string): Promise<number> =>
    (await change(query)).json<{ issueIds: string[] }>().issueIds.length;
  expect(await ids('query=is:unresolved')).toBe(1);
  expect(await ids(`id=${culprit}`)).toBe(1);
});

test('counts, environments, fields, outcomes and charts are without it', async () => {
  const outcomes = (query: string) =>
    api.get<{ groups: { projectSlug: string }[] }>(`${organization}/outcomes/?${query}`);
  const slugs = async (query: string) => new Set((await outcomes(query)).groups.map(({ projectSlug }) => projectSlug));
  expect(await slugs('')).toEqual(new Set(['web']));
  expect(await slugs('project=culprit')).toEqual(new Set(['culprit']));
  const names = async (url: string, key: string): Promise<unknown[]> =>
    (await api.get<Record<string, unknown>[]>(`${organization}/${url}`)).map((row) => row[key]);
  expect(await names('environments/', 'name')).toEqual(['env-mine']);
  expect(await names('tags/environment/values/', 'value')).toEqual(['env-mine']);
  const { data } = await api.get<{ data: Record<string, unknown>[] }>(
    `${organization}/events/?dataset=errors&field=count()&field=project`,
  );
  expect(data).toEqual([expect.objectContaining({ project: 'web' })]);
  for (const url of ['traces/', 'transactions/']) {
    expect(JSON.stringify(await api.get(`${organization}/${url}`)), url).not.toContain('culprit');
  }
});

test('a digest and a trace of its own are found all the same', async () => {
  const found = await api.get<{ kind: string }>(`${organization}/find/?q=2718281828`);
  expect(JSON.stringify(found)).toContain(culprit);
  const trace = await api.get<unknown>(`${organization}/trace/${hash('trace')}/spans/`);
  expect(JSON.stringify(trace)).toContain('culprit');
});

test('Now and Health say the same of what was rejected, and neither is alarmed by what is usual', async () => {
  const now = await api.get<z.output<typeof getNow.response>>(`${organization}/now/`);
  const sentence = '288 sessions rejected: too old.';
  expect(now.intake).toEqual([{ kind: 'refused', weight: 'usual', sentence }]);
  expect(now.sentence).not.toContain('rejected');
  const health = await api.get<z.output<typeof Health>>('/api/0/health/');
  expect(health).toMatchObject({ status: 'ok', reasons: [], notes: [{ weight: 'usual', sentence }] });
  // Of its own, what is wrong alone: not what it did not send, and not the limit that it has.
  expect(health.internal).toEqual([
    { project: 'culprit', weight: 'fault', sentence: '40 errors rejected: too large.' },
  ]);
});

test('what the service loses makes both say so', async () => {
  await api.events.insert('outcomes', [outcome(api.projectId, 'error', 'invalid', 'internal', 60)], 'lost');
  const now = await api.get<z.output<typeof getNow.response>>(`${organization}/now/`);
  const sentence = '60 errors rejected: an error in Culprit.';
  expect(now.level).toBe('trouble');
  expect(now.intake[0]).toEqual({ kind: 'refused', weight: 'alarm', sentence });
  expect(await api.get('/api/0/health/')).toMatchObject({ status: 'degraded', reasons: [sentence] });
});

test('where it is the only project, lists are empty', async () => {
  await deleteProject(api.state, api.projectId);
  expect(await shown('')).toEqual([]);
  for (const url of [
    'now/',
    'releases/',
    'traces/',
    'outcomes/',
    'items/',
    'environments/',
    'tags/',
    'feedback/',
    'logs/',
  ])
    expect((await api.call({ method: 'GET', url: `${organization}/${url}` })).statusCode, url).toBe(200);
});
