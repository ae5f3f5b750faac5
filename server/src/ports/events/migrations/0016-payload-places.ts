import type { Migration } from './migration.ts';

/** Where an event's payload lies when its row does not have it. All rows of a batch have one segment, and follow each other. */
export const migration: Migration = {
  id: 16,
  name: 'payload places',
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster}
      ADD COLUMN IF NOT EXISTS payload_segment UInt64 CODEC(ZSTD(1)),
      ADD COLUMN IF NOT EXISTS payload_ordinal UInt32 CODEC(ZSTD(1))`,
  ],
};
