/** A store filled before issues had a row a day gets those rows when it is opened. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openClickHouse } from '../clickhouse.ts';
import { startEngine } from '../supervisor.ts';
import { testErrorRow } from '../test-rows.ts';
import { migrateEvents } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('what is stored already is in the days, once, however often the migration runs', async () => {
  await using engine = await startEngine({ dataDir: dir });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  const day = 86_400_000;
  const rows = Array.from({ length: 40 }, (_, index) =>
    testErrorRow({
      event_id: index.toString(16).padStart(32, '0'),
      group_hash: (index % 20).toString(16).padEnd(32, '7'),
      timestamp: Date.now() - (index % 3) * day,
      user: `id:${index % 5}`,
    }),
  );
  await events.insert('errors', rows, 'before');
  const sums = (table: string): Promise<unknown[]> =>
    events.query(`SELECT group_hash, sum(events) AS n, uniqMerge(users) AS u, min(first_seen) AS first, max(last_seen) AS last
      FROM ${table} GROUP BY group_hash ORDER BY group_hash`);
  for (let round = 0; round < 2; round += 1) {
    await events.command('DROP VIEW issue_lives_of_errors SYNC');
    await events.command('ALTER TABLE schema_migrations DELETE WHERE id = 4 SETTINGS mutations_sync = 2');
    expect(await migrateEvents(events, { retentionDays: 90 })).toEqual(['issue lives']);
    expect(await sums('issue_lives')).toEqual(await sums('issue_hours'));
  }
  await events.insert('errors', [testErrorRow({ event_id: 'f'.repeat(32) })], 'after');
  expect(await sums('issue_lives')).toEqual(await sums('issue_hours'));
});
