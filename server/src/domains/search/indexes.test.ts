/** What few events have is found by an index, in stores that were filled before there was one as well. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSearch } from '@culprit/search';
import { createDialect } from '../../ports/events/migrations/dialect.ts';
import { migration } from '../../ports/events/migrations/0020-search-indexes.ts';
import type { OpenedEvents } from '../../ports/events/open.ts';
import { openPreparedEvents } from '../../ports/events/testing/prepared.ts';
import { testErrorRow } from '../../ports/events/test-rows.ts';
import { compileFilter } from './index.ts';

let dataDir: string;
let store: OpenedEvents;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-test-'));
  store = await openPreparedEvents(dataDir);
  const { events } = store;
  for (const name of ['user_id_index', 'tag_values_index'])
    await events.command(`ALTER TABLE errors DROP INDEX ${name}`);
  const rows = Array.from({ length: 20 }, (_, index) =>
    testErrorRow({ user_id: `u-${index}`, tags: { tenant: `t-${index}`, browser: 'Firefox' } }),
  );
  await events.insert('errors', rows, 'before');
  // A start that broke off repeats them.
  for (const statement of [0, 1].flatMap(() => migration.statements(createDialect(undefined))))
    await events.command(statement);
});

afterAll(async () => {
  await store?.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each([
  ['user.id:nobody', 'user_id_index', 0],
  ['tenant:nobody', 'tag_values_index', 0],
  ['browser:Firefox tenant:nobody', 'tag_values_index', 0],
  ['user.id:u-7', 'user_id_index', 1],
  ['tenant:t-7', 'tag_values_index', 1],
])('%s', async (query, index, granules) => {
  const { conditions, params } = compileFilter(parseSearch(query, 'issues').root, 'events', { nowMs: Date.now() });
  const sql = `SELECT count() AS n FROM errors WHERE project_id = 1 AND ${conditions.join(' AND ')}`;
  expect(await store.events.query(sql, params)).toEqual([{ n: granules }]);
  const plan = await store.events.query<{ explain: string }>(`EXPLAIN indexes = 1 ${sql}`, params);
  const lines = plan.map(({ explain }) => explain.trim());
  const after = lines.slice(lines.findIndex((line) => line === `Name: ${index}`));
  expect(after.find((line) => line.startsWith('Granules: '))).toBe(`Granules: ${granules}/1`);
});
