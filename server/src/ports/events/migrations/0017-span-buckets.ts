import type { Migration } from './migration.ts';

/**
 * A question about one attribute reads an eighth of them, as one about a tag of an error reads a sixteenth. Only parts of
 * a file for each column are read so, which merged ones are from 16 MiB on; `numbers` has too few to be worth it.
 * What is stored is sorted into buckets when it is merged the next time.
 */
export const migration: Migration = {
  id: 17,
  name: 'span buckets',
  statements: ({ onCluster }) =>
    ['spans', 'logs'].map(
      (table) =>
        `ALTER TABLE ${table}${onCluster} MODIFY SETTING map_serialization_version = 'with_buckets',
          map_buckets_strategy = 'constant', max_buckets_in_map = 8, map_buckets_min_avg_size = 4,
          min_bytes_for_wide_part = 16777216`,
    ),
};
