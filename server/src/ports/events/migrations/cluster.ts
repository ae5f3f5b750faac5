/** What a cluster needs beside the migrations, which make the tables of each shard. */
import { CodedError } from '../../../base/errors.ts';
import { tableRecords } from '../../../base/tables/index.ts';
import { addresses as texts } from '../../../base/texts/stores.ts';
import { openClickHouse } from '../clickhouse.ts';
import type { Events, EventsAddress } from '../events.ts';
import { layoutOf, quoteCluster } from '../layout.ts';

/** Refuses a cluster that cannot be used, before anything is made there. */
export async function checkCluster(address: EventsAddress, cluster: string): Promise<void> {
  const refuse = (sentence: string): CodedError => new CodedError('CONFIG_INVALID', [sentence]);
  await using server = openClickHouse({ ...address, cluster: undefined, database: 'default' });
  const hosts = await server.query<{ name: string; shard: number; replica: number; copies: number }>(
    `SELECT cluster AS name, shard_num AS shard, replica_num AS replica, internal_replication AS copies
     FROM system.clusters ORDER BY name, shard, replica`,
  );
  const own = hosts.filter(({ name }) => name === cluster);
  if (own.length === 0) {
    const known = [...new Set(hosts.map(({ name }) => name))].join(', ');
    throw refuse(texts.noCluster(cluster, known || '–'));
  }
  if (own.some(({ replica, copies }) => replica > 1 && !copies)) throw refuse(texts.notReplicated(cluster));
  const { system } = layoutOf(address);
  const [macros] = await server.query<{ least: number }>(
    `SELECT min(known) AS least FROM (
       SELECT hostName() AS host, countIf(macro IN ('shard', 'replica')) AS known FROM ${system('macros')} GROUP BY host
     )`,
  );
  if ((macros?.least ?? 0) < 2) throw refuse(texts.noMacros(cluster));
  const [other] = await server.query(
    `SELECT 1 FROM system.tables WHERE database = {database:String} AND endsWith(engine, 'MergeTree') LIMIT 1`,
    { database: address.database },
  );
  if (other) throw refuse(texts.notOfCluster(address.database));
}

/**
 * Rows that a migration makes of rows, on each shard of its own: both tables are of one cluster, so every node carries out
 * the statement on what it has.
 */
export async function copyOnShards(events: Events, statement: string): Promise<void> {
  await distributeTables(events);
  await using whole = openClickHouse({ ...events.address, cluster: undefined });
  await whole.command(onShards(statement));
}

export const onShards = (statement: string): string =>
  `${statement.trimEnd()}${/\bSETTINGS\b/.test(statement) ? ',' : ' SETTINGS'} parallel_distributed_insert_select = 2`;

interface Definition {
  readonly name: string;
  readonly definition: string;
  readonly hosts: number;
}

/** Nodes that have come to the cluster get what the others have. */
export async function spreadTables(events: Events): Promise<void> {
  const { rows: database, onCluster, system } = layoutOf(events.address);
  const all = await events.query<Definition>(
    `SELECT name, any(create_table_query) AS definition, uniqExact(hostName()) AS hosts
     FROM ${system('tables')}
     WHERE database = {database:String} AND (endsWith(engine, 'MergeTree') OR engine = 'MaterializedView')
     GROUP BY name ORDER BY any(engine) = 'MaterializedView', name`,
    { database },
  );
  const most = await nodesOf(events);
  for (const { definition, hosts } of all) if (hosts < most) await events.command(everywhere(definition, onCluster));
}

async function nodesOf(events: Events): Promise<number> {
  const [row] = await events.query<{ nodes: number }>(
    'SELECT count() AS nodes FROM system.clusters WHERE cluster = {cluster:String}',
    { cluster: events.address.cluster },
  );
  return row?.nodes ?? 0;
}

/** What made a table on one node, for those that do not have it. */
export const everywhere = (definition: string, onCluster: string): string =>
  definition.replace(
    /^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/,
    (_, kind: string, name: string) => `CREATE ${kind} IF NOT EXISTS ${name}${onCluster}`,
  );

/** A `Distributed` table for each that has rows, with its columns of today. It has no rows itself, so it may be replaced. */
export async function distributeTables(events: Events): Promise<void> {
  const { rows, onCluster, system } = layoutOf(events.address);
  const { database, cluster = '' } = events.address;
  const tables = await events.query<{ name: string; forms: number; hosts: number; local: number }>(
    `SELECT table AS name, uniqExact(columns) AS forms, countIf(database = {database:String}) AS hosts,
       countIf(database = {rows:String}) AS local
     FROM (
       SELECT hostName() AS host, database, table, groupArray((name, type, default_expression)) AS columns
       FROM (
         SELECT database, table, name, type, default_expression, position FROM ${system('columns')}
         WHERE database IN ({database:String}, {rows:String}) ORDER BY position
       )
       GROUP BY host, database, table
     )
     GROUP BY table ORDER BY table`,
    { database, rows },
  );
  for (const { name, forms, hosts, local } of tables) {
    if (!(name in tableRecords)) continue;
    if (local === 0) await events.command(`DROP TABLE IF EXISTS ${database}.${name}${onCluster} SYNC`);
    else if (forms !== 1 || hosts !== local)
      await events.command(distributed({ database, rows, name, cluster, onCluster }));
  }
}

interface Place {
  readonly database: string;
  readonly rows: string;
  readonly name: string;
  readonly cluster: string;
  readonly onCluster: string;
}

/** Rows of views are made on the shard of what they are made of: nobody inserts them. */
export function distributed({ database, rows, name, cluster, onCluster }: Place): string {
  const record = tableRecords[name];
  const key = record && 'shardBy' in record ? `, cityHash64(${record.shardBy})` : '';
  return `CREATE OR REPLACE TABLE ${database}.${name}${onCluster} AS ${rows}.${name}
    ENGINE = Distributed(${quoteCluster(cluster)}, ${rows}, ${name}${key})`;
}
