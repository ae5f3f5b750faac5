/**
 * The embedded engine as a cluster, for tests. Its configuration says that the engine itself is each of the shards, so that
 * statements go through `Distributed` tables as they do on a cluster. What needs Keeper is left out of them: `ON CLUSTER`,
 * and that tables are replicated. `single` has one shard, so that answers are those of one node; `pair` has two, which are
 * one and the same, so that everything is read twice, and what cannot be asked of several shards is refused.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askedBy } from '../../../base/asker.ts';
import { CodedError } from '../../../base/errors.ts';
import { openClickHouse } from '../clickhouse.ts';
import type { Events, QueryParams } from '../events.ts';
import { layoutOf } from '../layout.ts';
import { distributed } from '../migrations/cluster.ts';
import { embeddedShares } from '../open.ts';
import { type EngineSupervisor, startEngine } from '../supervisor.ts';
import { tableRecords } from '../../../base/tables/index.ts';

export type TestCluster = 'single' | 'pair';

/** Nothing listens there: shards of the engine's own address are asked without a connection. */
const port = 9000;
const shard = `<shard><internal_replication>true</internal_replication>
  <replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`;
const config = `<clickhouse>
  <tcp_port>${port}</tcp_port>
  <macros><shard>1</shard><replica>1</replica></macros>
  <remote_servers><single>${shard}</single><pair>${shard}${shard}</pair></remote_servers>
</clickhouse>
`;

/** An engine in `dir` that knows both clusters. */
export function startClusterEngine(dir: string): Promise<EngineSupervisor> {
  return startEngine({ dataDir: join(dir, 'events'), configFile: writeClusterConfig(dir) });
}

/** For an engine that shall know the clusters; the path of the file. */
export function writeClusterConfig(dir: string): string {
  const file = join(dir, 'clusters.xml');
  writeFileSync(file, config);
  return file;
}

const pairDatabase = 'culprit_pair';

/** The tables of `events`, as two shards are asked through. */
export async function makePair(events: Events): Promise<void> {
  await events.command(`CREATE DATABASE IF NOT EXISTS ${pairDatabase}`);
  for (const name of Object.keys(tableRecords))
    await events.command(
      distributed({ database: pairDatabase, rows: events.address.database, name, cluster: 'pair', onCluster: '' }),
    );
}

const explained = new Set<string>();
/** In one file of tests: some make up questions at random. */
const mostExplained = 60;

/**
 * Each statement that `events` answers is one that two shards could be asked: the engine plans it once more, beside what
 * goes on, and what comes back tells at the end which cannot. Statements that differ in their numbers alone are one.
 */
export function explainForPair(events: Events): () => Promise<Error[]> {
  const pair = openClickHouse({ ...events.address, database: pairDatabase, cluster: 'pair' });
  const refused: Error[] = [];
  // One at a time, so that what the test asks waits for none of them.
  let plans = Promise.resolve();
  const plan = async (sql: string, params?: QueryParams): Promise<void> => {
    try {
      await askedBy(undefined, () => pair.query(`EXPLAIN ${sql}`, params));
    } catch (error) {
      // Where the engine is stopped, or the test has a table of its own, there is nothing to say.
      if (error instanceof CodedError) return;
      refused.push(new Error(`a cluster cannot be asked this: ${sql}`, { cause: error }));
    }
  };
  const query: Events['query'] = events.query.bind(events);
  events.query = async <Row>(...asked: Parameters<Events['query']>) => {
    const rows = await query<Row>(...asked);
    const [sql, params] = asked;
    const form = sql.replaceAll(/\d+/g, '0');
    if (/^\s*(?:SELECT|WITH)\b/.test(sql) && !explained.has(form) && explained.size < mostExplained) {
      explained.add(form);
      plans = plans.then(() => plan(sql, params));
    }
    return rows;
  };
  return async () => {
    await plans;
    await pair.close();
    return refused;
  };
}

/** A statement of a cluster without what needs Keeper; '' where nothing is left of it. */
export function withoutKeeper(statement: string): string {
  if (/^\s*SYSTEM SYNC REPLICA\b/.test(statement)) return '';
  return statement
    .replace(/ ON CLUSTER `\w+`/g, '')
    .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/g, '$1(')
    .replace(
      /replicated_deduplication_window = (\d+), replicated_deduplication_window_seconds = \d+/g,
      'non_replicated_deduplication_window = $1',
    );
}

/** The databases that a real cluster's nodes get by a statement which needs Keeper. */
export async function createDatabases({ address }: Pick<EngineSupervisor, 'address'>): Promise<void> {
  await using server = openClickHouse({ ...address, database: 'default' });
  const { database } = address;
  for (const name of [database, layoutOf({ database, cluster: 'single' }).rows])
    await server.command(`CREATE DATABASE IF NOT EXISTS ${name}`);
}

/** A client of the cluster; `heard` gets each statement without a result as it would be sent to a real one. */
export function openTestCluster(
  { address }: Pick<EngineSupervisor, 'address'>,
  cluster: TestCluster,
  heard: (statement: string) => void = () => {},
): Events {
  const events = openClickHouse({ ...address, cluster }, embeddedShares);
  const command: Events['command'] = events.command.bind(events);
  events.command = async (sql, params) => {
    heard(sql);
    const left = withoutKeeper(sql);
    if (left !== '') await command(left, params);
  };
  return events;
}
