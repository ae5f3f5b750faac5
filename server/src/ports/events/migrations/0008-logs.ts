import type { Migration } from './migration.ts';

/**
 * Logs lie by project and time, since that is how they are read; `sequence` keeps those of one moment in the order of
 * their sender. Those of a trace are found by a skip index: they stand close together, so that few granules have any.
 */
export const migration: Migration = {
  id: 8,
  name: 'logs',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS logs${onCluster} (
      project_id UInt64,
      timestamp DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
      sequence UInt32 CODEC(Delta, ZSTD(1)),
      observed_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
      received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      trace_id String CODEC(ZSTD(1)),
      span_id String CODEC(ZSTD(1)),
      level LowCardinality(String),
      severity_number UInt8 CODEC(ZSTD(1)),
      body String CODEC(ZSTD(1)),
      origin LowCardinality(String),
      service LowCardinality(String),
      environment LowCardinality(String),
      release LowCardinality(String),
      sdk_name LowCardinality(String),
      sdk_version LowCardinality(String),
      attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
      numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
      remarks String CODEC(ZSTD(1)),
      INDEX trace_id_index trace_id TYPE bloom_filter(0.001) GRANULARITY 1
    )
    ENGINE = ${engine('')}
    PARTITION BY toMonday(timestamp)
    ORDER BY (project_id, timestamp, sequence)
    SETTINGS ${settings({
      index_granularity: 2048,
      index_granularity_bytes: 8_388_608,
      max_compress_block_size: 131_072,
      min_bytes_for_wide_part: 67_108_864,
      vertical_merge_algorithm_min_rows_to_activate: 4096,
      min_age_to_force_merge_seconds: 86_400,
      min_age_to_force_merge_on_partition_only: 1,
    })}`,
  ],
};
