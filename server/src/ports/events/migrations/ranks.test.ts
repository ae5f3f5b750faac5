/** A store filled while days and weeks had a table each keeps what they counted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openClickHouse } from '../clickhouse.ts';
import { startEngine } from '../supervisor.ts';
import { testErrorRow } from '../test-rows.ts';
import { createDialect } from './dialect.ts';
import { migrateEvents } from './index.ts';
import { migration as issueAggregates } from './0002-issue-aggregates.ts';
import { migration as issueRanks } from './0018-issue-ranks.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('what days and weeks have counted is in the ranks, once, however often the migration runs', async () => {
  await using engine = await startEngine({ dataDir: dir });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  const dialect = createDialect(undefined);
  for (const view of ['issue_ranks_of_errors', 'issue_ranks_of_sampled'])
    await events.command(`DROP VIEW ${view} SYNC`);
  await events.command('DROP TABLE issue_ranks SYNC');
  for (const statement of issueAggregates.statements(dialect)) await events.command(statement);
  const day = 86_400_000;
  const rows = Array.from({ length: 60 }, (_, index) =>
    testErrorRow({
      event_id: index.toString(16).padStart(32, '0'),
      group_hash: (index % 20).toString(16).padEnd(32, '7'),
      timestamp: Date.now() - (index % 12) * day,
    }),
  );
  await events.insert('errors', rows, 'before');
  const counted = (): Promise<unknown[]> =>
    events.query(`SELECT group_hash, toDate(timestamp) AS start, count() AS n FROM errors GROUP BY group_hash, start
      ORDER BY group_hash, start`);
  const countedByWeek = (): Promise<unknown[]> =>
    events.query(`SELECT group_hash, toMonday(timestamp) AS start, count() AS n FROM errors GROUP BY group_hash, start
      ORDER BY group_hash, start`);
  const ranks = (days: number): Promise<unknown[]> =>
    events.query(`SELECT group_hash, start, sum(events) AS n FROM issue_ranks WHERE days = ${days}
      GROUP BY group_hash, start ORDER BY group_hash, start`);

  // Broken off after it was done, but not noted.
  for (const statement of issueRanks.statements(dialect)) await events.command(statement);
  for (const left of ['18, 19', '19']) {
    await events.command(`ALTER TABLE schema_migrations DELETE WHERE id IN (${left}) SETTINGS mutations_sync = 2`);
    const names = await migrateEvents(events, { retentionDays: 90 });
    expect(names.at(-1)).toBe('fewer views');
    expect(await ranks(1)).toEqual(await counted());
    expect(await ranks(7)).toEqual(await countedByWeek());
  }
  await events.insert('errors', rows.slice(0, 30), 'after');
  expect(await ranks(1)).toEqual(await counted());
  expect(await ranks(7)).toEqual(await countedByWeek());
  expect(await events.query("SELECT name FROM system.tables WHERE name IN ('issue_days', 'issue_weeks')")).toEqual([]);
});
