/** Lists by random searches over a store of random events are what a look at each of the events says, whichever way they are found. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseSearch } from '@culprit/search';
import { createLive } from '../../../base/live.ts';
import { lasting } from '../../../base/testing.ts';
import { byDays, lastPeriod, type TimeRange } from '../../../base/time-range.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { countStatements } from '../../../ports/events/testing/statements.ts';
import { hashKey } from '../rows.ts';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import type { IssueListRequest, IssueSort, IssueStores, ListedIssue, VisibleProject } from '../types.ts';
import * as extent from './extent.ts';
import { KnownAnswers } from './known.ts';
import { listIssues } from './list.ts';
import { sortValue } from './listed.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.now();
const sorts: readonly IssueSort[] = ['date', 'new', 'freq', 'user', 'trends'];

let stores: TestStores;
let known: KnownAnswers;
const projects: VisibleProject[] = [];
const rows: ErrorRow[] = [];
/** By `hashKey`. */
const owners = new Map<string, number>();
const firstSeen = new Map<number, number>();

/** The same sequence each time, numbers below 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pick = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T;

function someRow(random: () => number): ErrorRow {
  // The further down, the rarer; the same code in two projects gives the same hash.
  const group = Math.floor(30 * random() ** 2);
  const project = pick(projects, random);
  const title = `Failure ${group}: ${pick(['basket', 'invoice'], random)}`;
  const functions = [`fn${group % 7}`, pick(['pay', 'render'], random)];
  const user = pick(['', 'id:1', 'id:2', 'id:3', 'id:4'], random);
  return errorRow({
    project_id: project.id,
    group_hash: hash(`group ${group}`),
    // Some issues have two hashes.
    group_hashes: group % 5 === 4 ? [hash(`group ${group}`), hash(`group ${group - 1}`)] : [hash(`group ${group}`)],
    timestamp: now - Math.floor((group < 3 ? 5 : 24) * day * random() ** 2),
    title,
    texts: String(BigInt(`0x${hash([project.slug, group, title, ...functions].join()).slice(0, 15)}`)),
    level: pick(['error', 'warning'], random),
    environment: pick(['production', 'production', 'staging'], random),
    release: pick(['shop@1.0.0', 'shop@1.1.0', 'shop@2.0.0'], random),
    handled: pick([0, 1], random),
    digest: group % 4 === 0 ? String(1_000 + group) : '',
    user,
    user_id: user.slice(3),
    tags: { browser: pick(['Firefox', 'Chrome', 'Safari'], random), tenant: `t${Math.floor(random() * 20)}` },
    stack_functions: functions,
  });
}

interface Term {
  readonly text: string;
  /** Of events, or, with `life`, of issues. */
  readonly holds: (row: ErrorRow, issue: number) => boolean;
}

const lifeOf = (issue: number): readonly ErrorRow[] => rows.filter((row) => ownerOf(row) === issue);
const ownerOf = (row: ErrorRow): number => owners.get(hashKey(row.project_id, row.group_hash)) ?? 0;

const ofEvents: readonly Term[] = [
  { text: 'browser:Firefox', holds: (row) => row.tags.browser === 'Firefox' },
  { text: '!browser:Chrome', holds: (row) => row.tags.browser !== 'Chrome' },
  { text: 'tenant:t7', holds: (row) => row.tags.tenant === 't7' },
  { text: 'tenant:t1*', holds: (row) => row.tags.tenant?.startsWith('t1') ?? false },
  { text: 'release:shop@1.*', holds: (row) => row.release.startsWith('shop@1.') },
  { text: 'level:warning', holds: (row) => row.level === 'warning' },
  { text: 'user.id:3', holds: (row) => row.user_id === '3' },
  { text: 'has:digest', holds: (row) => row.digest !== '' },
  { text: '!has:user', holds: (row) => row.user === '' },
  { text: 'invoice', holds: (row) => row.title.includes('invoice') },
  { text: 'stack.function:fn2', holds: (row) => row.stack_functions?.includes('fn2') ?? false },
  { text: 'stack.function:pa*', holds: (row) => row.stack_functions?.includes('pay') ?? false },
  { text: 'error.unhandled:true', holds: (row) => row.handled === 0 },
];
const ofIssues: readonly Term[] = [
  { text: 'timesSeen:>12', holds: (_row, issue) => lifeOf(issue).length > 12 },
  { text: 'is:unresolved', holds: () => true },
  { text: 'is:resolved', holds: () => false },
  { text: 'project:web', holds: (row) => row.project_id === projects[0]?.id },
];

function someSearch(random: () => number): Term {
  // The same words twice are other words.
  const some = (terms: readonly Term[], most: number): Term[] => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(terms, random))),
  ];
  const all = (terms: readonly Term[]): Term => ({
    text: terms.map(({ text }) => text).join(' '),
    holds: (row, issue) => terms.every(({ holds }) => holds(row, issue)),
  });
  const either = (terms: readonly Term[]): Term => ({
    text: terms.map(({ text }) => `(${text})`).join(' OR '),
    holds: (row, issue) => terms.some(({ holds }) => holds(row, issue)),
  });
  const form = random();
  if (form < 0.35) return all(some(ofEvents, 2));
  if (form < 0.55) return all([...some(ofEvents, 2), ...some(ofIssues, 1)]);
  if (form < 0.75) return either([all(some(ofEvents, 2)), all(some(ofEvents, 2))]);
  return either([all([...some(ofEvents, 1), ...some(ofIssues, 1)]), all([...some(ofEvents, 1), ...some(ofIssues, 1)])]);
}

/** By the id of the issue, from the events one by one. */
function expected({ holds }: Term, { range, environments, seriesRange = range, sort }: IssueListRequest) {
  const inRange = ({ timestamp }: ErrorRow, { startMs, endMs, open }: TimeRange): boolean =>
    timestamp >= startMs && (open || timestamp < endMs);
  const asked = rows.filter(
    (row) => (!environments.length || environments.includes(row.environment)) && holds(row, ownerOf(row)),
  );
  const numbers = new Map<number, unknown>();
  for (const [issue, all] of Map.groupBy(asked, ownerOf)) {
    const own = all.filter((row) => inRange(row, range));
    if (!own.length) continue;
    const life = lifeOf(issue);
    const users = (some: readonly ErrorRow[]): number => new Set(some.map(({ user }) => user).filter(Boolean)).size;
    const series = new Map<number, number>();
    for (const { timestamp } of all.filter((row) => inRange(row, seriesRange))) {
      const { startMs, bucketMs, buckets } = seriesRange;
      const index = Math.min(buckets - 1, Math.floor((timestamp - startMs) / bucketMs));
      series.set(index, (series.get(index) ?? 0) + 1);
    }
    const seen = (some: readonly ErrorRow[]): number => Math.max(...some.map(({ timestamp }) => timestamp));
    numbers.set(issue, {
      count: own.length,
      userCount: users(own),
      lastSeen: seen(own),
      unhandled: own.some(({ handled }) => handled === 0),
      series: Object.fromEntries([...series].toSorted(([a], [b]) => a - b)),
      lifetime: { count: life.length, userCount: users(life), lastSeen: seen(life) },
      ...(sort === 'new' && { firstSeen: firstSeen.get(issue) }),
    });
  }
  return numbers;
}

const told = (listed: readonly ListedIssue[], sort: IssueSort) =>
  new Map(
    listed.map(({ id, firstSeen: first, numbers: { count, userCount, lastSeen, unhandled, series, lifetime } }) => [
      id,
      {
        count,
        userCount,
        lastSeen,
        unhandled,
        series: Object.fromEntries([...series].toSorted(([a], [b]) => a - b)),
        lifetime,
        ...(sort === 'new' && { firstSeen: first }),
      },
    ]),
  );

beforeAll(async () => {
  stores = await openTestStores();
  known = new KnownAnswers({ live: createLive() });
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  projects.push(await addTestProject(stores.state, 'web'), await addTestProject(stores.state, 'api'));
  const random = sequence(17);
  rows.push(...Array.from({ length: 900 }, () => someRow(random)));
  for (let at = 0; at < rows.length; at += 300) await store(stores, rows.slice(at, at + 300));
  for (const row of await stores.state.db.selectFrom('issue_hash').selectAll().execute())
    owners.set(hashKey(row.project_id, row.hash), row.issue_id);
  for (const row of await stores.state.db.selectFrom('issue').select(['id', 'first_seen']).execute())
    firstSeen.set(row.id, row.first_seen);
});

afterAll(async () => {
  vi.restoreAllMocks();
  known[Symbol.dispose]();
  await stores[Symbol.asyncDispose]();
});

function request(query: string, random: () => number): IssueListRequest {
  const range = lastPeriod(pick(['14d', '14d', '30d', '24h', '90m'], random), now);
  const { root, problems } = parseSearch(query, 'issues');
  expect(problems).toEqual([]);
  return {
    projects: random() < 0.5 ? projects : projects.slice(0, 1),
    environments: random() < 0.7 ? [] : ['staging'],
    range,
    seriesRange: pick([range, byDays(range), lastPeriod('24h', now), lastPeriod('30d', now)], random),
    root,
    nowMs: now,
    sort: pick(sorts, random),
    limit: 100,
  };
}

describe.each([
  ['of few events', 0],
  ['of many', Infinity],
])('%s', (_, around) => {
  test.each(Array.from({ length: lasting(4, 24) }, (_one, seed) => seed))('search %i', async (seed) => {
    vi.spyOn(extent, 'eventsAround').mockReturnValue(around);
    const random = sequence(1_000 + seed);
    const search = someSearch(random);
    const asked = request(search.text, random);
    const ofProjects = new Set(asked.projects.map(({ id }) => id));
    const all = expected(
      { ...search, holds: (row, issue) => ofProjects.has(row.project_id) && search.holds(row, issue) },
      asked,
    );
    const remembering: IssueStores = { ...stores, known };
    for (const some of [stores, remembering, remembering]) {
      const { rows: listed, next } = await listIssues(some, asked);
      expect(told(listed, asked.sort)).toEqual(all);
      expect(next).toBeUndefined();
      const values = listed.map((one) => sortValue(one, asked.sort));
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }
    const dated = { ...asked, sort: 'date', limit: 4 } as const;
    const paged: number[] = [];
    let page = await listIssues(remembering, dated);
    for (; page.next; page = await listIssues(remembering, { ...dated, cursor: page.next }))
      paged.push(...page.rows.map(({ id }) => id));
    paged.push(...page.rows.map(({ id }) => id));
    expect(paged).toEqual((await listIssues(stores, { ...asked, sort: 'date' })).rows.map(({ id }) => id));
  });
});

describe('statements', () => {
  const count = async (query: string, around: number, more: Partial<IssueListRequest> = {}) => {
    vi.spyOn(extent, 'eventsAround').mockReturnValue(around);
    using fresh = new KnownAnswers({ live: createLive() });
    const asked = { ...request(query, () => 0), limit: 3, sort: 'date', ...more } as const;
    const ask = () => countStatements(stores.events, () => listIssues({ ...stores, known: fresh }, asked));
    return { first: await ask(), again: await ask() };
  };

  test.each([
    ['digest:1000 browser:Firefox', 0, { total: 2, inARow: 2 }, { total: 1, inARow: 1 }],
    ['browser:Firefox', Infinity, { total: 3, inARow: 2 }, { total: 2, inARow: 2 }],
    ['digest:1000 browser:Firefox', Infinity, { total: 3, inARow: 3 }, { total: 2, inARow: 2 }],
    ['tenant:nobody', 0, { total: 1, inARow: 1 }, { total: 1, inARow: 1 }],
    ['tenant:nobody', Infinity, { total: 2, inARow: 2 }, { total: 2, inARow: 2 }],
    [
      '(is:resolved browser:Firefox) OR (is:unresolved level:warning)',
      0,
      { total: 2, inARow: 1 },
      { total: 1, inARow: 1 },
    ],
  ])('of %s with %d events', async (query, around, first, again) => {
    expect(await count(query, around)).toEqual({ first, again });
  });
});
