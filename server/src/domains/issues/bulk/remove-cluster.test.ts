/** What is deleted on a cluster: by statements for all nodes, which name what is to go. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Events } from '../../../ports/events/events.ts';
import { migrateEvents } from '../../../ports/events/migrations/index.ts';
import { createDatabases, openTestCluster, startClusterEngine } from '../../../ports/events/testing/cluster.ts';
import { openMigratedCopy } from '../../../ports/state/testing/migrated.ts';
import { createProject } from '../../projects/index.ts';
import { forgetProject } from '../commands.ts';
import { errorRow, hash, recordIssues, type TestStores } from '../testing/stores.ts';
import { removeEvents } from './remove.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const count = async (events: Events, table: string): Promise<number> =>
  (await events.query<{ n: number }>(`SELECT count() AS n FROM ${table}`))[0]?.n ?? 0;

test('events of an issue go with all that is found by them, and those of others stay', async () => {
  await using engine = await startClusterEngine(dir);
  await createDatabases(engine);
  const heard: string[] = [];
  await using events = openTestCluster(engine, 'single', (sql) => heard.push(sql));
  await migrateEvents(events, { retentionDays: 90 });
  await using state = await openMigratedCopy(dir);
  await state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
    .execute();
  const { project } = await createProject(state, { organizationId: 'org', name: 'Web' });
  const rows = ['gone', 'gone', 'kept'].map((name) =>
    errorRow({ project_id: project.id, group_hash: hash(name), title: name }),
  );
  await recordIssues({ state, events } as TestStores, rows);
  await events.insert('errors', rows, 'one');
  const revisions = rows.map(({ project_id, event_id, timestamp, title, culprit, payload }) => {
    return { project_id, event_id, timestamp, revised_at: timestamp, title, culprit, payload };
  });
  await events.insert('revisions', revisions, 'one');
  heard.length = 0;

  const { issue_id: id } = await state.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('hash', '=', hash('gone'))
    .executeTakeFirstOrThrow();
  await removeEvents({ state, events }, [id]);
  for (const table of ['errors', 'revisions', 'error_texts', 'issue_lives'])
    expect(await count(events, table), table).toBe(1);
  await forgetProject({ events, blobs: undefined }, project.id + 1);
  expect(heard.length).toBeGreaterThan(20);
  for (const sql of heard) {
    expect(sql).toMatch(/^(?:DELETE FROM|ALTER TABLE) \w+ ON CLUSTER `single` /);
    expect(sql).not.toMatch(/\bSELECT\b/);
  }
});

test('nobody else changes rows', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const files = globSync('{api,cli,domains,jobs,pipeline,services,web}/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
    .filter((file) => /\bevents\.command\(/.test(readFileSync(join(root, file), 'utf8')));
  // Each of them names the cluster in its statements.
  expect(files.sort()).toEqual([
    'domains/erase/overdue.ts',
    'domains/erase/overwrite.ts',
    'domains/erase/rows.ts',
    'domains/issues/bulk/remove.ts',
    'domains/issues/commands.ts',
    'domains/outcomes/items.ts',
    'domains/retention/drop.ts',
    // It lets merges go on.
    'services/move.ts',
  ]);
});
