import type { Migration } from './migration.ts';

/**
 * Events that stand for others, which a storm kept out. Views of their own count those others, and whom they met, into the
 * tables that have the events themselves; of a batch without any they write nothing. `sampled` says how many events of an
 * issue are counted and not stored. The views that are there stay as they are: one that is changed in place forgets which
 * batches it has seen, and between two nothing may arrive.
 */
export const migration: Migration = {
  id: 22,
  name: 'stands for',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster}
      ADD COLUMN IF NOT EXISTS stands_for UInt64 CODEC(ZSTD(1)),
      ADD COLUMN IF NOT EXISTS sampled_users Array(String) CODEC(ZSTD(1))`,
    `ALTER TABLE issue_hours${onCluster} ADD COLUMN IF NOT EXISTS sampled SimpleAggregateFunction(sum, UInt64)`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_hours_of_sampled${onCluster} TO issue_hours AS
    SELECT project_id, group_hash, toStartOfHour(toDateTime(timestamp, 'UTC')) AS hour, environment, ${lives},
      sum(counted) AS sampled
    ${eachUser}
    GROUP BY project_id, group_hash, hour, environment`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_lives_of_sampled${onCluster} TO issue_lives AS
    SELECT project_id, group_hash, toDate(timestamp, 'UTC') AS day, environment, ${lives}
    ${eachUser}
    GROUP BY project_id, group_hash, day, environment`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS issue_ranks_of_sampled${onCluster} TO issue_ranks AS
    SELECT project_id, toUInt8(span) AS days, if(span = 7, toMonday(toDate(timestamp, 'UTC')), toDate(timestamp, 'UTC')) AS start,
      group_hash, environment, sum(stands_for) AS events
    FROM errors ARRAY JOIN [1, 7] AS span
    WHERE stands_for > 0
    GROUP BY project_id, days, start, group_hash, environment`,
  ],
};

const lives = `sum(counted) AS events, sumIf(counted, handled = 0) AS unhandled, uniqStateIf(met, met != '') AS users,
      min(timestamp) AS first_seen, max(timestamp) AS last_seen`;

/** The first row of an event counts for all that it stands for, and the row of each of their users for nobody. */
const eachUser = `FROM errors
    ARRAY JOIN arrayPushFront(sampled_users, '') AS met,
      arrayPushFront(arrayWithConstant(length(sampled_users), toUInt64(0)), stands_for) AS counted
    WHERE stands_for > 0`;
