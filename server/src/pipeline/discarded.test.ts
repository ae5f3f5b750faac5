/** What becomes of events whose issue is discarded, in real stores. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestStores, type TestStores } from '../domains/issues/testing/stores.ts';
import type { Blobs } from '../ports/blobs/blobs.ts';
import { encodeReceived } from '../ports/queue/received.ts';
import { defaultProjectSettings } from '../process/types.ts';
import { computeBatch } from './compute.ts';
import { storeBatch } from './store.ts';

let stores: TestStores;
let projectId: number;
beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date(0) })
    .execute();
  const row = {
    organization_id: 'o',
    slug: 'shop',
    name: 'shop',
    platform: '',
    short_id_prefix: 'SHOP',
    settings: '{}',
    created_at: 0,
    first_event_at: null,
  };
  ({ id: projectId } = await stores.state.db
    .insertInto('project')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow());
});
afterAll(() => stores?.[Symbol.asyncDispose]());

const report = { 'csp-report': { 'document-uri': 'https://shop.example/', 'violated-directive': 'script-src' } };

/** One report of a browser, as a batch of its own. */
function batchOfOne() {
  const receivedAt = Date.now();
  const item = { type: 'raw_security', header: {} };
  const head = { kind: 'envelope', projectId, keyId: 1, receivedAt, encoding: '', item } as const;
  const [computed] = computeBatch({
    records: [{ position: 1, value: encodeReceived(head, Buffer.from(JSON.stringify(report))) }],
    settings: new Map([[projectId, defaultProjectSettings]]),
    maxEnvelopeBytes: 1024 * 1024,
    poisoned: new Set(),
  });
  if (!computed) throw new Error('nothing was computed');
  return { computed, receivedAt };
}

test('a report of a browser whose issue is discarded is filtered, and holds up no other', async () => {
  const { computed, receivedAt } = batchOfOne();
  const [hash = ''] = computed.events.flatMap(({ grouping }) => grouping.hashes);
  const { db } = stores.state;
  const issue = { number: 1, level: 'error', title: 'x', culprit: '', type: 'csp', metadata: '{}' };
  const { id } = await db
    .insertInto('tombstone')
    .values({ ...issue, project_id: projectId, user_id: null, created_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('discarded_hash').values({ project_id: projectId, hash, tombstone_id: id }).execute();
  await storeBatch({ ...stores, blobs: {} as Blobs }, computed, 'log:1', receivedAt);
  expect(
    await stores.events.query(
      'SELECT category, outcome, reason, sum(quantity) AS count FROM outcomes GROUP BY ALL ORDER BY outcome',
    ),
  ).toEqual([{ category: 'security', outcome: 'filtered', reason: 'discarded-hash', count: 1 }]);
  expect(await stores.events.query('SELECT count() AS count FROM errors')).toEqual([{ count: 0 }]);
});
