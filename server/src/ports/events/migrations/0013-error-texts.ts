import type { Migration } from './migration.ts';

/** What free text and the keys of stacks look at; the same for most events of an issue. */
const scalars = ['title', 'message', 'culprit', 'error_type', 'error_value'];
const arrays = [
  'error_types',
  'error_values',
  'error_mechanisms',
  'stack_filenames',
  'stack_functions',
  'stack_modules',
  'stack_packages',
];
const columns = [...scalars, ...arrays];

/**
 * Each set of texts once a month, under a number that its events carry: a search by words or by stack looks at a few
 * hundred thousand sets, and at the events by a number, instead of at every frame of every event.
 *
 * Events that were stored before have their number from the texts alone, and of all of a number the stack of one stands
 * for the others: making it of every stack would read all payloads.
 */
export const migration: Migration = {
  id: 13,
  name: 'error texts',
  statements: ({ onCluster, engine, settings }) => [
    `ALTER TABLE errors${onCluster}
      ADD COLUMN IF NOT EXISTS texts UInt64 DEFAULT sipHash64(project_id, group_hash, title, message, culprit, error_value) CODEC(ZSTD(1))`,
    // Before it is read below: an expression that is evaluated while rows are filtered gives other numbers.
    `ALTER TABLE errors${onCluster} MATERIALIZE COLUMN texts SETTINGS mutations_sync = 2`,
    `CREATE TABLE IF NOT EXISTS error_texts${onCluster} (
      project_id UInt64,
      texts UInt64,
      day Date,
      ${scalars.map((name) => `${name} LowCardinality(String)`).join(',\n      ')},
      ${arrays.map((name) => `${name} Array(LowCardinality(String)) CODEC(ZSTD(1))`).join(',\n      ')}
    )
    ENGINE = ${engine('Replacing', 'day')}
    PARTITION BY toYYYYMM(day)
    ORDER BY (project_id, texts)
    SETTINGS ${settings({ index_granularity: 2048 })}`,
    // A start that broke off after this is repeated whole.
    `TRUNCATE TABLE error_texts${onCluster}`,
    ...Array.from({ length: 16 }, (_, slice) => textsOfErrors(slice.toString(16))),
    `CREATE MATERIALIZED VIEW IF NOT EXISTS error_texts_of_errors${onCluster} TO error_texts AS
    SELECT project_id, texts, max(toDate(timestamp, 'UTC')) AS day, ${columns.map((name) => `any(${name}) AS ${name}`).join(', ')}
    FROM errors
    GROUP BY project_id, texts, toYYYYMM(timestamp)`,
  ],
};

/** Of one event for each number, a sixteenth of the issues at a time. */
const textsOfErrors = (firstDigit: string): string =>
  `INSERT INTO error_texts (project_id, texts, day, ${columns.join(', ')})
    SELECT project_id, texts, toDate(timestamp, 'UTC'), ${columns.join(', ')}
    FROM errors
    PREWHERE startsWith(group_hash, '${firstDigit}') AND event_id IN (
      SELECT argMax(event_id, timestamp) FROM errors WHERE startsWith(group_hash, '${firstDigit}')
      GROUP BY project_id, texts, toYYYYMM(timestamp)
    )
    SETTINGS max_threads = 1, max_insert_threads = 1, max_block_size = 8192, min_insert_block_size_rows = 65536, min_insert_block_size_bytes = 16777216`;
