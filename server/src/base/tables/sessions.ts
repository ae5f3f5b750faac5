/** Sessions, and what a view makes of them. */
import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /** One update of a session, or sessions that their sender has counted. Rows of one key are merged into one. */
  sessions: {
    filledBy: 'items',
    shardBy: 'project_id, session',
    time: 'minute',
    age: 'minute',
    retention: 'sessions',
    category: 'session',
    itemType: 'session',
    // Hashes and parts of counts: release health says what they come to.
    exported: 'no',
    scrubbed: 'before',
    columns: {
      project_id: 'number',
      /** In which it started; start of the minute. */
      minute: 'millis',
      environment: 'text',
      release: 'text',
      /** Hash of its id (or of the user, where sessions were counted) as a decimal text below 2^64. */
      session: 'hash',
      /** 1 ok, 2 exited, 3 errored, 4 unhandled, 5 abnormal, 6 crashed; 0 where sessions were counted. The greatest counts. */
      status: 'number',
      /** At least 1 of those that ended, 0 of others. */
      duration_ms: 'number',
      /** Hash of who used the application as a decimal text below 2^64; '0' for nobody known. */
      user: 'hash',
      /** Counted sessions by how they ended, each in one of them; 0 in rows of a single session. */
      exited: 'number',
      errored: 'number',
      unhandled: 'number',
      abnormal: 'number',
      crashed: 'number',
      received_at: 'millis',
    },
  },
  session_hours: { filledBy: 'view', age: 'hour', retention: 'sessions' },
} satisfies Record<string, TableRecord>;

export type SessionRow = RowOf<typeof tables.sessions>;
