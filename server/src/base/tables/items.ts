import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /** An item kept as it came: of a type that no part shows yet, unknown, or one that could not be processed. */
  items: {
    filledBy: 'server',
    shardBy: 'project_id, received_at, event_id',
    age: 'received_at',
    retention: 'attachments',
    columns: {
      project_id: 'number',
      received_at: 'millis',
      item_type: 'text',
      category: 'text',
      outcome: 'text',
      reason: 'text',
      /** What went wrong, in words; '' for accepted. */
      detail: 'text',
      /** Event id of the envelope, '' for none. */
      event_id: 'text',
      /** Item headers as JSON text. */
      headers: 'text',
      size_bytes: 'number',
      /** Scrubbed text; '' where the payload is in the blob store. */
      payload: 'text',
      /** Key in the blob store (binary or large payloads), '' for none. */
      blob_key: 'text',
    },
  },
} satisfies Record<string, TableRecord>;

export type ItemRow = RowOf<typeof tables.items>;
