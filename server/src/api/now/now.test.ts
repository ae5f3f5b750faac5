import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { noteReleases } from '../../domains/releases/index.ts';
import type { getNow } from './contract.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const nowMs = Date.now();
const minute = 60_000;
const hour = 60 * minute;
let api: TestApi;
let made = 0;

type Answer = z.output<typeof getNow.response>;
const ask = (query = ''): Promise<Answer> => api.get(`/api/0/organizations/acme/now/${query}`);

const row = (name: string, ago: number, more: object = {}) =>
  errorRow({
    project_id: api.projectId,
    group_hash: hash(name),
    title: name,
    error_value: name,
    timestamp: nowMs - ago,
    transaction: '/cart',
    environment: 'production',
    user: `id:${(made += 1)}`,
    ...more,
  });

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

test('before anything came', async () => {
  expect(await ask()).toMatchObject({ level: 'empty', issues: [], change: null, intake: [] });
});

test('what is wrong, where, and since which release', async () => {
  const repeated = (count: number, of: (index: number) => ReturnType<typeof row>) =>
    Array.from({ length: count }, (_, index) => of(index));
  await store(api, [
    // An error every hour of two days, then a page that burns.
    ...repeated(47, (index) => row('old', (index + 1.5) * hour)),
    ...repeated(30, (index) => row('burning', (index + 1) * minute, { transaction: '/pay', release: 'web@2' })),
    row('elsewhere', 2 * minute, { environment: 'staging' }),
  ]);
  await api.events.insert(
    'spans',
    repeated(4, (index) => row('span', index)).map((_, index) =>
      testSpanRow({
        project_id: api.projectId,
        span_id: hash(`s${index}`).slice(0, 16),
        started_at: (nowMs - minute) * 1000,
        duration_us: 50_000,
      }),
    ),
    'now',
  );
  const put = await api.call({
    method: 'POST',
    url: '/api/0/organizations/acme/releases/',
    payload: { version: 'web@2', projects: ['web'] },
  });
  expect(put.statusCode).toBeLessThan(300);
  const deployed = await api.call({
    method: 'POST',
    url: '/api/0/organizations/acme/releases/web@2/deploys/',
    payload: { environment: 'production', dateFinished: new Date(nowMs - 40 * minute).toISOString() },
  });
  expect(deployed.statusCode).toBeLessThan(300);

  const answer = await ask('?environment=production');
  expect(answer.level).toBe('trouble');
  expect(answer.sentence).toMatch(/^30 errors in an hour on \/pay; 1 new issue since deploy 2 /);
  expect(answer.parts.find(({ link }) => link?.kind === 'transaction')?.link).toEqual({
    kind: 'transaction',
    transaction: '/pay',
    project: 'web',
  });
  expect(answer.change).toMatchObject({ kind: 'deploy', version: 'web@2', environment: 'production' });
  expect(answer.issues.map(({ title, sinceChange }) => [title, sinceChange])).toContainEqual(['burning', true]);
  expect(answer.hotspots[0]).toMatchObject({ project: 'web', transaction: '/pay', count: 30, usual: 0 });
  expect(answer.marks).toHaveLength(1);
  expect(answer.errors.now).toHaveLength(24);
  expect(answer.totals.errors.now).toBeGreaterThanOrEqual(30 + 22);
  expect(answer.totals.errors.before).toBeGreaterThanOrEqual(22);
  expect(answer.errors.now.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(answer.totals.errors.now);
  expect(answer.totals.users.now).toBe(answer.totals.errors.now);
  expect(Math.round(answer.totals.p95Ms.now ?? 0)).toBe(50);
});

test('another environment is another answer; counts follow it', async () => {
  const staging = await ask('?environment=staging');
  expect(staging.issues.map(({ title }) => title)).toEqual(['elsewhere']);
  expect(staging).toMatchObject({
    level: 'attention',
    counts: { fresh: 1 },
    totals: { errors: { now: 1, before: 0 } },
  });
});

test('projects are named; one that is not there is said so', async () => {
  expect(await ask('?project=web')).toMatchObject({ level: 'trouble' });
  const answer = await api.call({ method: 'GET', url: '/api/0/organizations/acme/now/?project=nowhere' });
  expect(answer.statusCode).toBe(404);
});

test('issues are of the last day, or of the time since a change that is older, and the answer says so', async () => {
  const firstSeen = nowMs - 50 * hour;
  await noteReleases(
    api.state,
    [{ projectId: api.projectId, release: 'web@0', environment: 'qa', firstSeen, lastSeen: firstSeen }],
    nowMs,
  );
  await store(api, [row('of the day before yesterday', 49 * hour, { environment: 'qa' })]);
  const answer = await ask('?environment=qa');
  expect(answer).toMatchObject({ issuesPeriod: '72h', counts: { fresh: 0, sinceChange: 1 } });
  expect(answer.issues.map(({ title }) => title)).toEqual(['of the day before yesterday']);
  expect(await ask('?environment=staging')).toMatchObject({ issuesPeriod: '24h' });
});

test('a release that nobody deployed is the change, by its first event', async () => {
  const firstSeen = nowMs - 5 * minute;
  await noteReleases(
    api.state,
    [{ projectId: api.projectId, release: 'web@3', environment: 'preview', firstSeen, lastSeen: firstSeen }],
    nowMs,
  );
  expect((await ask('?environment=preview')).change).toMatchObject({
    kind: 'release',
    version: 'web@3',
    shortVersion: '3',
    at: new Date(firstSeen).toISOString(),
  });
});
