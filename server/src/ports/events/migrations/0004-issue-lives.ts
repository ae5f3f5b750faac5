import type { Migration } from './migration.ts';

/** After this long without a new part, a week of events is merged into one. */
const quietSeconds = 86_400;

/**
 * The life of each issue, a row a day. Merging the user states of every hour was most of what a list cost; a day has a
 * twenty-fourth of them, and ranges of a week and more begin at a full day anyway. `issue_hours` answers shorter ranges.
 *
 * Every lookup pays for each part that it opens, so weeks that have gone quiet become one part each.
 */
export const migration: Migration = {
  id: 4,
  name: 'issue lives',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS issue_lives${onCluster} (
      project_id UInt64,
      group_hash String,
      day Date,
      environment LowCardinality(String),
      events SimpleAggregateFunction(sum, UInt64),
      unhandled SimpleAggregateFunction(sum, UInt64),
      users AggregateFunction(uniq, String),
      first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
      last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(day)
    ORDER BY (project_id, group_hash, day, environment)
    SETTINGS ${settings({ index_granularity: 32 })}`,
    // A start that broke off after this is repeated whole.
    `TRUNCATE TABLE issue_lives${onCluster}`,
    ...Array.from({ length: 16 }, (_, slice) => livesOfHours(slice.toString(16))),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_lives_of_errors${onCluster} TO issue_lives AS ${livesOf}`,
    `ALTER TABLE errors${onCluster} MODIFY SETTING
      min_age_to_force_merge_seconds = ${quietSeconds}, min_age_to_force_merge_on_partition_only = 1`,
  ],
};

const livesOf = `SELECT project_id, group_hash, toDate(timestamp, 'UTC') AS day, environment,
      count() AS events, countIf(handled = 0) AS unhandled, uniqStateIf(user, user != '') AS users, min(timestamp) AS first_seen, max(timestamp) AS last_seen
    FROM errors
    GROUP BY project_id, group_hash, day, environment`;

/** What is stored already, a sixteenth of the hashes at a time: user states of all of them together are too large for memory. */
const livesOfHours = (firstDigit: string): string =>
  `INSERT INTO issue_lives
    SELECT project_id, group_hash, toDate(hour, 'UTC') AS day, environment, sum(events) AS events, sum(unhandled) AS unhandled,
      uniqMergeState(users) AS users, min(first_seen) AS first_seen, max(last_seen) AS last_seen
    FROM issue_hours WHERE startsWith(group_hash, '${firstDigit}')
    GROUP BY project_id, group_hash, day, environment
    SETTINGS max_threads = 1, max_insert_threads = 1, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 16777216`;
