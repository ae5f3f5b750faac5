/** After a storm, shares of tags say how sure they are; without one, that costs no statement. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import { toIssueRow } from '../rows.ts';
import { tagsOfIssue } from './tags.ts';
import { tagValuesOfIssue } from './tag-values.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  const org = { id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() };
  await stores.state.db.insertInto('organization').values(org).execute();
  const web = await addTestProject(stores.state, 'web');
  const rows = (name: string, count: number, stands_for: number, tags: Record<string, string>, user = '') =>
    Array.from({ length: count }, () => ({
      ...errorRow({ project_id: web.id, group_hash: hash(name), title: name, tags, user }),
      stands_for,
    }));
  await store(stores, [
    ...rows('flood', 40, 9, { plan: 'pro', shop: 'one' }, 'id:1'),
    ...rows('flood', 1, 0, { plan: 'pro', shop: 'two' }, 'id:1'),
    ...rows('flood', 8, 0, { plan: 'free' }, 'id:2'),
    ...rows('calm', 5, 0, { plan: 'pro' }, 'id:1'),
  ]);
}, 60_000);
afterAll(() => stores?.[Symbol.asyncDispose]());

async function issueOf(title: string) {
  const row = await stores.state.db
    .selectFrom('issue')
    .selectAll()
    .where('title', '=', title)
    .executeTakeFirstOrThrow();
  return toIssueRow(row);
}

// 40 groups of ten: 1.96 * sqrt(40 * 90 + 90) = 119.1.
test('a value of a tag has the interval of its count', async () => {
  const asked = { sample: 1_000, values: 10 };
  const found = await tagsOfIssue(stores, await issueOf('flood'), [hash('flood')], asked);
  expect(found).toMatchObject({ events: 409, sampled: false });
  const values = (key: string) =>
    found.tags.find((tag) => tag.key === key)?.values.map(({ value, count, estimate }) => [value, count, estimate]);
  expect(values('plan')).toEqual([
    ['pro', 401, { low: 281, high: 521 }],
    ['free', 8, undefined],
  ]);
  expect(values('shop')).toEqual([
    ['one', 400, { low: 280, high: 520 }],
    ['two', 1, undefined],
  ]);
  // Of the rows that are read, not of those that they stand for.
  const few = await tagsOfIssue(stores, await issueOf('flood'), [hash('flood')], { ...asked, sample: 49 });
  expect([
    few.sampled,
    (await tagsOfIssue(stores, await issueOf('flood'), [hash('flood')], { ...asked, sample: 50 })).sampled,
  ]).toEqual([true, false]);
});

test('after a storm of the project it is asked at once, and finds the same', async () => {
  const issue = await issueOf('flood');
  const found = await tagsOfIssue(stores, issue, [hash('flood')], { sample: 1_000, values: 10 });
  const asked = vi.spyOn(stores.events, 'query');
  const options = { sample: 1_000, values: 10, wasSampled: true };
  expect(await tagsOfIssue(stores, issue, [hash('flood')], options)).toEqual(found);
  expect(asked).toHaveBeenCalledTimes(1);
  asked.mockRestore();
});

test('so has each of a list of values', async () => {
  const issue = await issueOf('flood');
  const scope = { projectId: issue.projectId, hashes: [hash('flood')], nowMs: Date.now() };
  const question = { key: 'user', sort: 'count', cursor: undefined, limit: 10, sample: 1_000 } as const;
  const page = await tagValuesOfIssue(stores, scope, question);
  expect(page.rows.map(({ value, count, estimate }) => [value, count, estimate])).toEqual([
    ['id:1', 401, { low: 281, high: 521 }],
    ['id:2', 8, undefined],
  ]);
  expect(page).toMatchObject({ values: 2, total: 409, sampled: false });
});

test('where no error stands for others, one statement is asked as before', async () => {
  const issue = await issueOf('calm');
  const asked = vi.spyOn(stores.events, 'query');
  const found = await tagsOfIssue(stores, issue, [hash('calm')], { sample: 1_000, values: 10 });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(asked.mock.calls[0]?.[0]).not.toContain('max(stands_for)');
  asked.mockRestore();
  expect(found.tags.flatMap(({ values }) => values.map(({ estimate }) => estimate))).not.toContainEqual(
    expect.anything(),
  );
});
