/** Brings the events store's tables up to date. Every statement may run twice, so a start that broke off is repeated whole. */
import type { KeptDays } from '../../../base/retention.ts';
import { openClickHouse } from '../clickhouse.ts';
import type { Events } from '../events.ts';
import { layoutOf } from '../layout.ts';
import { migrations } from './all.ts';
import { checkCluster, copyOnShards, distributeTables, spreadTables } from './cluster.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { applyRetention } from './retention.ts';

export interface MigrateOptions {
  /** Of tables that are new, where nothing else is said. */
  readonly retentionDays: number;
  /** Rows are kept until somebody deletes them: a project is held. */
  readonly isHeld?: boolean;
  /** What is settled, by class; unset, tables keep what they have. */
  readonly keptDays?: KeptDays | undefined;
}

/** Returns the names of the migrations that it applied. Of several nodes one does it at a time: whoever calls it sees to that. */
export async function migrateEvents(events: Events, options: MigrateOptions): Promise<string[]> {
  const { cluster } = events.address;
  const dialect = createDialect(cluster);
  if (cluster) await checkCluster(events.address, cluster);
  await createDatabases(events, dialect);
  const applied = await appliedMigrations(events, dialect);
  const isFresh = applied.size === 0;
  const names: string[] = [];
  if (cluster) await spreadTables(events);
  for (const migration of migrations) {
    if (applied.has(migration.id)) continue;
    for (const statement of migration.statements(dialect)) {
      const isCopy = cluster !== undefined && /^\s*INSERT\b/i.test(statement);
      if (!isCopy) await events.command(statement);
      else if (!isFresh) await copyOnShards(events, statement);
    }
    await events.command('INSERT INTO schema_migrations (id, name) VALUES ({id:UInt32}, {name:String})', {
      id: migration.id,
      name: migration.name,
    });
    names.push(migration.name);
  }
  // Commands know neither what is settled nor what is held: what a store has stays until a server starts on it.
  if (isFresh || options.keptDays || options.isHeld) await keepRows(events, options);
  else events.index?.keep(heldDays);
  if (cluster) await distributeTables(events);
  return names;
}

/** How long rows are kept from now on. */
export async function keepRows(events: Events, options: MigrateOptions): Promise<void> {
  await applyRetention(events, createDialect(events.address.cluster), options);
  const { retentionDays, keptDays, isHeld } = options;
  events.index?.keep(isHeld ? heldDays : (keptDays?.errors ?? retentionDays));
}

/** Longer than anything is. */
const heldDays = 36_500;

async function createDatabases({ address }: Events, { onCluster }: Dialect): Promise<void> {
  await using server = openClickHouse({ ...address, cluster: undefined, database: 'default' });
  const { rows, system } = layoutOf(address);
  // Asked first: where an administrator has made them, nobody else may need to be allowed to.
  const there = await server.query<{ name: string; hosts: number; all: number }>(
    `SELECT name, uniqExact(hostName()) AS hosts, (SELECT uniqExact(hostName()) FROM ${system('one')}) AS all
     FROM ${system('databases')} GROUP BY name`,
  );
  const complete = new Set(there.filter(({ hosts, all }) => hosts >= all).map(({ name }) => name));
  for (const database of new Set([address.database, rows])) {
    if (!complete.has(database)) await server.command(`CREATE DATABASE IF NOT EXISTS ${database}${onCluster}`);
  }
}

async function appliedMigrations(events: Events, { onCluster, sharedEngine }: Dialect): Promise<Set<number>> {
  await events.command(
    `CREATE TABLE IF NOT EXISTS schema_migrations${onCluster} (
      id UInt32, name String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
    ) ENGINE = ${sharedEngine} ORDER BY id`,
  );
  const table = `${layoutOf(events.address).rows}.schema_migrations`;
  // Another node may have told another one of the cluster's, a moment ago.
  if (events.address.cluster) await events.command(`SYSTEM SYNC REPLICA ${table}`);
  const rows = await events.query<{ id: number }>(`SELECT id FROM ${table}`);
  return new Set(rows.map((row) => row.id));
}
