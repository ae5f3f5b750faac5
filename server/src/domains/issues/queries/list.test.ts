/** The issue list on real stores: what is in it, in which order, with which numbers, whichever way it was found. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { parseSearch } from '@culprit/search';
import { byDays, lastPeriod, parseTimeRange } from '../../../base/time-range.ts';
import { changeStatus } from '../states/index.ts';
import { createLive } from '../../../base/live.ts';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import type { IssueListRequest, ListedIssue, VisibleProject } from '../types.ts';
import { sortValue } from './listed.ts';
import { refuseExpensive } from './expensive.ts';
import { listIssues } from './list.ts';
import { rowConditions } from './row-conditions.ts';
import { planSearch } from './state-filter.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.now();

let stores: TestStores;
const projects: VisibleProject[] = [];

async function addProject(slug: string): Promise<VisibleProject> {
  const project = await addTestProject(stores.state, slug);
  projects.push(project);
  return project;
}

interface Sample {
  readonly name: string;
  readonly project?: number;
  readonly ago: readonly number[];
  readonly more?: Partial<ErrorRow>;
  readonly users?: readonly string[];
}

const rowsOf = ({ name, project = 0, ago, more, users = [] }: Sample): ErrorRow[] =>
  ago.map((ms, index) =>
    errorRow({
      project_id: projects[project]?.id ?? 0,
      group_hash: hash(name),
      timestamp: now - ms,
      title: name,
      error_value: name,
      user: users.length ? `id:${users[index % users.length]}` : '',
      user_id: users[index % users.length] ?? '',
      ...more,
    }),
  );

beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  await addProject('web');
  await addProject('api');
  const samples: Sample[] = [
    { name: 'busy', ago: Array.from({ length: 40 }, (_, index) => index * hour + 5 * minute), users: ['1', '2'] },
    {
      name: 'crowded',
      ago: Array.from({ length: 12 }, (_, index) => index * minute + 2 * hour),
      users: ['1', '2', '3', '4', '5', '6'],
    },
    { name: 'newest', ago: [minute] },
    { name: 'old', ago: [20 * day, 20 * day + hour] },
    { name: 'staging only', ago: [30 * minute, 3 * hour], more: { environment: 'staging', release: 'web@2.0.0' } },
    {
      name: 'handled',
      ago: [4 * hour],
      more: {
        handled: 1,
        level: 'warning',
        tags: { 'browser.name': 'Firefox', cart: '7_%' },
        stack_functions: ['pay', 'render'],
        stack_filenames: ['src/cart.ts', 'src/app.tsx'],
        stack_lines: [7, 120],
        stack_in_app: [1, 0],
        error_types: ['PayError', 'TypeError'],
      },
    },
    {
      name: 'digest',
      ago: [5 * hour],
      more: {
        digest: '1930860604',
        tags: { 'browser.name': 'Chrome' },
        payload: JSON.stringify({
          request: { method: 'PATCH' },
          exception: { values: [{ type: 'TypeError', value: 'digest' }] },
        }),
      },
    },
    { name: 'elsewhere', project: 1, ago: [10 * minute, 6 * hour] },
    // The same code in two projects gives the same hash.
    { name: 'busy', project: 1, ago: [7 * hour] },
  ];
  await store(stores, samples.flatMap(rowsOf));
  // An issue that owns two hashes.
  const merged = rowsOf({ name: 'two hashes', ago: [8 * hour, 9 * hour], users: ['1', '9'] });
  const second = rowsOf({
    name: 'two hashes',
    ago: [10 * hour],
    users: ['9'],
    more: { group_hash: hash('other hash'), group_hashes: [hash('other hash'), hash('two hashes')] },
  });
  await store(stores, [...merged, ...second]);
});

afterAll(() => stores[Symbol.asyncDispose]());

function ask(query: string, more: Partial<IssueListRequest> = {}): Promise<readonly ListedIssue[]> {
  return page(query, more).then(({ rows }) => rows);
}

function page(query: string, more: Partial<IssueListRequest> = {}) {
  const { root, problems } = parseSearch(query, 'issues');
  expect(problems).toEqual([]);
  return listIssues(stores, {
    projects,
    environments: [],
    range: lastPeriod('14d', now),
    root,
    nowMs: now,
    sort: 'date',
    limit: 25,
    ...more,
  });
}

const names = (rows: readonly ListedIssue[]): string[] =>
  rows.map((row) => `${row.title}${row.projectId === projects[1]?.id ? '@api' : ''}`);

const everyone = [
  'newest',
  'busy',
  'elsewhere@api',
  'staging only',
  'crowded',
  'handled',
  'digest',
  'busy@api',
  'two hashes',
];

describe('without terms about events', () => {
  test('by last event; what has none in the range is left out', async () => {
    expect(names(await ask(''))).toEqual(everyone);
    expect(names(await ask('', { range: lastPeriod('30d', now) }))).toEqual([...everyone, 'old']);
  });

  test('by first event, events, users', async () => {
    expect(names(await ask('', { sort: 'new' }))[0]).toBe('newest');
    expect(names(await ask('', { sort: 'new' })).at(-1)).toBe('busy');
    expect(names(await ask('', { sort: 'freq' })).slice(0, 3)).toEqual(['busy', 'crowded', 'two hashes']);
    expect(names(await ask('', { sort: 'user' })).slice(0, 1)).toEqual(['crowded']);
    expect(names(await ask('', { sort: 'freq', range: lastPeriod('24h', now) })).slice(0, 2)).toEqual([
      'busy',
      'crowded',
    ]);
  });

  test('numbers follow the range, the life of the issue does not', async () => {
    const [busy] = await ask('title:busy project:web', { range: lastPeriod('24h', now) });
    expect(busy?.numbers.count).toBeGreaterThanOrEqual(24);
    expect(busy?.numbers.count).toBeLessThanOrEqual(25);
    expect(busy?.numbers.lifetime).toMatchObject({ count: 40, userCount: 2 });
    expect([...(busy?.numbers.series.values() ?? [])].reduce((sum, count) => sum + count, 0)).toBe(busy?.numbers.count);
    expect(busy?.numbers.lastSeen).toBe(now - 5 * minute);
  });

  test('a series of whole days has the events of its hours, without a second statement', async () => {
    const fortnight = lastPeriod('14d', now);
    const daily = byDays(fortnight);
    expect(daily).toMatchObject({ bucketMs: day, buckets: 15 });
    const inDays = (rows: readonly ListedIssue[], bucketMs: number) =>
      rows.map(({ id, numbers }) => {
        const days = Array.from({ length: daily.buckets }, () => 0);
        for (const [index, count] of numbers.series) {
          const at = Math.floor((index * bucketMs) / day);
          days[at] = (days[at] ?? 0) + count;
        }
        return [id, days];
      });
    for (const environments of [[], ['staging']]) {
      const asked = { environments, range: fortnight };
      const hourly = await ask('', asked);
      expect(inDays(await ask('', { ...asked, seriesRange: daily }), day)).toEqual(inDays(hourly, fortnight.bucketMs));
    }
    const statements = vi.spyOn(stores.events, 'query');
    await ask('', { seriesRange: daily });
    expect(statements.mock.calls.map(([sql]) => /FROM (\w+)/.exec(sql)?.[1])).toEqual(['issue_lives']);
    statements.mockRestore();
  });

  test('one hash in two projects counts for each its own', async () => {
    const rows = await ask('busy');
    expect(names(rows)).toEqual(['busy', 'busy@api']);
    expect(rows.map((row) => row.numbers.count)).toEqual([40, 1]);
    const listed = await ask('');
    expect(listed.filter((row) => row.title === 'busy').map((row) => row.numbers.count)).toEqual([40, 1]);
  });

  test('events and users of several hashes of one issue are put together', async () => {
    const [row] = (await ask('')).filter((one) => one.title === 'two hashes');
    expect(row?.numbers).toMatchObject({ count: 3, userCount: 2 });
    expect(row?.numbers.lifetime).toMatchObject({ count: 3, userCount: 2 });
  });

  test('an environment changes order, numbers and what is there', async () => {
    const rows = await ask('', { environments: ['staging'] });
    expect(names(rows)).toEqual(['staging only']);
    expect(rows[0]?.numbers.count).toBe(2);
    expect(names(await ask('', { environments: ['production'] }))).not.toContain('staging only');
    expect(names(await ask('', { environments: ['staging'], sort: 'freq' }))).toEqual(['staging only']);
    expect(await ask('', { environments: ['nowhere'] })).toEqual([]);
  });

  test('of few issues, those without an event within the filter are left out as well', async () => {
    expect(await ask('is:unresolved release:nothing')).toEqual([]);
    expect(names(await ask('is:unresolved release:web@2.0.0'))).toEqual(['staging only']);
    for (const range of [lastPeriod('24h', now), lastPeriod('14d', now), lastPeriod('15m', now)]) {
      expect(await ask('is:unresolved', { range, environments: ['nowhere'] })).toEqual([]);
    }
    const staging = await ask('is:unresolved', { range: lastPeriod('24h', now), environments: ['staging'] });
    expect(staging.map((row) => [row.title, row.numbers.count])).toEqual([['staging only', 2]]);
  });

  test('minutes, and a range in the past', async () => {
    expect(names(await ask('', { range: lastPeriod('15m', now) }))).toEqual(['newest', 'busy', 'elsewhere@api']);
    const past = parseTimeRange(
      { start: new Date(now - 21 * day).toISOString(), end: new Date(now - 19 * day).toISOString() },
      now,
    );
    const rows = await ask('', { range: past });
    expect(names(rows)).toEqual(['old']);
    expect(rows[0]?.numbers.lastSeen).toBe(now - 20 * day);
  });
});

describe('terms about events', () => {
  test.each([
    ['level:warning', ['handled']],
    ['!level:error', ['handled']],
    ['error.handled:true', ['handled']],
    ['error.unhandled:false', ['handled']],
    ['handled:yes', ['handled']],
    ['browser.name:Firefox', ['handled']],
    ['browser.name:[Firefox, Chrome]', ['handled', 'digest']],
    ['browser.name:F*x', ['handled']],
    ['cart:"7_%"', ['handled']],
    ['cart:7_*', ['handled']],
    ['cart:77*', []],
    ['has:browser.name', ['handled', 'digest']],
    ['has:digest', ['digest']],
    ['digest:1930860604', ['digest']],
    ['digest:1930860604@E394', ['digest']],
    ['release:web@2.0.0', ['staging only']],
    ['environment:staging', ['staging only']],
    ['user.id:6', ['crowded']],
    ['user:id:6', ['crowded']],
    ['user:6', ['crowded']],
    ['error.type:TypeError error.value:digest', ['digest']],
    ['STAGING', ['staging only']],
    ['message:"staging only"', ['staging only']],
    ['message:stag*only', ['staging only']],
    ['project:api', ['elsewhere@api', 'busy@api']],
    ['!project:api digest', ['digest']],
    [`id:${'0'.repeat(32)}`, []],
    ["release:'; DROP TABLE errors; --", []],
  ])('%s', async (query, expected) => {
    expect(names(await ask(query))).toEqual(expected);
  });

  test('all terms speak of one event, and numbers are of the events that fulfil them', async () => {
    expect(await ask('user.id:1 user.id:2')).toEqual([]);
    const [row] = await ask('user.id:1 busy');
    expect(row?.numbers).toMatchObject({ count: 20, userCount: 1 });
    expect(row?.numbers.lifetime).toMatchObject({ count: 40, userCount: 2 });
  });

  test('sorted by events, users and first event', async () => {
    expect(names(await ask('has:user', { sort: 'freq' }))).toEqual(['busy', 'crowded', 'two hashes']);
    expect(names(await ask('has:user', { sort: 'user' }))[0]).toBe('crowded');
    expect(names(await ask('has:user', { sort: 'new' }))).toEqual(['crowded', 'two hashes', 'busy']);
  });
});

describe('alternatives, groups and negation', () => {
  test.each([
    ['level:warning OR has:digest', ['handled', 'digest']],
    ['has:browser.name (level:warning OR digest:1930860604)', ['handled', 'digest']],
    ['(browser.name:Firefox level:error) OR (browser.name:Chrome level:error)', ['digest']],
    ['browser.name:Chrome browser.name:Firefox', []],
    ['!browser.name:Firefox project:web level:error release:web@2.0.0', ['staging only']],
    ['browser.name:!=Firefox has:browser.name', ['digest']],
    ['browser.name:*', ['handled', 'digest']],
    ['!has:release', []],
    ['stack.function:pay', ['handled']],
    ['stack.function:[pay, nothing]', ['handled']],
    ['stack.filename:src/*.tsx', ['handled']],
    ['stack.filename:SRC/*', []],
    ['!stack.function:pay has:stack.function', []],
    ['stack.function:pay stack.function:render', ['handled']],
    ['stack.lineno:>100', ['handled']],
    ['stack.in_app:false', ['handled']],
    ['error.type:PayError', ['handled']],
    ['!error.type:PayError has:browser.name', ['digest']],
  ])('%s', async (query, expected) => {
    expect(names(await ask(query))).toEqual(expected);
  });

  test('a negated term asks for an event without it, not for an issue of which no event has it', async () => {
    const [row] = (await ask('!user.id:1')).filter((one) => one.title === 'busy');
    expect(row?.numbers.count).toBe(20);
    expect(names(await ask('user.id:1'))).toContain('busy');
  });

  test.each([
    ['is:resolved OR level:warning', ['handled']],
    ['project:api OR has:digest', ['elsewhere@api', 'digest', 'busy@api']],
    ['(project:api timesSeen:1) OR (project:web has:digest)', ['digest', 'busy@api']],
    ['age:-2m OR timesSeen:12', ['newest', 'crowded']],
    ['age:-2m OR user.id:6', ['newest', 'crowded']],
    ['user.id:9 OR (timesSeen:>30 user.id:1)', ['busy', 'two hashes']],
    ['issue:WEB-3 OR issue:API-1', ['newest', 'elsewhere@api']],
  ])('of issues and events: %s', async (query, expected) => {
    expect(names(await ask(query))).toEqual(expected);
    for (const sort of ['freq', 'user', 'new', 'trends'] as const) {
      expect(names(await ask(query, { sort })).toSorted()).toEqual(expected.toSorted());
    }
  });

  test('numbers of an issue are of what is left of the search for it', async () => {
    const rows = await ask('(is:unresolved user.id:1 timesSeen:>30) OR (user.id:9 timesSeen:3)');
    expect(rows.map((row) => [row.title, row.numbers.count])).toEqual([
      ['busy', 20],
      ['two hashes', 2],
    ]);
    const [whole] = (await ask('timesSeen:40 OR user.id:9')).filter((row) => row.title === 'busy');
    expect(whole?.numbers).toMatchObject({ count: 40, userCount: 2 });
  });

  test('a search that can only fail finds nothing, one that cannot finds all', async () => {
    expect(await ask('', { root: false })).toEqual([]);
    expect(names(await ask('', { root: true }))).toEqual(everyone);
  });
});

describe('searches inside of events', () => {
  const rowsOf = (query: string) => planSearch(parseSearch(query, 'issues').root, projects, now).rows;
  const scope = () => ({
    projectIds: projects.map(({ id }) => id),
    environments: [],
    range: lastPeriod('14d', now),
    nowMs: now,
  });

  test('are refused when the rest of the search leaves too many', async () => {
    const asked = rowsOf('http.method:P* contexts.app.build:7');
    await expect(refuseExpensive(stores, asked, scope(), 10)).rejects.toThrow(
      'http.method, contexts.app.build requires reading more than 10 events',
    );
    await expect(refuseExpensive(stores, asked, scope(), 1_000)).resolves.toBeUndefined();
  });

  test.each([
    'http.method:x has:browser.name',
    'http.method:x level:warning',
    'http.method:x pay',
    'level:error "STAGING only"',
  ])('are run when it leaves few: %s', async (query) => {
    await expect(refuseExpensive(stores, rowsOf(query), scope(), 10)).resolves.toBeUndefined();
  });

  test('find what is in no column', async () => {
    expect(names(await ask('http.method:PATCH'))).toEqual(['digest']);
  });
});

describe('words and stacks among distinct texts', () => {
  test.each([
    ['cart.ts', ['handled']],
    ['PAY', ['handled']],
    ['stack.function:pay level:warning', ['handled']],
    ['pay level:error', []],
    ['!stack.function:pay !stack.function:render has:browser.name', ['digest']],
    ['(stack.function:pay OR digest) has:browser.name', ['handled', 'digest']],
    ['stack.function:pay OR browser.name:Chrome', ['handled', 'digest']],
    ['"two hashes" user.id:1', ['two hashes']],
  ])('%s', async (query, expected) => {
    expect(names(await ask(query))).toEqual(expected);
    expect(names(await ask(query, { range: lastPeriod('23h', now) }))).toEqual(expected);
  });

  test('texts that were last seen before the range are not looked at', () => {
    const { root } = parseSearch('pay', 'issues');
    const { conditions, params } = rowConditions(planSearch(root, projects, now).rows, {
      projectIds: [7],
      fromMs: Date.parse('2026-11-03T10:00:00Z'),
      nowMs: now,
    });
    expect(conditions).toHaveLength(1);
    expect(params).toMatchObject({ textsFrom: '2026-11-03', textsProjects: [7] });
  });
});

describe('by trends', () => {
  test.each([
    ['of milliseconds', '', '4h'],
    ['of hours', '', '24h'],
    ['of days', '', '14d'],
    ['of events', 'has:release', '14d'],
    ['of events within hours', 'has:release', '24h'],
  ])('%s: what grows comes before what shrinks', async (_, query, period) => {
    const rows = await ask(query, { sort: 'trends', range: lastPeriod(period, now) });
    const order = names(rows);
    if (period === '4h') expect(order.at(-1)).toBe('crowded');
    else if (period === '24h') expect(order.indexOf('crowded')).toBeLessThan(order.indexOf('two hashes'));
    else expect(order.slice(0, 2)).toEqual(['busy', 'crowded']);
    const values = rows.map((row) => sortValue(row, 'trends'));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });
});

describe('terms about issues', () => {
  test('status', async () => {
    const [row] = await ask('digest:1930860604');
    const change = { issueIds: [row?.id ?? 0], userId: 'nobody', nowMs: now };
    await stores.state.db
      .insertInto('user')
      .values({
        id: 'nobody',
        name: '',
        email: 'n@example.com',
        emailVerified: true,
        image: null,
        createdAt: new Date(),
        updatedAt: new Date(),
      })
      .execute();
    const live = createLive();
    const resolving = { ...change, change: { kind: 'resolve' } } as const;
    expect(await changeStatus({ ...stores, live }, resolving)).toMatchObject({ changed: [{ id: row?.id }] });
    expect(await changeStatus({ ...stores, live }, resolving)).toEqual({ changed: [] });
    expect(names(await ask('is:resolved'))).toEqual(['digest']);
    expect(names(await ask('is:resolved', { sort: 'freq' }))).toEqual(['digest']);
    expect(names(await ask('is:resolved has:digest'))).toEqual(['digest']);
    expect(names(await ask('is:unresolved'))).not.toContain('digest');
    expect(names(await ask('!is:resolved'))).not.toContain('digest');
    expect(await ask('is:resolved is:unresolved')).toEqual([]);
    expect(await ask('is:archived')).toEqual([]);
    expect(names(await ask('is:new is:unresolved project:api'))).toEqual(['elsewhere@api', 'busy@api']);
    await changeStatus({ ...stores, live }, { ...change, change: { kind: 'reopen' } });
    expect(names(await ask('is:ongoing'))).toEqual(['digest']);
  });

  test.each([
    ['timesSeen:>10', ['busy', 'crowded']],
    ['timesSeen:3', ['two hashes']],
    ['!timesSeen:<12 environment:production', ['busy', 'crowded']],
    ['userCount:>=6', ['crowded']],
    ['age:-2m', ['newest']],
    ['lastSeen:+7h', ['busy@api', 'two hashes']],
    ['issue:API-1', ['elsewhere@api']],
    ['issue:[web-3, API-2]', ['newest', 'busy@api']],
    ['firstRelease:web@*', ['staging only']],
    ['assigned:me', []],
    ['is:unassigned timesSeen:12', ['crowded']],
  ])('%s', async (query, expected) => {
    expect(names(await ask(query))).toEqual(expected);
  });
});

describe('pages', () => {
  test.each([
    ['by the index', '', {}],
    ['by events', 'has:release', {}],
    ['by daily counts', '', { sort: 'freq' as const }],
    ['by the index, as a bound', '', { environments: ['production', 'staging'] }],
    ['of few', 'issue.id:>0', { sort: 'user' as const }],
    ['by trends', '', { sort: 'trends' as const }],
    ['of issues and events', 'has:release OR timesSeen:>1', { sort: 'freq' as const }],
  ])('%s join without gap or repetition, and lead back', async (_, query, more) => {
    const all = names(await ask(query, { ...more, limit: 100 }));
    const seen: string[] = [];
    const pages: string[][] = [];
    let at = await page(query, { ...more, limit: 4 });
    expect(at.previous).toBeUndefined();
    for (;;) {
      pages.push(names(at.rows));
      seen.push(...names(at.rows));
      if (!at.next) break;
      at = await page(query, { ...more, limit: 4, cursor: at.next });
      expect(at.previous).toBeDefined();
    }
    expect(seen).toEqual(all);
    expect(pages).toHaveLength(Math.ceil(all.length / 4));
    const back = await page(query, { ...more, limit: 4, cursor: at.previous });
    expect(names(back.rows)).toEqual(pages.at(-2));
    expect(back.next).toBeDefined();
  });
});
