/** Error and message events, and what views make of them. */
import type { RowOf, TableRecord } from './record.ts';

export const tables = {
  /** One error or message event. Sort key: project_id, group_hash, timestamp. What is left out of a row is read from its payload. */
  errors: {
    filledBy: 'events',
    shardBy: 'project_id, group_hash',
    time: 'timestamp',
    age: 'timestamp',
    retention: 'errors',
    category: 'error',
    itemType: 'event',
    exported: 'explore',
    scrubbed: 'before',
    columns: {
      project_id: 'number',
      /** Primary hash, 32 hex digits. Whoever owns it in the state store is the event's issue. */
      group_hash: 'text',
      /** All hashes of the event, best first; the first is `group_hash`. */
      group_hashes: 'texts',
      grouping_version: 'text',
      timestamp: 'millis',
      received_at: 'millis',
      /** 32 lower-case hex digits. */
      event_id: 'text',
      level: 'text',
      platform: 'text',
      environment: 'text',
      release: 'text',
      dist: 'text',
      transaction: 'text',
      title: 'text',
      culprit: 'text',
      /** Log entry text, else ''. */
      message: 'text',
      error_type: 'text',
      error_value: 'text',
      /** Of performance problems that of their issue, e.g. `performance_slow_db_query`; '' for errors and messages. */
      issue_type: 'text',
      /** 1 handled, 0 unhandled, null not said. */
      handled: 'flag or null',
      mechanism: 'text',
      /** `id:…`, `username:…`, `email:…` or `ip:…`, the first that is known; '' for none. Counts users. */
      user: 'text',
      user_id: 'text',
      user_email: 'text',
      user_username: 'text',
      user_ip: 'text',
      /** Digits of a Next.js digest without its suffix; '' for none. */
      digest: 'text',
      /** 32 hex digits or ''. */
      trace_id: 'text',
      /** 16 hex digits or ''. */
      span_id: 'text',
      sdk_name: 'text',
      sdk_version: 'text',
      /** Tags, with those derived from contexts (`browser.name`, `os.name`, …), `server_name` and `url`. */
      tags: 'text by name',
      /** Scripts of frames that could not be mapped when it was processed: debug ids, and `~` with a path where there was none. */
      missing_scripts: 'texts',
      /** Number of its texts (`error_texts`), as a decimal text below 2^64; made of some of them where left out. */
      texts: 'hash?',
      /** The whole normalised, scrubbed, trimmed event as JSON text; '' where it lies in a segment. */
      payload: 'text',
      /** Where it lies (`ports/payloads`); 0 where it is in the row. */
      payload_segment: 'number?',
      payload_ordinal: 'number?',

      // Distinct values over the frames and the exceptions of an event.
      stack_filenames: 'texts?',
      stack_abs_paths: 'texts?',
      stack_functions: 'texts?',
      stack_modules: 'texts?',
      stack_packages: 'texts?',
      stack_lines: 'numbers?',
      stack_columns: 'numbers?',
      /** 1 where any frame is of the project's own code, 0 where any is not. */
      stack_in_app: 'flags?',
      error_types: 'texts?',
      error_values: 'texts?',
      error_mechanisms: 'texts?',
      /** Whether the thread that failed is the main one; null where nobody says. */
      error_main_thread: 'flag or null?',

      /**
       * The parts of the payload that are looked for beyond these columns, under the same paths: type, contexts, geo of the
       * user, method and headers of the request, spans of a problem. JSON text, `{}` for none.
       */
      facts: 'text?',
      /** So many events that a storm kept out: it was chosen among them, and counts for them as well. */
      stands_for: 'number?',
      /** Whom they met, as in `user`, each once. */
      sampled_users: 'texts?',
    },
  },
  /** Each distinct set of an issue's texts and frames, once a month. */
  error_texts: { filledBy: 'view', age: 'day', retention: 'errors' },
  /** An event symbolicated again after it was stored; the newest revision stands for what the event's own row has. */
  revisions: {
    filledBy: 'server',
    shardBy: 'project_id, event_id',
    age: 'timestamp',
    retention: 'errors',
    columns: {
      project_id: 'number',
      event_id: 'text',
      /** Of the event. */
      timestamp: 'millis',
      revised_at: 'millis',
      title: 'text',
      culprit: 'text',
      payload: 'text',
    },
  },
  issue_hours: { filledBy: 'view', age: 'hour', retention: 'errors' },
  // A row stands for events up to its end.
  issue_ranks: { filledBy: 'view', age: 'start + days', retention: 'errors' },
  issue_lives: { filledBy: 'view', age: 'day', retention: 'errors' },
} satisfies Record<string, TableRecord>;

export type ErrorRow = RowOf<typeof tables.errors>;
export type RevisionRow = RowOf<typeof tables.revisions>;

/** Distinct values over the frames and the exceptions of an event. */
export type StackColumns = Required<
  Pick<
    ErrorRow,
    | Extract<keyof ErrorRow, `stack_${string}`>
    | 'error_types'
    | 'error_values'
    | 'error_mechanisms'
    | 'error_main_thread'
  >
>;

/** With all that the engine would have to read from the payload: whoever makes an event knows it. */
export type WholeErrorRow = ErrorRow & StackColumns & Required<Pick<ErrorRow, 'texts' | 'facts'>>;
