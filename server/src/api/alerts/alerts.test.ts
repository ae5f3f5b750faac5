/** Alert rules over the API: kept, refused, tried before they are saved. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCount } from '../../domains/alerts/testing/metric.ts';
import type { Metric } from '../../domains/alerts/types.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
const org = '/api/0/organizations/acme';
const rules = `${org}/alert-rules/`;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

beforeAll(async () => {
  api = await openTestApi();
  const nowMs = Date.now();
  const row = (name: string, timestamp: number, overrides: object = {}) =>
    errorRow({ project_id: api.projectId, group_hash: hash(name), error_value: name, timestamp, ...overrides });
  // Each hour of six days: 60 events of one issue, hour by hour a few more of another one.
  const hours = Array.from({ length: 144 }, (_, hour) => nowMs - 6 * dayMs + hour * hourMs);
  const rows = hours.flatMap((at, hour) => [
    ...Array.from({ length: 12 }, (_, index) => row('steady', at + index * 1_000, { user: `id:${index % 6}` })),
    ...(hour === 100
      ? Array.from({ length: 40 }, (_, index) => row('burst', at + index * 1_000, { level: 'fatal' }))
      : []),
  ]);
  for (let from = 0; from < rows.length; from += 500) await store(api, rows.slice(from, from + 500));
  await api.state.db
    .updateTable('project')
    .set({ first_event_at: nowMs - 10 * dayMs })
    .execute();
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const issueRule = (overrides: object = {}) => ({
  kind: 'issue',
  name: 'Often',
  conditions: [{ type: 'event_frequency', count: 30, minutes: 5 }],
  ...overrides,
});
const metricRule = (overrides: Partial<Metric> = {}) => ({
  kind: 'metric',
  name: 'Errors',
  metric: errorCount(overrides),
});

const post = async <Body = Record<string, unknown>>(url: string, payload: object, token?: string) => {
  const answer = await api.call({ method: 'POST', url, payload, token });
  return { status: answer.statusCode, body: answer.json<Body>() };
};

interface Preview {
  readonly id: string;
  readonly status: string;
  readonly verdict: string;
  readonly count: number;
  readonly messages: number;
  readonly firings: readonly {
    readonly why: string;
    readonly estimated: unknown;
    readonly issue: { readonly title: string } | null;
  }[];
  readonly tooMany: { readonly suggestedThreshold: number | null; readonly suggestedCount: number | null } | null;
  readonly series: readonly (readonly [seconds: number, value: number | null])[];
  readonly intervals: readonly (readonly [seconds: number, low: number, high: number])[];
}

async function preview(rule: object): Promise<Preview> {
  const { status, body } = await post<Preview>(`${rules}preview/`, rule);
  expect([status, body]).toEqual([200, body]);
  const { id } = body;
  return expect
    .poll(() => api.get<Preview>(`${rules}preview/${id}/`), { timeout: 30_000 })
    .toMatchObject({ status: expect.not.stringMatching('running') })
    .then(() => api.get<Preview>(`${rules}preview/${id}/`));
}

test('a rule is made, changed, muted, tried by others and deleted', async () => {
  const { status, body } = await post(rules, issueRule({ projectIds: [String(api.projectId)], query: 'level:error' }));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'issue',
    match: 'any',
    throttleMinutes: 30,
    digestMinutes: 5,
    state: 'ok',
    sentence:
      'When an issue has at least 30 events in 5 minutes in web and matches “level:error”, record it without a notification, at most once every 30 minutes per issue.',
  });
  const url = `${rules}${String(body['id'])}/`;
  const put = async (payload: object) =>
    (await api.call({ method: 'PUT', url, payload })).json<Record<string, unknown>>();
  expect(await put({ enabled: false, conditions: [{ type: 'new_issue' }] })).toMatchObject({
    state: 'disabled',
    name: 'Often',
    conditions: [{ type: 'new_issue' }],
  });
  expect(await put({ enabled: true, query: 'level:' })).toMatchObject({
    code: 'QUERY_INVALID',
    problems: [{ start: expect.any(Number) }],
  });
  expect((await post(`${url}mute/`, { minutes: 5 })).body).toMatchObject({ mutedUntil: expect.any(String) });
  expect((await post(`${url}mute/`, { minutes: null })).body).toMatchObject({ mutedUntil: null });
  expect(await api.get<unknown[]>(`${rules}?project=web`)).toMatchObject([{ name: 'Often' }]);
  expect(await api.get<unknown[]>(`${url}history/`)).toEqual([]);
  expect(await api.get<unknown[]>(`${org}/alert-firings/?project=web`)).toEqual([]);
  const reader = await api.makeToken('event:read');
  expect((await post(rules, issueRule(), reader)).status).toBe(403);
  expect((await post(`${rules}preview/`, issueRule(), reader)).status).toBe(200);
  expect((await api.call({ method: 'DELETE', url })).statusCode).toBe(204);
  expect((await api.call({ method: 'GET', url })).statusCode).toBe(404);
  expect((await api.call({ method: 'GET', url: `${rules}__proto__/` })).statusCode).toBe(404);
});

test.each([
  ['a search that cannot be read', issueRule({ query: 'is:nonsense' }), 'QUERY_INVALID'],
  ['a project that is not there', issueRule({ projectIds: ['999'] }), 'INPUT_INVALID'],
  ['a channel that is not there', issueRule({ channelIds: ['999'] }), 'INPUT_INVALID'],
  ['no condition', issueRule({ conditions: [] }), 'INPUT_INVALID'],
  ['an aggregate that is not there', metricRule({ aggregate: 'cont()' }), 'QUERY_INVALID'],
  ['a key instead of an aggregate', metricRule({ aggregate: 'level' }), 'QUERY_INVALID'],
  ['no threshold', metricRule({ critical: null }), 'INPUT_INVALID'],
  ['thresholds in the wrong order', metricRule({ warning: 20 }), 'INPUT_INVALID'],
  ['an end beyond the threshold', metricRule({ resolve: 11 }), 'INPUT_INVALID'],
  ['sessions by something else', metricRule({ dataset: 'sessions' }), 'INPUT_INVALID'],
  ['a search of the wrong data set', { ...metricRule(), query: 'is:unresolved' }, 'QUERY_INVALID'],
])('%s is refused', async (_what, rule, code) => {
  const { status, body } = await post(rules, rule);
  expect([status, body['code']]).toEqual([400, code]);
});

describe('what a rule would have done', () => {
  test('seldom', async () => {
    const found = await preview(issueRule());
    expect(found).toMatchObject({
      count: 1,
      messages: 1,
      tooMany: null,
      verdict: 'It would have fired 1 time in the last 7 days.',
    });
    expect(found.firings).toMatchObject([
      { why: expect.stringMatching(/^\d+ events in 5 minutes$/), issue: { title: 'TypeError: burst' } },
    ]);
  });

  test('too often, with a threshold that is better', async () => {
    const found = await preview(issueRule({ conditions: [{ type: 'event_frequency', count: 5, minutes: 5 }] }));
    expect(found.count).toBeGreaterThan(140);
    expect(found.tooMany?.suggestedThreshold).toBeGreaterThan(12);
    expect(found.tooMany?.suggestedCount).toBe(1);
    expect(found.verdict).toMatch(
      /^Too many: it would have fired 14\d times in the last 7 days.* With a threshold of \d+, it would have fired 1 time\.$/,
    );
  });

  test('within a filter, of users, of what happened, of all of them', async () => {
    const often = { type: 'event_frequency', count: 5, minutes: 5 };
    expect(await preview(issueRule({ query: 'level:fatal', conditions: [often] }))).toMatchObject({ count: 1 });
    expect(await preview(issueRule({ environment: 'nowhere', conditions: [often] }))).toMatchObject({ count: 0 });
    expect(
      (await preview(issueRule({ conditions: [{ type: 'user_frequency', count: 6, minutes: 60 }] }))).count,
    ).toBeGreaterThan(140);
    expect(await preview(issueRule({ conditions: [{ type: 'user_frequency', count: 7, minutes: 60 }] }))).toMatchObject(
      { count: 0 },
    );
    expect(await preview(issueRule({ conditions: [{ type: 'new_issue' }] }))).toMatchObject({ count: 2 });
    const both = [{ type: 'regression' }, often];
    expect(await preview(issueRule({ match: 'all', conditions: both }))).toMatchObject({ count: 0 });
    expect((await preview(issueRule({ match: 'any', conditions: both }))).count).toBeGreaterThan(140);
  });

  test('metrics', async () => {
    const found = await preview(metricRule({ critical: 30 }));
    expect(found).toMatchObject({ count: 1, messages: 2, tooMany: null });
    expect(found.series.length).toBeGreaterThan(100);
    const often = await preview(metricRule());
    expect(often.count).toBeGreaterThan(100);
    expect(often.tooMany?.suggestedThreshold).toBeGreaterThan(12);
    // The first hour of all, and the burst.
    expect(
      await preview(metricRule({ minutes: 60, comparison: { type: 'change', against: 'previous' }, critical: 200 })),
    ).toMatchObject({ count: 2 });
    expect(
      await preview(metricRule({ comparison: { type: 'anomaly', sensitivity: 'medium' }, critical: null })),
    ).toMatchObject({ count: 0 });
  });

  test('after a storm values say how sure they are', async () => {
    const at = Date.now() - 3 * dayMs;
    const flood = Array.from({ length: 40 }, () => ({
      ...errorRow({ project_id: api.projectId, group_hash: hash('flood'), error_value: 'flood', timestamp: at }),
      release: 'flooded',
      stands_for: 9,
    }));
    await store(api, flood);
    // 1.96 * sqrt(40 * 90 + 90) = 119.1.
    const estimated = { low: 280, high: 520 };
    const condition = { type: 'event_frequency', count: 300, minutes: 5 };
    expect((await preview(issueRule({ conditions: [condition] }))).firings).toMatchObject([
      { value: 400, estimated, why: 'about 400 events (280–520) in 5 minutes', issue: { title: 'TypeError: flood' } },
    ]);
    const metric = { ...metricRule({ critical: 300 }), query: 'release:flooded' };
    const measured = await preview(metric);
    expect(measured.firings).toMatchObject([{ estimated: null }, { value: 400, estimated }]);
    const values = new Map(measured.series);
    expect(measured.intervals.map(([seconds, ...ends]) => [values.get(seconds), ...ends])).toContainEqual([
      400, 280, 520,
    ]);
    // Of the whole project it is right, whichever errors were stored.
    const whole = (await preview(metricRule({ critical: 300 }))).firings;
    expect(whole.map((one) => one.estimated)).toEqual([null, null]);
  });

  test('a preview is broken off', async () => {
    const { body } = await post(`${rules}preview/`, issueRule());
    const url = `${rules}preview/${String(body['id'])}/`;
    expect((await api.call({ method: 'DELETE', url })).statusCode).toBe(204);
    expect((await api.call({ method: 'GET', url })).statusCode).toBe(404);
  });
});

test('suggestions can be saved as they are', async () => {
  const suggested = await api.get<{ title: string; rule: object }[]>(`${org}/alert-suggestions/?project=web`);
  expect(suggested.length).toBeGreaterThan(5);
  for (const { rule } of suggested) expect((await post(rules, rule)).status).toBe(201);
});

test('a new project has a rule, which is off while there is no channel', async () => {
  const made = await post(`${org}/projects/`, { name: 'Shop', platform: 'node' });
  expect(made.status).toBe(201);
  const [rule] = await api
    .get<Record<string, unknown>[]>(`${rules}?project=${String(made.body['slug'])}`)
    .then((all) => all.filter((one) => String(one['name']).endsWith('in Shop')));
  expect(rule).toMatchObject({
    enabled: false,
    state: 'disabled',
    conditions: [{ type: 'new_issue' }, { type: 'regression' }],
  });
});

test('a rule is given to people and teams of the organisation only', async () => {
  for (const owner of ['user:somebody-else', 'team:999999']) {
    const answer = await api.call({ method: 'POST', url: rules, payload: issueRule({ owner }) });
    expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
      400,
      expect.stringContaining(`${owner} is not a member or team`),
    ]);
  }
  const { userId } = await api.state.db.selectFrom('member').select('userId').executeTakeFirstOrThrow();
  const made = await api.call({ method: 'POST', url: rules, payload: issueRule({ owner: `user:${userId}` }) });
  expect(made.statusCode).toBe(201);
  const { id } = made.json<{ id: string }>();
  const changed = await api.call({ method: 'PUT', url: `${rules}${id}/`, payload: { owner: 'team:999999' } });
  expect(changed.statusCode).toBe(400);
  expect((await api.call({ method: 'DELETE', url: `${rules}${id}/` })).statusCode).toBe(204);
});
