import type { Migration } from './index.ts';

/** After this long without a new part, a week of events is merged into one. */
const quietSeconds = 86_400;

/**
 * The life of each issue, a row a day. Merging the user states of every hour was most of what a list cost; a day has a
 * twenty-fourth of them, and ranges of a week and more begin at a full day anyway. `issue_hours` answers shorter ranges.
 *
 * Every lookup pays for each part that it opens, so weeks that have gone quiet become one part each.
 */
export const issueLives: Migration = {
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
    SETTINGS ${settings({ index_granularity: 128 })}`,
    // A start that broke off after this is repeated whole.
    `TRUNCATE TABLE issue_lives${onCluster}`,
    `INSERT INTO issue_lives ${livesOf}
    SETTINGS max_threads = 1, max_insert_threads = 1, max_bytes_before_external_group_by = 67108864`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_lives_of_errors${onCluster} TO issue_lives AS ${livesOf}`,
    `ALTER TABLE errors${onCluster} MODIFY SETTING
      min_age_to_force_merge_seconds = ${quietSeconds}, min_age_to_force_merge_on_partition_only = 1`,
  ],
};

const livesOf = `SELECT project_id, group_hash, toDate(timestamp, 'UTC') AS day, environment,
      count() AS events, countIf(handled = 0) AS unhandled, uniqStateIf(user, user != '') AS users, min(timestamp) AS first_seen, max(timestamp) AS last_seen
    FROM errors
    GROUP BY project_id, group_hash, day, environment`;
