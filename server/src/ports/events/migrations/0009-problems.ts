import type { Migration } from './migration.ts';

/**
 * A performance problem is an event of an issue like an error, told from errors by the type of its issue: '' for errors
 * and messages, so that what counts errors leaves it out by a column that costs nothing.
 */
export const migration: Migration = {
  id: 9,
  name: 'problems',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster} ADD COLUMN IF NOT EXISTS issue_type LowCardinality(String) AFTER error_value`,
  ],
};
