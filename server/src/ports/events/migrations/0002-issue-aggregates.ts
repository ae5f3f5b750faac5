import type { Migration } from './migration.ts';

/**
 * Counts per issue, kept while events arrive. `issue_hours` answers about known issues, `issue_days` and `issue_weeks`
 * rank all of them. Partitions are months: a lookup pays for every part, and they are small.
 */
export const migration: Migration = {
  id: 2,
  name: 'issue aggregates',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS issue_hours${onCluster} (
      project_id UInt64,
      group_hash String,
      hour DateTime('UTC'),
      environment LowCardinality(String),
      events SimpleAggregateFunction(sum, UInt64),
      unhandled SimpleAggregateFunction(sum, UInt64),
      users AggregateFunction(uniq, String),
      first_seen SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
      last_seen SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(hour)
    ORDER BY (project_id, group_hash, hour, environment)
    SETTINGS ${settings({ index_granularity: 128 })}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_hours_of_errors${onCluster} TO issue_hours AS
    SELECT project_id, group_hash, toStartOfHour(toDateTime(timestamp, 'UTC')) AS hour, environment,
      count() AS events, countIf(handled = 0) AS unhandled, uniqStateIf(user, user != '') AS users, min(timestamp) AS first_seen, max(timestamp) AS last_seen
    FROM errors
    GROUP BY project_id, group_hash, hour, environment`,

    `CREATE TABLE IF NOT EXISTS issue_days${onCluster} (
      project_id UInt64,
      day Date,
      group_hash String,
      environment LowCardinality(String),
      events UInt64
    )
    ENGINE = ${engine('Summing', 'events')}
    PARTITION BY toYYYYMM(day)
    ORDER BY (project_id, day, group_hash, environment)
    SETTINGS ${settings()}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_days_of_errors${onCluster} TO issue_days AS
    SELECT project_id, toDate(timestamp, 'UTC') AS day, group_hash, environment, count() AS events
    FROM errors
    GROUP BY project_id, day, group_hash, environment`,

    `CREATE TABLE IF NOT EXISTS issue_weeks${onCluster} (
      project_id UInt64,
      week Date,
      group_hash String,
      environment LowCardinality(String),
      events UInt64
    )
    ENGINE = ${engine('Summing', 'events')}
    PARTITION BY toYYYYMM(week)
    ORDER BY (project_id, week, group_hash, environment)
    SETTINGS ${settings()}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_weeks_of_errors${onCluster} TO issue_weeks AS
    SELECT project_id, toMonday(toDate(timestamp, 'UTC')) AS week, group_hash, environment, count() AS events
    FROM errors
    GROUP BY project_id, week, group_hash, environment`,
  ],
};
