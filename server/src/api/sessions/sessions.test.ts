/** Release health from rows to answers, on a real engine. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionRow } from '../../base/tables/sessions.ts';
import { sessionCounts } from '../../domains/sessions/index.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { noteReleases, releaseStages } from '../../domains/releases/index.ts';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
const org = 'acme';
const nowMs = Date.now();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const status = { ok: 1, exited: 2, errored: 3, unhandled: 4, abnormal: 5, crashed: 6 } as const;

const session = (id: number, overrides: Partial<SessionRow> = {}): SessionRow => ({
  project_id: api.projectId,
  minute: nowMs - 2 * hourMs,
  environment: 'production',
  release: 'web@1.0.0',
  session: String(id),
  status: status.ok,
  duration_ms: 0,
  user: '0',
  exited: 0,
  errored: 0,
  unhandled: 0,
  abnormal: 0,
  crashed: 0,
  received_at: nowMs,
  ...overrides,
});

interface Answer {
  intervals: string[];
  groups: { by: Record<string, unknown>; totals: Record<string, number>; series: Record<string, number[]> }[];
}
const ask = (query: string): Promise<Answer> => api.get(`/api/0/organizations/${org}/sessions/?${query}`);
const sumOf = (values: readonly number[] | undefined): number => (values ?? []).reduce((sum, one) => sum + one, 0);

beforeAll(async () => {
  api = await openTestApi();
  const user = (id: number): string => String(1000 + id);
  // Updates of four sessions, out of order and in several batches.
  const batches: SessionRow[][] = [
    [
      session(1, { user: '0' }),
      session(2, { status: status.crashed, user: user(2), duration_ms: 4000 }),
      session(3, { status: status.unhandled, user: user(3) }),
      session(4, { status: status.exited, user: user(1), duration_ms: 1000 }),
    ],
    [
      session(1, { status: status.errored, user: user(1) }),
      session(2, { status: status.ok, user: user(2) }),
      session(2, { status: status.exited, user: user(2), duration_ms: 3000 }),
      session(3, { status: status.ok }),
    ],
    // Counted by the sender: two requests of a person who crashed, and five of nobody.
    [
      session(0, { status: 0, session: user(9), user: user(9), exited: 1, crashed: 1 }),
      session(0, { status: 0, session: '0', environment: 'staging', exited: 3, errored: 1, abnormal: 1 }),
    ],
    // The release before, days ago, and a crumb of it today.
    Array.from({ length: 40 }, (_, id) =>
      session(100 + id, {
        release: 'web@0.9.0',
        minute: nowMs - 3 * dayMs,
        user: user(id % 10),
        status: status.exited,
      }),
    ),
    [
      session(200, { release: 'web@0.8.0', status: status.crashed }),
      session(0, { release: 'web@0.9.1', status: 0, exited: 100 }),
    ],
  ];
  for (const [index, rows] of batches.entries()) {
    await api.events.insert('sessions', rows, `sessions:${index}`);
    // The same batch again, as after a crash.
    await api.events.insert('sessions', rows, `sessions:${index}`);
  }
  await noteReleases(
    api.state,
    batches.flat().map((row) => ({
      projectId: row.project_id,
      release: row.release,
      firstSeen: row.minute,
      lastSeen: row.minute,
      environment: row.environment,
    })),
    nowMs,
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const short = 'statsPeriod=6h&interval=10m';
const long = 'statsPeriod=48h&interval=1h';

test.each([short, long])('each session once, as the worst it was: %s', async (range) => {
  const { groups } = await ask(
    `${range}&project=web&field=sum(session)&field=count_unique(user)&query=release:web@1.0.0&groupBy=session.status&groupBy=environment`,
  );
  const table = Object.fromEntries(
    groups.map(({ by, totals }) => [
      `${String(by.environment)} ${String(by['session.status'])}`,
      [totals['sum(session)'], totals['count_unique(user)']],
    ]),
  );
  expect(table).toEqual({
    'production healthy': [2, 0],
    'production errored': [1, 1],
    'production unhandled': [1, 1],
    'production abnormal': [0, 0],
    'production crashed': [2, 2],
    'staging healthy': [3, 0],
    'staging errored': [1, 0],
    'staging unhandled': [0, 0],
    'staging abnormal': [1, 0],
    'staging crashed': [0, 0],
  });
  for (const { totals, series } of groups) expect(sumOf(series['sum(session)'])).toBe(totals['sum(session)']);
});

test.each([short, long])('rates are of all sessions and all users: %s', async (range) => {
  const { groups, intervals } = await ask(
    `${range}&field=crash_free_rate(session)&field=crash_free_rate(user)&field=unhandled_rate(session)&field=unhealthy_rate(session)&field=p50(session.duration)&field=max(session.duration)&query=release:web@1.0.0`,
  );
  expect(groups).toHaveLength(1);
  expect(groups[0]?.totals).toEqual({
    'crash_free_rate(session)': 1 - 2 / 11,
    'crash_free_rate(user)': 1 - 2 / 4,
    'unhandled_rate(session)': 1 / 11,
    'unhealthy_rate(session)': 6 / 11,
    'p50(session.duration)': 2500,
    'max(session.duration)': 4000,
  });
  // Where nothing ran there is no rate.
  const rates = groups[0]?.series['crash_free_rate(session)'];
  expect(rates).toHaveLength(intervals.length);
  expect(rates?.filter((rate) => rate !== null)).toEqual([1 - 2 / 11]);
});

test('groups by release, the most sessions first, or as they are asked for', async () => {
  const query = 'statsPeriod=7d&field=sum(session)&groupBy=release&includeSeries=0';
  const { groups } = await ask(query);
  expect(groups.map(({ by, totals, series }) => [by.release, totals['sum(session)'], series])).toEqual([
    ['web@0.9.1', 100, {}],
    ['web@0.9.0', 40, {}],
    ['web@1.0.0', 11, {}],
    ['web@0.8.0', 1, {}],
  ]);
  const back = await ask(`${query}&orderBy=sum(session)&per_page=1`);
  expect(back.groups.map(({ by }) => by.release)).toEqual(['web@0.8.0']);
  expect((await ask('field=sum(session)&project=-1&query=release:nothing')).groups).toMatchObject([
    { by: {}, totals: { 'sum(session)': 0 } },
  ]);
});

test.each([
  'field=sum(nonsense)',
  'groupBy=browser',
  'field=crash_rate(session)&groupBy=session.status',
  'query=level:error',
  'query=broken',
  'query=(',
  'interval=1h&statsPeriod=99999999d',
])('refused: %s', async (query) => {
  const response = await api.call({ url: `/api/0/organizations/${org}/sessions/?${query}` });
  expect(response.statusCode).toBe(400);
});

test('counts for conditions on rates', async () => {
  const scope = { projectIds: [api.projectId], fromMs: nowMs - 3 * hourMs, untilMs: nowMs };
  const expected = {
    healthy: 2,
    errored: 1,
    unhandled: 1,
    abnormal: 0,
    crashed: 2,
    sessions: 6,
    users: 4,
    crashedUsers: 2,
  };
  const ofRelease = { ...scope, release: 'web@1.0.0', environment: 'production' };
  expect(await sessionCounts(api.events, ofRelease)).toEqual(expected);
  expect(await sessionCounts(api.events, { ...ofRelease, fromMs: nowMs - 5 * dayMs })).toEqual(expected);
  const of = async (environments: string[]): Promise<number> =>
    (await sessionCounts(api.events, { ...scope, environments })).sessions;
  expect(await of(['production', 'staging'])).toBe((await of(['production'])) + (await of(['staging'])));
  expect(await of(['staging'])).toBeGreaterThan(0);
  expect(await sessionCounts(api.events, { ...scope, untilMs: nowMs - 2.5 * hourMs })).toMatchObject({ sessions: 0 });
  expect(await sessionCounts(api.events, { ...scope, projectIds: [] })).toMatchObject({ sessions: 0, users: 0 });
});

test('releases carry their health where it is asked for', async () => {
  interface Listed {
    version: string;
    health?: { crashFreeSessions: number | null; adoption: number; stage: string; series: [number, number][] };
    projects: { healthData?: Record<string, unknown> }[];
  }
  const plain = await api.get<Listed[]>(`/api/0/organizations/${org}/releases/?query=web@`);
  expect(plain.every((release) => release.health === undefined)).toBe(true);
  const listed = await api.get<Listed[]>(`/api/0/organizations/${org}/releases/?health=1&query=web@`);
  const of = (version: string): Listed => {
    const found = listed.find((release) => release.version === version);
    if (!found) throw new Error(version);
    return found;
  };
  expect(of('web@1.0.0').health).toMatchObject({
    sessions: { total: 11, healthy: 5, errored: 2, unhandled: 1, abnormal: 1, crashed: 2 },
    users: { total: 4, crashed: 2 },
    crashFreeSessions: 1 - 2 / 11,
    crashFreeUsers: 0.5,
    adoption: 11 / 112,
    stage: 'low',
  });
  expect(sumOf(of('web@1.0.0').health?.series.map(([, count]) => count))).toBe(11);
  expect(of('web@0.9.1').health).toMatchObject({ crashFreeSessions: 1, crashFreeUsers: null, stage: 'adopted' });
  expect(of('web@0.9.0').health).toMatchObject({ adoption: 0, stage: 'replaced' });
  expect(of('web@1.0.0').projects[0]?.healthData).toMatchObject({
    hasHealthData: true,
    sessionsAdoption: (11 / 112) * 100,
    crashFreeUsers: 50,
    totalSessions: 11,
    totalSessions24h: 11,
    totalProjectSessions24h: 112,
  });
  const one = await api.get<Listed>(`/api/0/organizations/${org}/releases/web@0.9.0/?health=1&summaryStatsPeriod=24h`);
  expect(one.health).toMatchObject({ sessions: { total: 0 }, crashFreeSessions: null, stage: 'replaced' });
});

test('stages are told by sessions', async () => {
  expect(await releaseStages(api.events, [api.projectId], [], nowMs)).toEqual({
    adopted: ['web@0.9.1'],
    low: ['web@1.0.0', 'web@0.8.0'],
  });
});

test('two releases side by side', async () => {
  const project_id = api.projectId;
  const error = (name: string, release: string, count: number) =>
    Array.from({ length: count }, () =>
      errorRow({ project_id, group_hash: hash(name), error_value: name, release, timestamp: nowMs - hourMs }),
    );
  await store(api, [
    ...error('fresh', 'web@1.0.0', 3),
    ...error('over', 'web@0.9.0', 4),
    ...error('worse', 'web@0.9.0', 4),
    ...error('worse', 'web@1.0.0', 30),
    ...error('same', 'web@0.9.0', 40),
    ...error('same', 'web@1.0.0', 11),
  ]);
  const spans = (release: string, duration_us: number, lcp: number) =>
    testSpanRow({ project_id, release, duration_us, numbers: { lcp }, started_at: (nowMs - hourMs) * 1000 });
  await api.events.insert('spans', [spans('web@0.9.0', 100_000, 900), spans('web@1.0.0', 400_000, 2500)], 'compared');
  const listed = { total: 1, issues: [{}] };
  const found = await api.get<Record<'new' | 'gone' | 'worse' | 'better', { issues: { issue: { title: string } }[] }>>(
    `/api/0/organizations/${org}/releases/compare/?from=web@0.9.0&to=web@1.0.0`,
  );
  expect(found).toMatchObject({
    basis: 'sessions',
    new: listed,
    gone: listed,
    worse: listed,
    from: {
      numbers: { sessions: { total: 40 }, crashFreeSessions: 1, events: 48, errorsPerSession: 1.2, requests: 1 },
    },
    to: {
      version: 'web@1.0.0',
      numbers: {
        sessions: { total: 11 },
        events: 44,
        errorsPerSession: 4,
        vitals: [{ vital: 'lcp', p75: 2500, count: 1 }],
      },
    },
    partial: false,
  });
  const titles = (['new', 'gone', 'worse', 'better'] as const).map((kind) =>
    found[kind].issues.map(({ issue }) => issue.title.replace('TypeError: ', '')),
  );
  expect(titles).toEqual([['fresh'], ['over'], ['worse'], []]);
  // A storm in one of both: 40 groups of ten, 1.96 * sqrt(40 * 90 + 90) = 119.1.
  await store(
    api,
    error('same', 'web@1.0.0', 40).map((row) => ({ ...row, stands_for: 9 })),
  );
  expect(await api.get(`/api/0/organizations/${org}/releases/compare/?from=web@0.9.0&to=web@1.0.0`)).toMatchObject({
    from: { numbers: { events: 48, estimated: null } },
    to: { numbers: { events: 444, estimated: { low: 324, high: 564 } } },
    worse: {
      issues: [
        { before: 40, after: 411, estimated: { before: null, after: { low: 291, high: 531 } } },
        { before: 4, after: 30, estimated: { before: null, after: null } },
      ],
    },
  });
  for (const query of ['from=web@1.0.0&to=web@1.0.0', 'from=web@1.0.0', 'from=web@1.0.0&to=nothing']) {
    const { statusCode } = await api.call({ url: `/api/0/organizations/${org}/releases/compare/?${query}` });
    expect([400, 404]).toContain(statusCode);
  }
});
