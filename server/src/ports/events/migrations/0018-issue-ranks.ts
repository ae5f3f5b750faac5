import type { Migration } from './migration.ts';

/**
 * Counts per day and per week in one table, where there were two: a batch pays for each table that it writes to, however
 * few rows it has. The first columns of the order keep days and weeks apart, so a ranking reads as little as before.
 *
 * The tables before it go with the next migration: this one may be repeated while they are there.
 */
export const migration: Migration = {
  id: 18,
  name: 'issue ranks',
  reads: ['issue_days', 'issue_weeks'],
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS issue_ranks${onCluster} (
      project_id UInt64,
      days UInt8,
      start Date,
      group_hash String,
      environment LowCardinality(String),
      events UInt64
    )
    ENGINE = ${engine('Summing', 'events')}
    PARTITION BY toYYYYMM(start)
    ORDER BY (project_id, days, start, group_hash, environment)
    SETTINGS ${settings()}`,
    // A start that broke off after this is repeated whole.
    `TRUNCATE TABLE issue_ranks${onCluster}`,
    ranksOf('issue_days', 1, 'day'),
    ranksOf('issue_weeks', 7, 'week'),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_ranks_of_errors${onCluster} TO issue_ranks AS
    SELECT project_id, toUInt8(span) AS days, if(span = 7, toMonday(toDate(timestamp, 'UTC')), toDate(timestamp, 'UTC')) AS start,
      group_hash, environment, count() AS events
    FROM errors ARRAY JOIN [1, 7] AS span
    GROUP BY project_id, days, start, group_hash, environment`,
  ],
};

const ranksOf = (table: string, days: number, start: string): string =>
  `INSERT INTO issue_ranks (project_id, days, start, group_hash, environment, events)
    SELECT project_id, ${days}, ${start}, group_hash, environment, events FROM ${table}
    SETTINGS max_threads = 1, max_insert_threads = 1, min_insert_block_size_rows = 65536,
      min_insert_block_size_bytes = 16777216, max_partitions_per_insert_block = 0`;
