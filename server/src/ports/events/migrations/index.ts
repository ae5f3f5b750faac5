/** Brings the events store's tables up to date. Every statement may run twice, so a start that broke off is repeated whole. */
import { openClickHouse } from '../clickhouse.ts';
import type { Events, EventsAddress } from '../events.ts';
import { migrations } from './all.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { applyRetention } from './retention.ts';

export interface MigrateOptions {
  readonly retentionDays: number;
}

/** Returns the names of the migrations that it applied. */
export async function migrateEvents(events: Events, options: MigrateOptions): Promise<string[]> {
  const dialect = createDialect(events.address.cluster);
  await createDatabase(events.address, dialect);
  await events.command(
    `CREATE TABLE IF NOT EXISTS schema_migrations${dialect.onCluster} (
      id UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
    ) ENGINE = ${dialect.engine('')} ORDER BY id`,
  );
  const rows = await events.query<{ id: number }>('SELECT id FROM schema_migrations');
  const applied = new Set(rows.map((row) => row.id));
  const names: string[] = [];
  for (const migration of migrations) {
    if (applied.has(migration.id)) continue;
    for (const statement of migration.statements(dialect)) await events.command(statement);
    await events.command('INSERT INTO schema_migrations (id, name) VALUES ({id:UInt32}, {name:String})', {
      id: migration.id,
      name: migration.name,
    });
    names.push(migration.name);
  }
  await applyRetention(events, dialect, { telemetry: options.retentionDays });
  return names;
}

async function createDatabase(address: EventsAddress, { onCluster }: Dialect): Promise<void> {
  await using server = openClickHouse({ ...address, database: 'default' });
  await server.command(`CREATE DATABASE IF NOT EXISTS ${address.database}${onCluster}`);
}
