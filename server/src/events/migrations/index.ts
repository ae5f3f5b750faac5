/** Brings the events store's tables up to date. Every statement may run twice, so a start that broke off is repeated whole. */
import { openClickHouse } from '../clickhouse.ts';
import type { Events, EventsAddress } from '../events.ts';
import { errors } from './0001-errors.ts';
import { issueAggregates } from './0002-issue-aggregates.ts';
import { outcomesAndItems } from './0003-outcomes-items.ts';
import { issueLives } from './0004-issue-lives.ts';
import { revisions } from './0005-revisions.ts';
import { spans } from './0006-spans.ts';
import { spanAggregates } from './0007-span-aggregates.ts';
import { logs } from './0008-logs.ts';
import { problems } from './0009-problems.ts';
import { segments } from './0010-segments.ts';
import { traceIndex } from './0011-trace-index.ts';
import { frames } from './0012-frames.ts';
import { errorTexts } from './0013-error-texts.ts';
import { sessions } from './0014-sessions.ts';
import { createDialect, type Dialect } from './dialect.ts';
import { applyRetention } from './retention.ts';

export interface Migration {
  /** Counts up; the order in which migrations run. */
  readonly id: number;
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
}

export interface MigrateOptions {
  readonly retentionDays: number;
}

const migrations: readonly Migration[] = [
  errors,
  issueAggregates,
  outcomesAndItems,
  issueLives,
  revisions,
  spans,
  spanAggregates,
  logs,
  problems,
  segments,
  traceIndex,
  frames,
  errorTexts,
  sessions,
];

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
  await applyRetention(events, dialect, options.retentionDays);
  return names;
}

async function createDatabase(address: EventsAddress, { onCluster }: Dialect): Promise<void> {
  await using server = openClickHouse({ ...address, database: 'default' });
  await server.command(`CREATE DATABASE IF NOT EXISTS ${address.database}${onCluster}`);
}
