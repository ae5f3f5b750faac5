import type { Migration } from './migration.ts';

/** The fate of items, and items kept as they came. */
export const migration: Migration = {
  id: 3,
  name: 'outcomes and items',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS outcomes${onCluster} (
      project_id UInt64,
      minute DateTime64(3, 'UTC'),
      category LowCardinality(String),
      outcome LowCardinality(String),
      reason LowCardinality(String),
      quantity UInt64
    )
    ENGINE = ${engine('Summing', 'quantity')}
    PARTITION BY toMonday(minute)
    ORDER BY (project_id, minute, category, outcome, reason)
    SETTINGS ${settings()}`,
    `CREATE TABLE IF NOT EXISTS items${onCluster} (
      project_id UInt64,
      received_at DateTime64(3, 'UTC'),
      item_type LowCardinality(String),
      category LowCardinality(String),
      outcome LowCardinality(String),
      reason LowCardinality(String),
      detail String,
      event_id String,
      headers String CODEC(ZSTD(3)),
      size_bytes UInt64,
      payload String CODEC(ZSTD(3)),
      blob_key String,
      INDEX event_id_index event_id TYPE bloom_filter(0.001) GRANULARITY 4
    )
    ENGINE = ${engine('')}
    PARTITION BY toMonday(received_at)
    ORDER BY (project_id, item_type, received_at)
    SETTINGS ${settings({ index_granularity: 2048, index_granularity_bytes: 1_048_576 })}`,
  ],
};
