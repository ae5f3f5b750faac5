import { expect, test } from 'vitest';
import { hash, openTestStores, errorRow, store } from '../testing/stores.ts';
import { addTestProject } from '../testing/projects.ts';
import { livesOf } from './lives.ts';

test('an issue that owns no hash any more leaves those of others together', async () => {
  await using stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const { id: projectId } = await addTestProject(stores.state, 'web');
  const rowsOf = (name: string, count: number) =>
    Array.from({ length: count }, () => errorRow({ project_id: projectId, group_hash: hash(name) }));
  await store(stores, [...rowsOf('kept', 4), ...rowsOf('merged', 3), ...rowsOf('other', 1)]);
  const owners = await stores.state.db.selectFrom('issue_hash').select(['hash', 'issue_id']).execute();
  const idOf = (name: string): number => owners.find((owner) => owner.hash === hash(name))?.issue_id ?? 0;
  const [kept, merged, other] = [idOf('kept'), idOf('merged'), idOf('other')];
  await stores.state.db.updateTable('issue_hash').set({ issue_id: kept }).where('issue_id', '=', merged).execute();
  const lives = await livesOf(
    stores,
    [kept, merged, other].map((id) => ({ id, projectId })),
  );
  expect([kept, merged, other].map((id) => lives.get(id)?.count)).toEqual([7, undefined, 1]);
});
