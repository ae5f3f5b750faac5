/** What is decided here and what the database decides, of the same events. */
import { parseSearch } from '@culprit/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import type { VisibleProject } from '../types.ts';
import { countMatching, countSinceDay, type MatchQuestion } from './matching.ts';

const nowMs = Date.now();
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
let stores: TestStores;
let project: VisibleProject;
let issues: MatchQuestion['issues'];

const levels = ['error', 'fatal', 'warning'];
const releases = ['shop@1.0.0', 'shop@1.1.0', '100%_\\ shop', ''];

beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  project = await addTestProject(stores.state, 'web');
  const rows = Array.from({ length: 240 }, (_, index) =>
    errorRow({
      project_id: project.id,
      group_hash: hash(`issue ${index % 5}`),
      error_value: `issue ${index % 5}`,
      level: levels[index % 3] ?? '',
      release: releases[index % 4] ?? '',
      environment: index % 7 ? 'production' : '',
      user: `id:${index % 9}`,
      user_id: String(index % 9),
      timestamp: nowMs - (index % 90) * minuteMs,
    }),
  );
  await store(stores, rows);
  const found = await stores.state.db.selectFrom('issue').select(['id', 'project_id as projectId']).execute();
  issues = found;
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());

const question = (query: string, environments: readonly string[], users: boolean): MatchQuestion => ({
  issues,
  root: parseSearch(query, 'issues').root,
  projects: [project],
  environments,
  sinceMs: nowMs - 60 * minuteMs,
  nowMs,
  users,
});

const asked: readonly (readonly [query: string, environments: readonly string[]])[] = [
  ['', []],
  ['', ['production']],
  ['level:fatal', []],
  ['level:fatal release:shop@1.*', []],
  ['release:shop@1.0.0', ['production']],
  ['release:"100%_\\ shop"', []],
  ['release:100%_*', []],
  ['release:[shop@1.0.0, shop@1.1.0] platform:javascript', []],
  ['!level:fatal', []],
  ['level:fatal OR release:shop@1.1.0', []],
  ['user.id:3 level:error', []],
  ['release:other', []],
];

test('counts are the same, whoever decides what they are of', async () => {
  const ask = async (users: boolean, maxGroups?: number) => {
    const questions = asked.map(([query, environments]) => question(query, environments, users));
    const answers = await countMatching(stores, questions, { maxGroups });
    return answers.map((answer) => [...answer].map(([id, { count }]) => [id, count]).sort(([a = 0], [b = 0]) => a - b));
  };
  const byDatabase = await ask(true);
  expect(byDatabase.map((answer) => answer.length)).toEqual(
    asked.map(([query]) => (query === 'release:other' ? 0 : 5)),
  );
  expect(await ask(false)).toEqual(byDatabase);
  // Of too many groups to be decided here.
  expect(await ask(false, 3)).toEqual(byDatabase);
});

test('no window of an issue has more than it has had since its first day', async () => {
  const sinceMs = nowMs - dayMs;
  const totals = await countSinceDay(stores, issues, sinceMs);
  const [answer] = await countMatching(stores, [{ ...question('', [], true), sinceMs }]);
  expect([...totals.values()]).toEqual([48, 48, 48, 48, 48]);
  for (const { id } of issues) expect(answer?.get(id)?.count).toBe(totals.get(id));
  expect([...(await countSinceDay(stores, issues, nowMs + 2 * dayMs))]).toEqual([]);
});
