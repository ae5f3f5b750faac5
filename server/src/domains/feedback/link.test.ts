import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLive } from '../../base/live.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../issues/testing/stores.ts';
import { addTestProject } from '../issues/testing/projects.ts';
import { createLinker } from './link.ts';

let stores: TestStores;
let projectId: number;
beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  ({ id: projectId } = await addTestProject(stores.state, 'web'));
});
afterAll(() => stores[Symbol.asyncDispose]());

async function say(eventIds: readonly string[], createdAt: number): Promise<void> {
  const rows = eventIds.map((event_id) => ({
    project_id: projectId,
    feedback_id: event_id,
    kind: 'user_report' as const,
    status: 'open' as const,
    message: 'It crashed',
    name: '',
    email: '',
    url: '',
    source: '',
    event_id,
    group_hash: '',
    replay_id: '',
    trace_id: '',
    release: '',
    environment: '',
    details: '{}',
    created_at: createdAt,
    received_at: createdAt,
  }));
  await stores.state.db.insertInto('feedback').values(rows).execute();
}

test('feedback whose event never comes does not keep that of others from being linked', async () => {
  const now = Date.now();
  await say([hash('late')], now - 1_000);
  await say(
    Array.from({ length: 1_200 }, (_, index) => hash(`never ${index}`)),
    now,
  );
  await store(stores, [errorRow({ project_id: projectId, group_hash: hash('a'), event_id: hash('late') })]);
  const linker = createLinker({ ...stores, live: createLive() });
  const context = { node: 'here', leaseMs: 1_000, isFresh: false, signal: new AbortController().signal };
  for (let look = 0; look < 3; look++) await linker.run(context);
  const linked = await stores.state.db
    .selectFrom('feedback')
    .select('event_id')
    .where('group_hash', '!=', '')
    .execute();
  expect(linked).toEqual([{ event_id: hash('late') }]);
});
