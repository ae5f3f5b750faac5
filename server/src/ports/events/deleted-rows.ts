/**
 * `DELETE` marks rows; their bytes stay in their part until the engine writes that anew, which it never does with a week that
 * is one part already. So parts of which a share worth it is marked are written anew without: a partition at a time, with
 * rests, and only where the disk has room for it. What the engine has begun it goes on with after a kill.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from './events.ts';
import { layoutOf } from './layout.ts';

export interface MarkedPartition {
  readonly table: string;
  readonly partition: string;
  /** Of its parts with marked rows, on disk. */
  readonly bytes: number;
  /** Of those what the marked rows take, about. */
  readonly markedBytes: number;
}

interface Part {
  readonly table: string;
  readonly partition: string;
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** From such a share of marked rows on a large part is written anew; a small one in any case. */
const leastShare = 0.05;
const smallBytes = 64 * 2 ** 20;
/** Of the disk that are left to others. */
const reserveBytes = 256 * 2 ** 20;
const firstPollMs = 50;
const longestPollMs = 2_000;
/** As a multiple of how long the engine took. */
const rest = 3;
const longestRestMs = 60_000;
/** Nobody waits for it, and it may look at every row. */
const patient = { maxExecutionSeconds: 300 };

/** Those with marked rows, whether that is worth anything or not. */
export async function markedPartitions(events: Pick<Events, 'query' | 'address'>): Promise<MarkedPartition[]> {
  const { rows: database, system } = layoutOf(events.address);
  // A part has one name on its replicas and may be another one of another shard: then it counts for both.
  const parts = await events.query<Part>(
    `SELECT table, partition_id AS partition, name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM (
       SELECT DISTINCT table, partition_id, name, rows, bytes_on_disk FROM ${system('parts')}
       WHERE database = {database:String} AND active AND has_lightweight_delete
     ) GROUP BY table, partition, name ORDER BY table, partition`,
    { database },
  );
  const found: MarkedPartition[] = [];
  for (const [table, ofTable] of Map.groupBy(parts, (part) => part.table)) {
    if (!/^\w+$/.test(table)) continue;
    const kept = await events.query<{ part: string; rows: number }>(
      `SELECT _part AS part, count() AS rows FROM ${table} WHERE _part IN {parts:Array(String)} GROUP BY part`,
      { parts: ofTable.map(({ name }) => name) },
      patient,
    );
    const keptOf = new Map(kept.map(({ part, rows }) => [part, rows]));
    for (const [partition, own] of Map.groupBy(ofTable, (part) => part.partition)) {
      const marked = own.map(({ name, rows, bytes }) => (bytes * (rows - (keptOf.get(name) ?? 0))) / Math.max(1, rows));
      found.push({ table, partition, bytes: sum(own.map(({ bytes }) => bytes)), markedBytes: Math.round(sum(marked)) });
    }
  }
  return found;
}

export const isWorth = ({ bytes, markedBytes }: MarkedPartition): boolean =>
  markedBytes > 0 && (bytes < smallBytes || markedBytes >= bytes * leastShare);

/** Resolves to the bytes that are given back once the engine has removed the old parts, in minutes. */
export async function clearDeletedRows(events: Events, signal: AbortSignal): Promise<number> {
  const { onCluster } = layoutOf(events.address);
  let cleared = 0;
  for (const marked of (await markedPartitions(events)).filter(isWorth)) {
    const { table, partition, bytes, markedBytes } = marked;
    if (signal.aborted) return cleared;
    if (!/^\w+$/.test(partition) || !(await hasRoom(events, bytes - markedBytes))) continue;
    // Another change of the table has the engine at it already.
    if ((await pendingChanges(events, table)) > 0) continue;
    const began = performance.now();
    await events.command(
      `ALTER TABLE ${table}${onCluster} APPLY DELETED MASK IN PARTITION ID '${partition}' SETTINGS mutations_sync = 0`,
    );
    for (
      let pollMs = firstPollMs;
      (await pendingChanges(events, table)) > 0;
      pollMs = Math.min(2 * pollMs, longestPollMs)
    )
      if (!(await wait(pollMs, signal))) return cleared;
    cleared += markedBytes;
    if (!(await wait(Math.min(longestRestMs, rest * (performance.now() - began)), signal))) return cleared;
  }
  return cleared;
}

/** On the disk of the engine, wherever that is. */
async function hasRoom(events: Events, bytes: number): Promise<boolean> {
  const [disk] = await events.query<{ free: number }>(
    `SELECT min(unreserved_space) AS free FROM ${layoutOf(events.address).system('disks')}`,
  );
  return disk !== undefined && disk.free > 2 * bytes + reserveBytes;
}

/** Changes of a table that the engine is at, or has before it. */
export async function pendingChanges(events: Events, table: string): Promise<number> {
  const { rows: database, system } = layoutOf(events.address);
  const [row] = await events.query<{ count: number }>(
    `SELECT count() AS count FROM ${system('mutations')}
     WHERE database = {database:String} AND table = {table:String} AND NOT is_done AND NOT is_killed`,
    { database, table },
  );
  return row?.count ?? 0;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** False where it was told to end. */
const wait = (ms: number, signal: AbortSignal): Promise<boolean> => delay(ms, true, { signal }).catch(() => false);
