/** How long rows are kept: a TTL on each table that follows what is settled for its class. */
import { type KeptDays, sameDays } from '../../../base/retention.ts';
import { tableRecords } from '../../../base/tables/index.ts';
import type { Events } from '../events.ts';
import { layoutOf } from '../layout.ts';
import type { Dialect } from './dialect.ts';

/**
 * Alters the tables whose TTL differs; parts that are wholly older are then dropped by the engine in the background. Where
 * `keptDays` is not known, tables that have a TTL keep it. While a project is held there is none: the engine knows no projects, and a job deletes what is old of the others.
 */
export async function applyRetention(
  events: Events,
  { onCluster }: Dialect,
  {
    retentionDays,
    keptDays,
    isHeld = false,
  }: { readonly retentionDays: number; readonly keptDays?: KeptDays | undefined; readonly isHeld?: boolean },
): Promise<void> {
  const daysOf = keptDays ?? sameDays(retentionDays);
  const tables = await events.query<{ name: string; definition: string }>(
    `SELECT name, create_table_query AS definition FROM system.tables
     WHERE database = {database:String} AND name IN {names:Array(String)}`,
    { database: layoutOf(events.address).rows, names: Object.keys(tableRecords) },
  );
  for (const { name, definition } of tables) {
    const record = tableRecords[name];
    if (!record) continue;
    if (isHeld) {
      if (/\bTTL\s/.test(definition)) await events.command(`ALTER TABLE ${name}${onCluster} REMOVE TTL`);
      continue;
    }
    const days = String(Math.trunc(daysOf[record.retention]));
    const today = /\bTTL\s.*?toIntervalDay\((\d+)\)/s.exec(definition)?.[1];
    if (today === days || (today !== undefined && !keptDays)) continue;
    const ttl = `toDateTime(${record.age}, 'UTC') + toIntervalDay(${days})`;
    await events.command(`ALTER TABLE ${name}${onCluster} MODIFY TTL ${ttl}`);
  }
}
