/** Names in searches on real stores: the latest release, releases by their stage, people. */
import { parseSearch } from '@culprit/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTerm, type Reduced } from '../issues/index.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../issues/testing/stores.ts';
import { noteReleases } from '../releases/index.ts';
import { resolveNames } from './names.ts';

const now = Date.now();
const hour = 3_600_000;
let stores: TestStores;
let projectId = 0;

beforeAll(async () => {
  stores = await openTestStores();
  const { db } = stores.state;
  await db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const user = { id: 'u1', name: 'Ada', email: 'ada@example.com', emailVerified: true, image: null };
  await db
    .insertInto('user')
    .values({ ...user, createdAt: new Date(), updatedAt: new Date() })
    .execute();
  await db
    .insertInto('member')
    .values({ id: 'm1', organizationId: 'org', userId: 'u1', role: 'member', createdAt: new Date() })
    .execute();
  const project = await db
    .insertInto('project')
    .values({
      organization_id: 'org',
      slug: 'web',
      name: 'web',
      platform: '',
      short_id_prefix: 'WEB',
      settings: '{}',
      created_at: now,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  projectId = project.id;
  const events = [
    ...Array.from({ length: 19 }, () => ['web@2.0.0', hour] as const),
    ['web@3.0.0', hour / 2] as const,
    ['web@1.0.0', 48 * hour] as const,
  ].map(([release, ago]) =>
    errorRow({ project_id: projectId, group_hash: hash('one'), release, timestamp: now - ago }),
  );
  await store(stores, events);
  for (const [index, release] of ['web@1.0.0', 'web@2.0.0', 'web@3.0.0'].entries()) {
    const at = now - (3 - index) * hour;
    await noteReleases(stores.state, [{ projectId, release, firstSeen: at, lastSeen: at }], at);
  }
});

afterAll(() => stores[Symbol.asyncDispose]());

function shown(node: Reduced): string {
  if (typeof node === 'boolean') return String(node);
  if (!isTerm(node)) return `(${node.nodes.map(shown).join(` ${node.kind} `)})`;
  if (node.kind === 'text') return node.text;
  const not = node.negated ? '!' : '';
  if (node.kind === 'has') return `${not}has:${node.name}`;
  return `${not}${node.name}:${node.value.type === 'list' ? node.value.values.join('|') : node.value.type === 'text' ? node.value.text : ''}`;
}

const resolve = (query: string, projectIds: readonly number[] = [projectId]) =>
  resolveNames(stores, parseSearch(query, 'issues').root, {
    organizationId: 'org',
    projectIds,
    environments: [],
    nowMs: now,
  });

test.each([
  ['release:latest pay', '(release:web@3.0.0 and pay)'],
  ['!release:latest', '!release:web@3.0.0'],
  ['release:[latest, web@1.0.0]', 'release:web@3.0.0|web@1.0.0'],
  ['firstRelease:latest', 'firstRelease:web@3.0.0'],
  ['release:"latest"', 'release:latest'],
  ['tags[x]:latest', 'tags[x]:latest'],
])('%s is %s', async (query, expected) => {
  expect(shown((await resolve(query)).root)).toBe(expected);
});

test.each([
  ['release.stage:adopted', 'release:web@2.0.0'],
  ['release.stage:low', 'release:web@3.0.0'],
  ['release.stage:replaced', '(has:release and !release:web@2.0.0|web@3.0.0)'],
  ['!release.stage:adopted', '!release:web@2.0.0'],
  ['!release.stage:replaced', '(!has:release or release:web@2.0.0|web@3.0.0)'],
])('%s is %s', async (query, expected) => {
  expect(shown((await resolve(query)).root)).toBe(expected);
});

test('where there is no release, the latest of them is none', async () => {
  expect((await resolve('release:latest', [])).root).toBe(false);
  expect((await resolve('!release:latest', [])).root).toBe(true);
});

test.each([
  ['assigned:ada@example.com assigned:me assigned:[none, "ADA"]', []],
  ['assigned:bob@example.com', [[9, 24, 'unknown-value']]],
  ['level:error !bookmarks:#core', [[23, 28, 'unknown-value']]],
])('people: %s', async (query, expected) => {
  const { problems } = await resolve(query);
  expect(problems.map(({ start, end, code }) => [start, end, code])).toEqual(expected);
});
