import type { Migration } from './migration.ts';

/**
 * Events of a trace are found by a filter of each granule instead of one of sixteen, which are hardly larger: a trace is in few
 * of them. At 10 million events the others of ten traces took 40 ms of processor to find, and take 15.
 */
export const migration: Migration = {
  id: 21,
  name: 'error traces',
  reads: ['errors'],
  statements: ({ onCluster }) => [
    `ALTER TABLE errors${onCluster} ADD INDEX IF NOT EXISTS trace_index trace_id TYPE bloom_filter(0.001) GRANULARITY 1`,
    `ALTER TABLE errors${onCluster} MATERIALIZE INDEX trace_index SETTINGS mutations_sync = 2`,
    `ALTER TABLE errors${onCluster} DROP INDEX IF EXISTS trace_id_index`,
  ],
};
