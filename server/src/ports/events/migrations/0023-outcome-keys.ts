import type { Migration } from './migration.ts';

/** With which key items were sent; 0 for what was counted before. A column that is new may follow in the sort key. */
export const migration: Migration = {
  id: 23,
  name: 'outcome keys',
  statements: ({ onCluster }) => [
    `ALTER TABLE outcomes${onCluster}
      ADD COLUMN IF NOT EXISTS key_id UInt64,
      MODIFY ORDER BY (project_id, minute, category, outcome, reason, key_id)`,
  ],
};
