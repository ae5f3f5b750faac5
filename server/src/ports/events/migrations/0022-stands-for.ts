import type { Migration } from './migration.ts';

/**
 * Events that stand for others, which a storm kept out: they count for them, and for whom they met. The columns are what
 * most rows have nothing in, and take no room there. A view is changed where it stands, so that no event is counted by
 * both, or by none.
 */
export const migration: Migration = {
  id: 22,
  name: 'stands for',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster}
      ADD COLUMN IF NOT EXISTS stands_for UInt32 CODEC(ZSTD(1)),
      ADD COLUMN IF NOT EXISTS sampled_users Array(String) CODEC(ZSTD(1))`,
    `ALTER TABLE issue_hours_of_errors${onCluster} MODIFY QUERY
    SELECT project_id, group_hash, toStartOfHour(toDateTime(timestamp, 'UTC')) AS hour, environment, ${lives}
    GROUP BY project_id, group_hash, hour, environment`,
    `ALTER TABLE issue_lives_of_errors${onCluster} MODIFY QUERY
    SELECT project_id, group_hash, toDate(timestamp, 'UTC') AS day, environment, ${lives}
    GROUP BY project_id, group_hash, day, environment`,
    `ALTER TABLE issue_ranks_of_errors${onCluster} MODIFY QUERY
    SELECT project_id, toUInt8(span) AS days, if(span = 7, toMonday(toDate(timestamp, 'UTC')), toDate(timestamp, 'UTC')) AS start,
      group_hash, environment, sum(1 + stands_for) AS events
    FROM errors ARRAY JOIN [1, 7] AS span
    GROUP BY project_id, days, start, group_hash, environment`,
  ],
};

/** The row of each of its users after the first counts for nobody else. */
const lives = `sum(counted) AS events, sumIf(counted, handled = 0) AS unhandled, uniqStateIf(met, met != '') AS users,
      min(timestamp) AS first_seen, max(timestamp) AS last_seen
    FROM errors
    ARRAY JOIN arrayPushFront(sampled_users, user) AS met,
      arrayPushFront(arrayWithConstant(length(sampled_users), toUInt64(0)), toUInt64(1 + stands_for)) AS counted`;
