/** How long rows are kept: a TTL on each table that follows the configuration at every start. */
import type { Events } from '../events.ts';
import type { Dialect } from './dialect.ts';

/** The column or expression that says how old a row is. */
const ageColumns: Readonly<Record<string, string>> = {
  errors: 'timestamp',
  error_texts: 'day',
  revisions: 'timestamp',
  issue_hours: 'hour',
  issue_days: 'day',
  issue_lives: 'day',
  // A week's row stands for events up to its end.
  issue_weeks: 'week + 7',
  outcomes: 'minute',
  items: 'received_at',
  spans: 'started_at',
  segments: 'started_at',
  transaction_hours: 'hour',
  transaction_days: 'day',
  vital_hours: 'hour',
  vital_days: 'day',
  logs: 'timestamp',
  sessions: 'minute',
  session_hours: 'hour',
};

/** Alters the tables whose TTL differs; parts that are wholly older are then dropped by the engine in the background. */
export async function applyRetention(events: Events, { onCluster }: Dialect, retentionDays: number): Promise<void> {
  const tables = await events.query<{ name: string; definition: string }>(
    `SELECT name, create_table_query AS definition FROM system.tables
     WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    { names: Object.keys(ageColumns) },
  );
  for (const { name, definition } of tables) {
    const days = /\bTTL\s.*?toIntervalDay\((\d+)\)/s.exec(definition)?.[1];
    if (days === String(retentionDays)) continue;
    const ttl = `toDateTime(${ageColumns[name]}, 'UTC') + toIntervalDay(${Math.trunc(retentionDays)})`;
    await events.command(`ALTER TABLE ${name}${onCluster} MODIFY TTL ${ttl}`);
  }
}
