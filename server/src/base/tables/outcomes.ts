import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /** Fate of items: one row per project, key, minute, category, outcome and reason of a batch. */
  outcomes: {
    filledBy: 'server',
    shardBy: 'project_id, minute, category',
    age: 'minute',
    retention: 'other',
    columns: {
      project_id: 'number',
      /** With which it was sent; 0 where that is not known. */
      key_id: 'number?',
      /** Start of the minute. */
      minute: 'millis',
      category: 'text',
      /** accepted, filtered, rate_limited, invalid, client_discard. */
      outcome: 'text',
      /** '' for accepted. */
      reason: 'text',
      quantity: 'number',
    },
  },
} satisfies Record<string, TableRecord>;

export type OutcomeRow = RowOf<typeof tables.outcomes>;
