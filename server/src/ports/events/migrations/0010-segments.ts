import type { Migration } from './migration.ts';

/** Web vitals that stand alone say that they are segments, and are no requests. */
const isRequest = `is_segment = 1 AND NOT startsWith(op, 'ui.webvital.') AND NOT startsWith(op, 'ui.interaction.')`;

const columns = `project_id, trace_id, span_id, parent_span_id = '' AS is_root, started_at, duration_us,
      op, if(transaction = '', name, transaction) AS transaction, service, status, failed, environment, release, user,
      attributes['browser.name'] AS browser, attributes['os.name'] AS os, attributes['http.request.method'] AS method,
      toUInt16(greatest(0, least(999, if(isFinite(numbers['http.response.status_code']), numbers['http.response.status_code'], 0)))) AS code`;

/**
 * Segments by time, slim: the list of traces, its heatmap and its fields are about the requests of all transactions
 * together, and `spans` has those of one transaction beside each other, a few in every granule.
 */
export const migration: Migration = {
  id: 10,
  name: 'segments',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS segments${onCluster} (
      project_id UInt64,
      trace_id String CODEC(ZSTD(1)),
      span_id String CODEC(ZSTD(1)),
      is_root UInt8,
      started_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
      duration_us UInt64 CODEC(T64, ZSTD(1)),
      op LowCardinality(String),
      transaction LowCardinality(String),
      service LowCardinality(String),
      status LowCardinality(String),
      failed UInt8,
      environment LowCardinality(String),
      release LowCardinality(String),
      user String CODEC(ZSTD(1)),
      browser LowCardinality(String),
      os LowCardinality(String),
      method LowCardinality(String),
      code UInt16,
      INDEX trace_id_index trace_id TYPE bloom_filter(0.001) GRANULARITY 1
    )
    ENGINE = ${engine('')}
    PARTITION BY toMonday(started_at)
    ORDER BY started_at
    SETTINGS ${settings({ index_granularity: 2048, min_age_to_force_merge_seconds: 86_400, min_age_to_force_merge_on_partition_only: 1 })}`,
    // A start that broke off after this is repeated whole.
    `TRUNCATE TABLE segments${onCluster}`,
    `INSERT INTO segments SELECT ${columns} FROM spans WHERE ${isRequest}
    SETTINGS max_threads = 1, max_insert_threads = 1, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 16777216`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS segments_of_spans${onCluster} TO segments AS
    SELECT ${columns} FROM spans WHERE ${isRequest}`,
  ],
};
