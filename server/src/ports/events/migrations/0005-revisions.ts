import type { Migration } from './migration.ts';

/**
 * Which scripts an event waits for, and events symbolicated again once they came. Rows of events are never rewritten:
 * a revision stands beside its event, and only events that waited for something are looked for there.
 */
export const migration: Migration = {
  id: 5,
  name: 'revisions',
  statements: ({ onCluster, engine, settings }) => [
    `ALTER TABLE errors${onCluster} ADD COLUMN IF NOT EXISTS missing_scripts Array(LowCardinality(String)) AFTER tags`,
    `ALTER TABLE errors${onCluster}
      ADD INDEX IF NOT EXISTS missing_scripts_index missing_scripts TYPE bloom_filter(0.01) GRANULARITY 16`,
    `CREATE TABLE IF NOT EXISTS revisions${onCluster} (
      project_id UInt64,
      event_id String,
      timestamp DateTime64(3, 'UTC'),
      revised_at DateTime64(3, 'UTC'),
      title LowCardinality(String),
      culprit LowCardinality(String),
      payload String CODEC(ZSTD(1))
    )
    ENGINE = ${engine('Replacing', 'revised_at')}
    PARTITION BY toMonday(timestamp)
    ORDER BY (project_id, event_id)
    SETTINGS ${settings({ index_granularity: 2048, index_granularity_bytes: 1_048_576 })}`,
  ],
};
