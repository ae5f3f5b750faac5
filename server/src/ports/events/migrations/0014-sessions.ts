import type { Migration } from './migration.ts';

const counted = ['exited', 'errored', 'unhandled', 'abnormal', 'crashed'] as const;

/** Each of them holds those that are at least so bad, so that what is between two of them is a difference, never negative. */
const atLeast = [
  ['', 'status > 0', '1'],
  ['_errored', 'status >= 3', 'sessions.errored + sessions.unhandled + sessions.abnormal + sessions.crashed > 0'],
  ['_unhandled', 'status >= 4', 'sessions.unhandled + sessions.abnormal + sessions.crashed > 0'],
  ['_abnormal', 'status >= 5', 'sessions.abnormal + sessions.crashed > 0'],
  ['_crashed', 'status >= 6', 'sessions.crashed > 0'],
] as const;

/**
 * Sessions, a row each: updates of one have one key, and what they say is merged by taking the greatest (a status never
 * gets better), so that neither their order nor a repetition matters. Sessions that servers have counted already are
 * rows whose counts add up.
 *
 * `session_hours` keeps them as sets a session, release and environment are in one hour only, so that their sizes add
 * up; users are merged. A set is exact up to 65,536 entries and a sample beyond.
 */
export const migration: Migration = {
  id: 14,
  name: 'sessions',
  statements: ({ onCluster, engine, settings }) => [
    `CREATE TABLE IF NOT EXISTS sessions${onCluster} (
      project_id UInt64,
      minute DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
      environment LowCardinality(String),
      release LowCardinality(String),
      session UInt64 CODEC(ZSTD(1)),
      status SimpleAggregateFunction(max, UInt8) CODEC(ZSTD(1)),
      duration_ms SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1)),
      user SimpleAggregateFunction(max, UInt64) CODEC(ZSTD(1)),
      ${counted.map((name) => `${name} SimpleAggregateFunction(sum, UInt64) CODEC(ZSTD(1)),`).join('\n      ')}
      received_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(Delta, ZSTD(1))
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toMonday(minute)
    ORDER BY (project_id, minute, environment, release, session)
    SETTINGS ${settings({ min_age_to_force_merge_seconds: 86_400, min_age_to_force_merge_on_partition_only: 1 })}`,
    `CREATE TABLE IF NOT EXISTS session_hours${onCluster} (
      project_id UInt64,
      hour DateTime('UTC'),
      environment LowCardinality(String),
      release LowCardinality(String),
      ${atLeast.map(([name]) => `sessions${name} AggregateFunction(uniq, UInt64),`).join('\n      ')}
      ${atLeast.map(([name]) => `users${name} AggregateFunction(uniq, UInt64),`).join('\n      ')}
      ${counted.map((name) => `${name} SimpleAggregateFunction(sum, UInt64),`).join('\n      ')}
      INDEX hour_index hour TYPE minmax GRANULARITY 1
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(hour)
    ORDER BY (project_id, release, environment, hour)
    SETTINGS ${settings({ index_granularity: 64, min_age_to_force_merge_seconds: 86_400, min_age_to_force_merge_on_partition_only: 1 })}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS session_hours_of_sessions${onCluster} TO session_hours AS
    SELECT project_id, toStartOfHour(toDateTime(minute, 'UTC')) AS hour, environment, release,
      ${atLeast.map(([name, one]) => `uniqStateIf(session, ${one}) AS sessions${name},`).join('\n      ')}
      ${atLeast.map(([name, one, some]) => `uniqStateIf(user, user != 0 AND (${one} OR ${some})) AS users${name},`).join('\n      ')}
      ${counted.map((name) => `sum(sessions.${name}) AS ${name}`).join(',\n      ')}
    FROM sessions
    GROUP BY project_id, hour, environment, release`,
  ],
};
