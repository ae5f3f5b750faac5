import type { Migration } from './migration.ts';

const columns = `title, message, culprit, error_type, error_value, error_types, error_values, error_mechanisms,
      stack_filenames, stack_functions, stack_modules, stack_packages`;

/**
 * What `issue_ranks` stands for goes. Texts are no longer grouped: the first row of each set and day is taken as it is,
 * where grouping held each array of each row as a value of its own. A set is told of with its day, of which the table
 * keeps the last.
 */
export const migration: Migration = {
  id: 19,
  name: 'fewer views',
  statements: ({ onCluster }) => [
    ...['issue_days', 'issue_weeks'].flatMap((table) => [
      `DROP VIEW IF EXISTS ${table}_of_errors${onCluster} SYNC`,
      `DROP TABLE IF EXISTS ${table}${onCluster} SYNC`,
    ]),
    // Both are there for a moment rather than none: the same texts twice are the same texts.
    `CREATE MATERIALIZED VIEW IF NOT EXISTS error_texts_by_day${onCluster} TO error_texts AS
    SELECT project_id, texts, toDate(timestamp, 'UTC') AS day, ${columns}
    FROM errors
    LIMIT 1 BY project_id, texts, day`,
    `DROP VIEW IF EXISTS error_texts_of_errors${onCluster} SYNC`,
  ],
};
