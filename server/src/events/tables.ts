/** Rows as they are inserted. Column names are the wire's: snake_case. Migrations of the same names stand in `migrations/`. */

/** ms since the epoch; written as DateTime64(3, 'UTC'). */
export type Millis = number;

/** Distinct values over the frames and the exceptions of an event. */
export interface StackColumns {
  stack_filenames: string[];
  stack_abs_paths: string[];
  stack_functions: string[];
  stack_modules: string[];
  stack_packages: string[];
  stack_lines: number[];
  stack_columns: number[];
  /** 1 where any frame is of the project's own code, 0 where any is not. */
  stack_in_app: (0 | 1)[];
  error_types: string[];
  error_values: string[];
  error_mechanisms: string[];
  /** Whether the thread that failed is the main one; null where nobody says. */
  error_main_thread: 0 | 1 | null;
}

/** One error or message event. Sort key: project_id, group_hash, timestamp. What is left out of its frames is read from the payload. */
export interface ErrorRow extends Partial<StackColumns> {
  project_id: number;
  /** Primary hash, 32 hex digits. Whoever owns it in the state store is the event's issue. */
  group_hash: string;
  /** All hashes of the event, best first; the first is `group_hash`. */
  group_hashes: string[];
  grouping_version: string;
  timestamp: Millis;
  received_at: Millis;
  /** 32 lower-case hex digits. */
  event_id: string;
  level: string;
  platform: string;
  environment: string;
  release: string;
  dist: string;
  transaction: string;
  title: string;
  culprit: string;
  /** Log entry text, else ''. */
  message: string;
  error_type: string;
  error_value: string;
  /** Of performance problems that of their issue, e.g. `performance_slow_db_query`; '' for errors and messages. */
  issue_type: string;
  /** 1 handled, 0 unhandled, null not said. */
  handled: 0 | 1 | null;
  mechanism: string;
  /** `id:…`, `username:…`, `email:…` or `ip:…`, the first that is known; '' for none. Counts users. */
  user: string;
  user_id: string;
  user_email: string;
  user_username: string;
  user_ip: string;
  /** Digits of a Next.js digest without its suffix; '' for none. */
  digest: string;
  /** 32 hex digits or ''. */
  trace_id: string;
  /** 16 hex digits or ''. */
  span_id: string;
  sdk_name: string;
  sdk_version: string;
  /** Tags, with those derived from contexts (`browser.name`, `os.name`, …), `server_name` and `url`. */
  tags: Record<string, string>;
  /** Scripts of frames that could not be mapped when it was processed: debug ids, and `~` with a path where there was none. */
  missing_scripts: string[];
  /** Number of its texts (`error_texts`), as a decimal text below 2^64; made of some of them where left out. */
  texts?: string;
  /** The whole normalised, scrubbed, trimmed event as JSON text. */
  payload: string;
}

/** An event symbolicated again after it was stored; the newest revision stands for what the event's own row has. */
export interface RevisionRow {
  project_id: number;
  event_id: string;
  /** Of the event. */
  timestamp: Millis;
  revised_at: Millis;
  title: string;
  culprit: string;
  payload: string;
}

/** µs since the epoch, a safe integer; written as DateTime64(6, 'UTC'). */
export type Micros = number;

/**
 * One span of a trace, whatever sent it: a transaction with its spans, a span alone, a span container, OpenTelemetry.
 * Names of attributes are OpenTelemetry's semantic conventions; older names are mapped onto them.
 */
export interface SpanRow {
  project_id: number;
  /** 32 lower-case hex digits. */
  trace_id: string;
  /** 16 lower-case hex digits. */
  span_id: string;
  /** '' for none. */
  parent_span_id: string;
  /** Span id of the segment, the root span of one service; '' where it is not known. */
  segment_id: string;
  is_segment: 0 | 1;
  started_at: Micros;
  /** At least 0. */
  duration_us: number;
  /** Duration without what the children cover; -1 where the children are not known. */
  exclusive_us: number;
  received_at: Millis;
  /** `http.server`, `db`, `ui.webvital.lcp`, …; made from attributes where the sender has none. */
  op: string;
  /** As sent, at most 2,000 characters: the description of old spans, the name of new ones. */
  name: string;
  /** For grouping: without literals and ids. */
  description: string;
  /** 16 hex digits of the description and the family of its op; '' where there is no description. */
  description_hash: string;
  /** Name of the segment; '' where it is not known. */
  transaction: string;
  /** custom, url, route, view, component, task or ''. */
  transaction_source: string;
  /** '' for none said, ok, or how it failed: internal_error, not_found, … */
  status: string;
  /** 1 for each status but ok, cancelled, unknown and ''. */
  failed: 0 | 1;
  /** server, client, producer, consumer, internal or ''. */
  kind: string;
  origin: string;
  /** `service.name`, else the name of the server, else ''. */
  service: string;
  platform: string;
  environment: string;
  release: string;
  dist: string;
  /** As of errors. */
  user: string;
  sdk_name: string;
  sdk_version: string;
  /** Text values, lists and objects as JSON: at most 250 of at most 2,000 characters. */
  attributes: Record<string, string>;
  /** Numeric attributes and measurements: lcp, inp, fcp, ttfb in ms, cls, http.response.status_code, … */
  numbers: Record<string, number>;
  /** JSON `[{trace_id, span_id, attributes}]`, '' for none. */
  links: string;
  /** JSON `[{name, at_us, attributes}]`, '' for none. */
  events: string;
  /** JSON of what was changed or cut, '' for nothing. */
  remarks: string;
}

/** One log record, of a Sentry SDK or of OpenTelemetry. Names of attributes as of spans. */
export interface LogRow {
  project_id: number;
  /** When it was written. */
  timestamp: Micros;
  /** Orders the logs of one moment: what the sender says first, then the place in its request. */
  sequence: number;
  /** When whoever collected it saw it; the timestamp where nobody says. */
  observed_at: Micros;
  received_at: Millis;
  /** 32 lower-case hex digits or ''. */
  trace_id: string;
  /** 16 lower-case hex digits or ''. */
  span_id: string;
  /** trace, debug, info, warn, error or fatal. */
  level: string;
  /** OpenTelemetry's, 1 to 24; 0 where the sender names no severity. */
  severity_number: number;
  /** At most 16,384 characters; a body that is no text as JSON. */
  body: string;
  origin: string;
  /** `service.name`, else the name of the server, else ''. */
  service: string;
  environment: string;
  release: string;
  sdk_name: string;
  sdk_version: string;
  /** As of spans. */
  attributes: Record<string, string>;
  numbers: Record<string, number>;
  /** JSON of what was changed or cut, '' for nothing. */
  remarks: string;
}

/** One update of a session, or sessions that their sender has counted. Rows of one key are merged into one. */
export interface SessionRow {
  project_id: number;
  /** In which it started; start of the minute. */
  minute: Millis;
  environment: string;
  release: string;
  /** Hash of its id (or of the user, where sessions were counted) as a decimal text below 2^64. */
  session: string;
  /** 1 ok, 2 exited, 3 errored, 4 unhandled, 5 abnormal, 6 crashed; 0 where sessions were counted. The greatest counts. */
  status: number;
  /** At least 1 of those that ended, 0 of others. */
  duration_ms: number;
  /** Hash of who used the application as a decimal text below 2^64; '0' for nobody known. */
  user: string;
  /** Counted sessions by how they ended, each in one of them; 0 in rows of a single session. */
  exited: number;
  errored: number;
  unhandled: number;
  abnormal: number;
  crashed: number;
  received_at: Millis;
}

/** Fate of items: one row per project, minute, category, outcome and reason of a batch. */
export interface OutcomeRow {
  project_id: number;
  /** Start of the minute. */
  minute: Millis;
  category: string;
  /** accepted, filtered, rate_limited, invalid, client_discard. */
  outcome: string;
  /** '' for accepted. */
  reason: string;
  quantity: number;
}

/** An item kept as it came: of a type that no part shows yet, unknown, or one that could not be processed. */
export interface ItemRow {
  project_id: number;
  received_at: Millis;
  item_type: string;
  category: string;
  outcome: string;
  reason: string;
  /** What went wrong, in words; '' for accepted. */
  detail: string;
  /** Event id of the envelope, '' for none. */
  event_id: string;
  /** Item headers as JSON text. */
  headers: string;
  size_bytes: number;
  /** Scrubbed text; '' where the payload is in the blob store. */
  payload: string;
  /** Key in the blob store (binary or large payloads), '' for none. */
  blob_key: string;
}

export interface TableRows {
  errors: ErrorRow;
  spans: SpanRow;
  logs: LogRow;
  sessions: SessionRow;
  revisions: RevisionRow;
  outcomes: OutcomeRow;
  items: ItemRow;
}
