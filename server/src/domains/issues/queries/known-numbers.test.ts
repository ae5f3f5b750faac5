/** Lists and pages that remember give what those that ask anew give, whatever happens in between: on real stores. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLive } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { lasting } from '../../../base/testing.ts';
import { byDays, lastPeriod, parseTimeRange } from '../../../base/time-range.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { countStatements } from '../../../ports/events/testing/statements.ts';
import { listMerges, mergeIssues, takeBack } from '../merge/index.ts';
import { addTestProject } from '../testing/projects.ts';
import { gainsOf } from '../record/gained.ts';
import { hashKey, toIssueRow } from '../rows.ts';
import { errorRow, hash, openTestStores, recordIssues, type TestStores } from '../testing/stores.ts';
import type { IssueListRequest, IssueSort, Page, ListedIssue, VisibleProject } from '../types.ts';
import { KnownAnswers } from './known.ts';
import { hashesOf } from './issue.ts';
import { knownTagsOfIssue, pageOfIssue } from './known-page.ts';
import { listIssues } from './list.ts';
import { readUsers, toldApartSql, type UserSet, withUsers } from './users/user-set.ts';

const hour = 3_600_000;
const live = createLive();
/** Reading again in the background takes its time on a busy machine. */
const patience = { timeout: 20_000, interval: 50 };
const environments = ['production', 'staging', 'review'];
const groups = Array.from({ length: 12 }, (_, index) => hash(`group ${index}`));

let stores: TestStores;
let project: VisibleProject;
let known: KnownAnswers;

beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const at = new Date();
  const user = { id: 'u', name: 'Ada', email: 'ada@example.com', emailVerified: true, image: null };
  await stores.state.db
    .insertInto('user')
    .values({ ...user, createdAt: at, updatedAt: at })
    .execute();
  project = await addTestProject(stores.state, 'web');
  known = new KnownAnswers({ live });
});

afterAll(async () => {
  known[Symbol.dispose]();
  await stores[Symbol.asyncDispose]();
});

/** The same sequence each time, numbers below 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pick = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)] as T;

function someRows(random: () => number, now: number): ErrorRow[] {
  return Array.from({ length: 1 + Math.floor(random() * 8) }, () => {
    const group_hash = pick(groups, random);
    const user = random() < 0.7 ? `id:${Math.floor(random() * 20)}` : '';
    return errorRow({
      project_id: project.id,
      group_hash,
      // Sometimes long before all others of its issue.
      timestamp: now - Math.floor(random() ** 4 * 40 * 24 * hour),
      environment: pick(environments, random),
      handled: pick([0, 1, null], random),
      user,
      user_id: user.slice(3),
    });
  });
}

let batches = 0;

interface Batch {
  readonly rows: readonly ErrorRow[];
  readonly token: string;
}

/** As far as a batch comes that dies before anybody is told. */
async function storeUntold({ rows, token }: Batch): Promise<void> {
  await recordIssues(stores, rows);
  await stores.events.insert('errors', rows, token);
}

/** Whole; again where it came part of the way before, and then nobody is told what it adds. */
async function storeBatch(batch: Batch, isFirst = true): Promise<void> {
  const fromMs = steadyMs();
  await storeUntold(batch);
  const untilMs = steadyMs();
  const owners = await stores.state.db
    .selectFrom('issue_hash')
    .select(['issue_id', 'hash', 'project_id'])
    .where('hash', 'in', [...new Set(batch.rows.map(({ group_hash }) => group_hash))])
    .execute();
  const issueIds = [...new Set(owners.map(({ issue_id }) => issue_id))];
  const byHash = new Map(owners.map((owner) => [hashKey(owner.project_id, owner.hash), owner.issue_id]));
  const issues = gainsOf(batch.rows, byHash);
  live.publish({
    type: 'events',
    projectId: project.id,
    issueIds,
    newIssueIds: [],
    count: batch.rows.length,
    first: false,
    gained: isFirst ? { issues, fromMs, untilMs } : undefined,
  });
}

const newBatch = (random: () => number, now: number): Batch => ({
  rows: someRows(random, now),
  token: `known:${batches++}`,
});

const sorts: readonly IssueSort[] = ['date', 'new', 'freq', 'user', 'trends'];
const periods = ['1h', '24h', '48h', '14d', '90d'];

function someRequest(random: () => number, nowMs: number): IssueListRequest {
  const closed = { start: new Date(nowMs - 9 * 24 * hour).toISOString(), end: new Date(nowMs - hour).toISOString() };
  const range =
    (random() < 0.15 ? parseTimeRange(closed, nowMs) : undefined) ?? lastPeriod(pick(periods, random), nowMs);
  return {
    projects: [project],
    environments: environments.filter(() => random() < 0.25),
    range,
    seriesRange: pick([byDays(range), lastPeriod('24h', nowMs)], random),
    root: undefined,
    nowMs,
    sort: pick(sorts, random),
    limit: pick([3, 25], random),
  };
}

/** What the page of an issue shows, but for its tags, one after the other of those that are there. */
async function countsOf(asked: TestStores & { readonly known?: KnownAnswers }, ids: readonly number[], nowMs: number) {
  const pages: unknown[] = [];
  for (const id of ids) {
    const row = await stores.state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const owning = { issue: toIssueRow(row), hashes: await hashesOf(stores.state, id) };
    for (const environments of [[], ['staging']]) {
      const { totals, lifetime } = await pageOfIssue(asked, owning, { environments, nowMs });
      pages.push({ ...totals, users: null }, { ...lifetime, users: null });
    }
  }
  return pages;
}

async function tagsOf(asked: TestStores & { readonly known?: KnownAnswers }, ids: readonly number[], nowMs: number) {
  const tags: unknown[] = [];
  for (const id of ids) {
    const row = await stores.state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const owning = { issue: toIssueRow(row), hashes: await hashesOf(stores.state, id) };
    tags.push(
      (await pageOfIssue(asked, owning, { environments: [], nowMs })).tags,
      await knownTagsOfIssue(asked, owning, { sample: 10_000, values: 5 }),
    );
  }
  return tags;
}

async function someIssues(random: () => number): Promise<number[]> {
  const issues = await stores.state.db.selectFrom('issue').select('id').where('merged_into', 'is', null).execute();
  return issues.map(({ id }) => id).filter(() => random() < 0.3);
}

const shown = ({ rows }: Page<ListedIssue>) =>
  rows.map(({ id, numbers }) => ({ id, numbers: { ...numbers, users: null } }));

test('after batches, batches that died and ran again, merges and merges taken back', { timeout: 120_000 }, async () => {
  const random = sequence(7);
  const now = Date.now();
  const died: Batch[] = [];
  const merged: { parent: number; children: readonly number[] }[] = [];
  for (let step = 0; step < lasting(5, 24); step++) {
    const what = random();
    if (what < 0.15) {
      const batch = newBatch(random, now);
      await storeUntold(batch);
      died.push(batch);
    } else if (what < 0.8) {
      await storeBatch(newBatch(random, now));
    } else if (what < 0.9) {
      const issues = await stores.state.db.selectFrom('issue').select('id').where('merged_into', 'is', null).execute();
      const issueIds = issues
        .map(({ id }) => id)
        .toSorted(() => random() - 0.5)
        .slice(0, 2);
      if (issueIds.length === 2)
        merged.push(await mergeIssues({ ...stores, live }, { issueIds, userId: 'u', nowMs: now }));
    } else {
      const last = merged.pop();
      const parent = last && { id: last.parent, projectId: project.id };
      if (last && parent && (await listMerges(stores, { ...parent })).length) {
        await takeBack({ ...stores, live }, { parent, childIds: last.children, userId: 'u', nowMs: now });
      }
    }
    // Somebody looks while rows are there that nobody was told of.
    await listIssues({ ...stores, known }, someRequest(random, now));
    await countsOf({ ...stores, known }, await someIssues(random), now);
    for (const batch of died.splice(0)) await storeBatch(batch, false);
    const ids = await someIssues(random);
    expect(await countsOf({ ...stores, known }, ids, now)).toEqual(await countsOf(stores, ids, now));
    for (let question = 0; question < 3; question++) {
      const request = someRequest(random, now);
      const fresh = shown(await listIssues(stores, request));
      expect(shown(await listIssues({ ...stores, known }, request)), JSON.stringify(request)).toEqual(fresh);
    }
  }
});

test.each(['date', 'freq', 'user', 'trends'] as const)(
  'a list by %s that was asked for lately asks the engine nothing, also right after new events',
  async (sort) => {
    using fresh = new KnownAnswers({ live });
    const random = sequence(13);
    const now = Date.now();
    const request = {
      ...someRequest(random, now),
      // All on one page: what may come onto it is asked for as well.
      limit: 25,
      environments: [],
      range: lastPeriod('14d', now),
      sort,
    };
    const list = () => listIssues({ ...stores, known: fresh }, request);
    await list();
    expect(await countStatements(stores.events, list)).toEqual({ total: 0, inARow: 0 });
    const batch = newBatch(random, now);
    for (let round = 0; round < 2; round++) {
      await storeBatch({ ...newBatch(random, now), rows: batch.rows });
      await list();
    }
    // From then on the users of these issues are told apart.
    await storeBatch({ ...newBatch(random, now), rows: batch.rows });
    expect(await countStatements(stores.events, list)).toEqual({ total: 0, inARow: 0 });
    expect(shown(await list())).toEqual(shown(await listIssues(stores, request)));
  },
);

test('neither does the page of an issue; its tags follow when they were read again', async () => {
  using fresh = new KnownAnswers({ live });
  const random = sequence(17);
  const now = Date.now();
  const batch = newBatch(random, now);
  await storeBatch(batch);
  const owner = await stores.state.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('hash', '=', batch.rows[0]?.group_hash ?? '')
    .executeTakeFirstOrThrow();
  const ids = [owner.issue_id];
  const asked = { ...stores, known: fresh };
  await countsOf(asked, ids, now);
  await storeBatch({ ...newBatch(random, now), rows: batch.rows });
  await vi.waitFor(
    async () =>
      expect(await countStatements(stores.events, () => countsOf(asked, ids, now))).toEqual({ total: 0, inARow: 0 }),
    patience,
  );
  await tagsOf(asked, ids, now);
  const more = { ...newBatch(random, now), rows: batch.rows.map((row) => ({ ...row, tags: { new: 'yes' } })) };
  await storeBatch(more);
  await vi.waitFor(async () => expect(await tagsOf(asked, ids, now)).toEqual(await tagsOf(stores, ids, now)), patience);
  expect(await countStatements(stores.events, () => countsOf(asked, ids, now))).toEqual({ total: 0, inARow: 0 });
  expect(await countsOf(asked, ids, now)).toEqual(await countsOf(stores, ids, now));
});

test('an issue without events of an environment was seen there when it was seen in any, also as it grows', async () => {
  using fresh = new KnownAnswers({ live });
  const now = Date.now();
  const row = { project_id: project.id, group_hash: hash('only here'), environment: 'production', user: '' };
  const store = (timestamp: number) =>
    storeBatch({ rows: [errorRow({ ...row, timestamp })], token: `known:${batches++}` });
  await store(now - hour);
  const { issue_id: id } = await stores.state.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('hash', '=', row.group_hash)
    .executeTakeFirstOrThrow();
  const asked = { ...stores, known: fresh };
  await countsOf(asked, [id], now);
  await store(now);
  expect(await countStatements(stores.events, () => countsOf(asked, [id], now))).toEqual({ total: 0, inARow: 0 });
  expect(await countsOf(asked, [id], now)).toEqual(await countsOf(stores, [id], now));
});

test('users are told apart as the engine does it, up to 1,000 of them', async () => {
  const random = sequence(19);
  const letters = 'abcdefghijklmnopqrstuvwxyzäöü0123456789@.-';
  const text = (length: number): string => Array.from({ length }, () => pick([...letters], random)).join('');
  const users = Array.from({ length: 800 }, (_, index) => `id:${text(1 + (index % 40))}`);
  const setOf = async (some: readonly string[]) => {
    const sql = `SELECT ${toldApartSql('uniqState(arrayJoin({users:Array(String)}))', 'n', 'users')}`;
    const [row] = await stores.events.query<{ n: number; users: string }>(sql, { users: some });
    return { size: row?.n, users: readUsers(row?.users) ?? 'too many' };
  };
  const half = await setOf(users.slice(0, 400));
  const all = await setOf(users);
  const sorted = (set: UserSet): unknown => (set === 'too many' ? set : set.toSorted());
  expect(sorted(withUsers(half.users, users.slice(400)))).toEqual(sorted(all.users));
  expect(all.users).toHaveLength(all.size ?? 0);
  expect(withUsers(all.users, users)).toBe(all.users);
  expect(withUsers(all.users, [`id:${'x'.repeat(70)}`])).toBe('too many');
  const many = Array.from({ length: 1_200 }, (_, index) => `id:${index}`);
  expect(await setOf(many)).toEqual({ size: 1_200, users: 'too many' });
  expect(withUsers(all.users, many)).toBe('too many');
});
