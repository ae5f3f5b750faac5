/** What was removed is written over: parts of the engine, segments of payloads. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tableRecords } from '../../base/tables/index.ts';
import { markedPartitions } from '../../ports/events/deleted-rows.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { waitForChanges } from './rows.ts';

const pollMs = 200;
/** Somebody reads an old part for longer: the engine removes it when they have. */
const longestMs = 20 * 60_000;

/**
 * Rows that were only marked as deleted are written out, then parts that newer ones stand for are removed at once, where the
 * engine keeps them some minutes otherwise. False where some are still there after all.
 */
export async function overwriteRows(events: Events, signal: AbortSignal): Promise<boolean> {
  const { rows: database, onCluster, system } = layoutOf(events.address);
  for (const { table, partition } of await markedPartitions(events)) {
    if (!/^\w+$/.test(partition)) continue;
    await events.command(
      `ALTER TABLE ${table}${onCluster} APPLY DELETED MASK IN PARTITION ID '${partition}' SETTINGS mutations_sync = 0`,
    );
    await waitForChanges(events, table, signal);
  }
  const tables = Object.keys(tableRecords);
  const outdated = async (): Promise<Map<string, string>> => {
    const rows = await events.query<{ table: string; part: string }>(
      `SELECT table, concat(table, ' ', name) AS part FROM ${system('parts')}
       WHERE database = {database:String} AND table IN {tables:Array(String)} AND NOT active`,
      { database, tables },
    );
    return new Map([...rows.map(({ table, part }) => [part, table] as const), ...(await lyingHere(events, tables))]);
  };
  const first = await outdated();
  const hurried = [...new Set(first.values())];
  // A run that was killed here has left it so; the next one takes it back.
  try {
    for (const table of hurried) {
      await events.command(`ALTER TABLE ${table}${onCluster} MODIFY SETTING old_parts_lifetime = 0`);
    }
    const began = Date.now();
    for (;;) {
      const now = await outdated();
      const left = [...first].filter(([part]) => now.has(part));
      if (left.length === 0) return true;
      if (Date.now() - began > longestMs) return false;
      // An engine with little to do looks for old parts once in a while; dropping a partition, even none, does it at once.
      for (const table of new Set(left.map(([, of]) => of)))
        await events.command(`ALTER TABLE ${table}${onCluster} DROP PARTITION ID '00000000'`);
      await delay(pollMs, undefined, { signal });
    }
  } finally {
    for (const table of hurried) {
      await events.command(`ALTER TABLE ${table}${onCluster} RESET SETTING old_parts_lifetime`).catch(() => undefined);
    }
  }
}

/** Of a part, and of one that is being deleted. */
const ofPart = /^(?:delete_tmp_)?[^_]+_\d+_\d+_\d+(?:_\d+)?$/;

/**
 * Directories of parts that are not active, where the engine's disk is this machine's: it lists a part no more as soon as it
 * begins to delete it, and a part whose deletion failed.
 */
async function lyingHere(events: Events, tables: readonly string[]): Promise<[part: string, table: string][]> {
  const { rows: database } = layoutOf(events.address);
  const places = await events.query<{ table: string; path: string }>(
    `SELECT name AS table, arrayJoin(data_paths) AS path FROM system.tables
     WHERE database = {database:String} AND name IN {tables:Array(String)}`,
    { database, tables },
  );
  const found: [string, string][] = [];
  for (const { table, path } of places) {
    const names = await readdir(path).catch(() => []);
    for (const name of names) if (ofPart.test(name)) found.push([join(path, name), table]);
  }
  // After the look at the disk: what came about meanwhile is active.
  const active = await events.query<{ path: string }>(
    `SELECT path FROM system.parts WHERE database = {database:String} AND table IN {tables:Array(String)} AND active`,
    { database, tables },
  );
  const those = new Set(active.map(({ path }) => path.replace(/\/$/, '')));
  return found.filter(([path]) => !those.has(path));
}

export async function overwritePayloads(events: Events, signal: AbortSignal): Promise<void> {
  const { payloads } = events;
  if (payloads) await payloads.rewrite(await payloads.withErased(), signal);
}
