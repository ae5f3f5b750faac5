/** The form of a cluster: the contract of the port on one, and that its statements are ClickHouse's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from './clickhouse.ts';
import { eventsContract } from './contract.ts';
import type { Events } from './events.ts';
import { migrations } from './migrations/all.ts';
import { distributed, everywhere, onShards } from './migrations/cluster.ts';
import { createDialect } from './migrations/dialect.ts';
import { migrateEvents } from './migrations/index.ts';
import { createDatabases, openTestCluster, startClusterEngine } from './testing/cluster.ts';
import type { EngineSupervisor } from './supervisor.ts';
import { testErrorRow } from './test-rows.ts';
import { openPreparedEvents } from './testing/prepared.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const newDir = (): string => mkdtempSync(join(dir, 'store-'));

eventsContract('a cluster of one shard', async () => {
  const engine = await startClusterEngine(newDir());
  await createDatabases(engine);
  const events = openTestCluster(engine, 'single');
  return {
    events,
    close: async () => {
      await events.close();
      await engine.stop();
    },
  };
});

describe('on one that was just made', () => {
  let engine: EngineSupervisor;
  let events: Events;
  const heard: string[] = [];
  beforeAll(async () => {
    engine = await startClusterEngine(newDir());
    await createDatabases(engine);
    events = openTestCluster(engine, 'single', (sql) => heard.push(sql));
    await migrateEvents(events, { retentionDays: 90 });
  });
  afterAll(async () => {
    await events?.close();
    await engine?.stop();
  });

  test('statements of a cluster are parsed by the engine', async () => {
    await using parser = openClickHouse({ ...engine.address, database: 'default' });
    await migrateEvents(events, { retentionDays: 30 });
    const dialect = createDialect('single');
    const statements = new Set([...heard, ...migrations.flatMap((one) => one.statements(dialect))]);
    for (const statement of statements) {
      const [formatted] = await parser.query<{ sql: string }>('SELECT formatQuery({sql:String}) AS sql', {
        sql: statement,
      });
      expect(formatted?.sql).not.toBe('');
      if (/^\s*(?:CREATE|ALTER|DROP|TRUNCATE)/.test(statement)) expect(formatted?.sql).toContain('ON CLUSTER single');
    }
    expect(heard.filter((sql) => sql.includes('ENGINE = Distributed')).length).toBeGreaterThan(10);
  });

  test('columns of a later migration are in what the cluster is asked through, and a dropped table is not', async () => {
    heard.length = 0;
    await migrateEvents(events, { retentionDays: 90 });
    expect(heard.filter((sql) => sql.includes('Distributed'))).toEqual([]);
    await events.command('ALTER TABLE errors ON CLUSTER `single` ADD COLUMN later UInt8 DEFAULT 7');
    await events.insert('errors', [testErrorRow()], 'one');
    await migrateEvents(events, { retentionDays: 90 });
    expect(await events.query('SELECT later FROM errors')).toEqual([{ later: 7 }]);
  });

  test('a copy of rows runs on each shard', async () => {
    await events.insert('errors', [testErrorRow()], 'two');
    const lives = (): Promise<unknown[]> =>
      events.query('SELECT group_hash, sum(events) AS n FROM issue_lives GROUP BY group_hash');
    const before = await lives();
    await events.command('DROP VIEW issue_lives_of_errors ON CLUSTER `single` SYNC');
    await events.command(
      'ALTER TABLE schema_migrations ON CLUSTER `single` DELETE WHERE id = 4 SETTINGS mutations_sync = 2',
    );
    expect(await migrateEvents(events, { retentionDays: 90 })).toEqual(['issue lives']);
    expect(await lives()).toEqual(before);
    expect(onShards('INSERT INTO a SELECT 1 FROM b')).toMatch(/ SETTINGS parallel_distributed_insert_select = 2$/);
  });
});

test('what made a table makes it on the nodes that do not have it', () => {
  expect(everywhere('CREATE TABLE c_local.errors (`a` UInt8) ENGINE = MergeTree', ' ON CLUSTER `x`')).toBe(
    'CREATE TABLE IF NOT EXISTS c_local.errors ON CLUSTER `x` (`a` UInt8) ENGINE = MergeTree',
  );
  expect(everywhere('CREATE MATERIALIZED VIEW c_local.v TO c_local.t (`a` UInt8) AS SELECT 1', ' ON CLUSTER `x`')).toBe(
    'CREATE MATERIALIZED VIEW IF NOT EXISTS c_local.v ON CLUSTER `x` TO c_local.t (`a` UInt8) AS SELECT 1',
  );
  const place = { database: 'c', rows: 'c_local', cluster: 'x', onCluster: ' ON CLUSTER `x`' };
  expect(distributed({ ...place, name: 'spans' })).toContain('Distributed(`x`, c_local, spans, cityHash64(trace_id))');
  expect(distributed({ ...place, name: 'issue_hours' })).toContain('Distributed(`x`, c_local, issue_hours)');
});

test('a cluster that cannot be used is refused before anything is made', async () => {
  await using store = await openPreparedEvents(newDir());
  const { address } = store.events;
  await using unknown = openClickHouse({ ...address, cluster: 'other' });
  await expect(migrateEvents(unknown, { retentionDays: 90 })).rejects.toThrow(/"other".*pair, single/);
  await using same = openClickHouse({ ...address, cluster: 'single' });
  await expect(migrateEvents(same, { retentionDays: 90 })).rejects.toThrow(/database "culprit"/);
});
