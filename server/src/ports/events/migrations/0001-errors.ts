import type { Migration } from './migration.ts';

/**
 * Granules are at most 8 MB of rows: large enough that a filter over all events does not spend its time on marks, small
 * enough that one payload is a short read. Compressed blocks of payloads are large, because events of one issue resemble
 * each other and stand side by side. The skip indexes span several granules: a filter per granule would make every
 * lookup read thousands of tiny ones. The hash is a dictionary because it repeats in long runs, and grouping by it is
 * what every filtered list does.
 *
 * Texts that the events of an issue share are dictionaries: a search then looks at each once per block.
 */
export const migration: Migration = {
  id: 1,
  name: 'errors',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS errors${onCluster} (
      project_id UInt64,
      group_hash LowCardinality(String),
      group_hashes Array(String),
      grouping_version LowCardinality(String),
      timestamp DateTime64(3, 'UTC'),
      received_at DateTime64(3, 'UTC'),
      event_id String,
      level LowCardinality(String),
      platform LowCardinality(String),
      environment LowCardinality(String),
      release LowCardinality(String),
      dist LowCardinality(String),
      transaction LowCardinality(String),
      title LowCardinality(String),
      culprit LowCardinality(String),
      message LowCardinality(String),
      error_type LowCardinality(String),
      error_value LowCardinality(String),
      handled Nullable(UInt8),
      mechanism LowCardinality(String),
      user String,
      user_id String,
      user_email String,
      user_username String,
      user_ip String,
      digest String,
      trace_id String,
      span_id String,
      sdk_name LowCardinality(String),
      sdk_version LowCardinality(String),
      tags Map(LowCardinality(String), String),
      payload String CODEC(ZSTD(1)) SETTINGS (min_compress_block_size = 65536, max_compress_block_size = 1048576),
      INDEX event_id_index event_id TYPE bloom_filter(0.001) GRANULARITY 16,
      INDEX trace_id_index trace_id TYPE bloom_filter(0.001) GRANULARITY 16,
      INDEX digest_index digest TYPE bloom_filter(0.001) GRANULARITY 16
    )
    ENGINE = ${engine('')}
    PARTITION BY toMonday(timestamp)
    ORDER BY (project_id, group_hash, timestamp)
    SETTINGS ${settings({
      index_granularity: 2048,
      index_granularity_bytes: 8_388_608,
      max_compress_block_size: 131_072,
      min_bytes_for_wide_part: 67_108_864,
      vertical_merge_algorithm_min_rows_to_activate: 4096,
      // A filter by one tag reads a sixteenth of the tags; inserts write them as they come, merges sort them into buckets.
      map_serialization_version: 'with_buckets',
      map_buckets_strategy: 'constant',
      max_buckets_in_map: 16,
      map_buckets_min_avg_size: 0,
    })}`,
  ],
};
