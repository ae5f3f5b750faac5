import type { Migration } from './migration.ts';

/**
 * Spans lie by project, transaction and hour, and within the hour by trace: what one service did for one trace stands in
 * a row, so that ids, users and releases repeat and cost next to nothing, a trace is read from one place a service, and
 * the spans of one transaction are one stretch. Ids are found by skip indexes: a granule has few traces, so that of trace
 * ids is small enough for one filter a granule, and a trace is read from hardly more than its own rows.
 */
export const migration: Migration = {
  id: 6,
  name: 'spans',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS spans${onCluster} (
      project_id UInt64,
      trace_id String CODEC(ZSTD(1)),
      span_id String CODEC(ZSTD(1)),
      parent_span_id String CODEC(ZSTD(1)),
      segment_id String CODEC(ZSTD(1)),
      is_segment UInt8,
      started_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
      duration_us UInt64 CODEC(ZSTD(1)),
      exclusive_us Int64 CODEC(ZSTD(1)),
      received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      op LowCardinality(String),
      name String CODEC(ZSTD(1)),
      description LowCardinality(String),
      description_hash LowCardinality(String),
      transaction LowCardinality(String),
      transaction_source LowCardinality(String),
      status LowCardinality(String),
      failed UInt8,
      kind LowCardinality(String),
      origin LowCardinality(String),
      service LowCardinality(String),
      platform LowCardinality(String),
      environment LowCardinality(String),
      release LowCardinality(String),
      dist LowCardinality(String),
      user String CODEC(ZSTD(1)),
      sdk_name LowCardinality(String),
      sdk_version LowCardinality(String),
      attributes Map(LowCardinality(String), String) CODEC(ZSTD(1)),
      numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
      links String CODEC(ZSTD(1)),
      events String CODEC(ZSTD(1)),
      remarks String CODEC(ZSTD(1)),
      INDEX trace_id_index trace_id TYPE bloom_filter(0.001) GRANULARITY 1,
      INDEX span_id_index span_id TYPE bloom_filter(0.001) GRANULARITY 16
    )
    ENGINE = ${engine('')}
    PARTITION BY toMonday(started_at)
    ORDER BY (project_id, transaction, toStartOfHour(started_at), trace_id, started_at)
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
