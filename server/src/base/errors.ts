/**
 * Every error that a person or a client can meet: code → HTTP status and sentence. `docs/errors.md` explains each;
 * a test holds the two together. `%s` is filled in by `CodedError`.
 */
export const errors = {
  // Ingest
  ENVELOPE_MALFORMED: [400, 'the envelope is malformed: %s'],
  STORE_MALFORMED: [400, 'the event is malformed: %s'],
  SECURITY_REPORT_MALFORMED: [400, 'the security report is malformed: %s'],
  SECURITY_REPORT_TYPE: [
    415,
    'content type %s is no security report; send application/csp-report or application/reports+json',
  ],
  REPORT_INVALID: [400, 'the report is not valid: %s'],
  OTLP_MALFORMED: [400, 'the OTLP request is malformed: %s'],
  OTLP_CONTENT_TYPE: [415, 'content type %s is none of OTLP; send application/x-protobuf or application/json'],
  BODY_EMPTY: [400, 'the request body is empty'],
  BODY_TOO_LARGE: [413, 'the body is larger than the limit of %s bytes'],
  BODY_RATIO: [
    413,
    'the body decompresses to more than %s times its size, and to more than %s bytes; split it, or send it uncompressed',
  ],
  BODY_ENCODING: [400, 'the body could not be decompressed as %s: %s'],
  BODY_TIMEOUT: [408, 'the body did not arrive within %s seconds'],
  ITEM_TOO_LARGE: [413, 'an item of type %s has %s bytes, the limit is %s'],
  AUTH_MISSING: [401, 'no project key was sent: expected X-Sentry-Auth, ?sentry_key= or a dsn in the envelope header'],
  AUTH_MALFORMED: [400, 'the project key could not be read: %s'],
  AUTH_CONFLICT: [400, 'different project keys were sent in one request'],
  PROTOCOL_VERSION: [400, 'protocol version %s is not supported; use 7'],
  PROJECT_ID_INVALID: [400, 'project id "%s" is not a number'],
  KEY_UNKNOWN: [403, 'no project has this key; check the DSN'],
  KEY_DISABLED: [403, 'this key is disabled; enable it in the project settings or use another'],
  KEY_PROJECT_MISMATCH: [403, 'this key does not belong to project %s; check the DSN'],
  ORIGIN_NOT_ALLOWED: [403, 'origin %s is not among the allowed domains of the project'],
  RATE_LIMITED: [429, 'this key sends more than its limit; try again in %s seconds'],
  BLOB_QUOTA: [
    429,
    'this key took its %s bytes of attachments, replays and profiles of today (UTC); raise the limit in the project settings',
  ],
  INTERNAL_KEY: [403, "this key is for Culprit's own console, which sends errors, traces and sessions alone"],
  TOO_MANY_REPORTS: [429, 'this address sends too many reports; try again in %s seconds'],
  LOG_FULL: [503, 'the log is full; events are taken again as soon as it has room'],
  OVERLOADED: [503, 'too many large uploads are under way; try again in a few seconds'],

  // API
  AUTH_REQUIRED: [401, 'sign in, or send an API token as "Authorization: Bearer …"'],
  TOKEN_INVALID: [401, 'this API token is not valid; it may have been deleted'],
  TOKEN_EXPIRED: [
    401,
    'this API token expired on %s; make a new one under Settings, API tokens, or with "culprit token create"',
  ],
  SCOPE_MISSING: [403, 'this token lacks the scope %s'],
  METRICS_CLOSED: [
    401,
    'metrics are for this machine and for API tokens with org:read; send "Authorization: Bearer …", or set CULPRIT_METRICS=public',
  ],
  RULE_NOT_YOURS: [
    403,
    'only %s can change, disable, mute for everyone or delete this rule; you can mute it for yourself',
  ],
  PERMISSION_DENIED: [403, 'your role does not allow this; ask an owner of the organisation'],
  ROLE_TOO_HIGH: [403, 'only an owner can %s; ask %s'],
  LAST_OWNER: [409, '%s is the only owner of the organisation; make someone else an owner first'],
  MEMBER_EXISTS: [409, '%s is a member already'],
  ACCOUNT_EXISTS: [409, 'there is an account with the address %s already; sign in with it and open the link again'],
  INVITATION_FOR_OTHER: [
    403,
    'this invitation is for %s, and you are signed in as %s; sign out, then open the link again',
  ],
  INVITATION_GONE: [410, 'this invitation does not work any more: %s; ask for a new one'],
  SIGN_IN_LIMITED: [429, 'too many wrong tries; try again in %s seconds'],
  SIGN_IN_BUSY: [429, 'too many people sign in at this moment; try again in %s seconds'],
  PASSWORD_COMMON: [
    400,
    'this password is one of the first that an attacker tries: %s; take several words that do not belong together, or one that a password manager makes',
  ],
  SETUP_SECRET: [
    403,
    'setting up needs the link that this server printed when it started: look in its terminal or log, let "culprit doctor" print it again, or set up with "culprit init"',
  ],
  HOST_NOT_ALLOWED: [
    403,
    'this server does not take sign-ins under the name "%s"; if the name is yours, make it that of CULPRIT_URL or add it to CULPRIT_ALLOWED_HOSTS, and start the server again',
  ],
  ORIGIN_MISMATCH: [403, 'the request comes from another site'],
  INPUT_INVALID: [400, '%s'],
  QUERY_INVALID: [400, '%s'],
  QUERY_TOO_EXPENSIVE: [
    400,
    '%s has to be looked for inside of events, and the rest of the search leaves more than %s of them; add a release, a tag or words, or choose a shorter time or fewer projects',
  ],
  RULES_INVALID: [400, '%s'],
  CURSOR_INVALID: [400, 'the cursor is not one that this list gave out'],
  NOT_FOUND: [404, '%s not found'],
  SLUG_TAKEN: [409, '%s is taken; choose another'],
  SETUP_DONE: [409, 'this installation is set up already; sign in instead'],
  ATTACHMENT_NOT_STORED: [404, '%s'],
  ENGINE_UNAVAILABLE: [
    503,
    'the events store does not answer at the moment; incoming events are kept and nothing is lost',
  ],
  QUERY_TIMEOUT: [504, 'the query took longer than %s seconds; narrow the time range or the filter'],
  TOO_MANY_READS: [429, '%s of your questions wait already; try again in a moment'],
  WATCHES_FULL: [409, 'you watch %s digests already; remove one first'],
  EXPORTS_FULL: [409, '%s of your exports are under way already; wait for one, or cancel it'],
  BULK_FULL: [429, '%s of your changes are under way already; wait for one, or stop it'],
  UNDO_REFUSED: [409, 'this cannot be taken back: %s'],
  SEARCHES_FULL: [409, 'you have saved %s searches already; delete one first'],
  ALERT_RULES_FULL: [409, 'the organisation has %s alert rules already; delete some first'],
  CHUNK_INVALID: [400, 'chunk %s cannot be taken: %s'],
  CHUNKS_FULL: [
    429,
    'unfinished uploads of the organisation hold %s MiB, the most they may; finish them, or wait: they are deleted after %s hours (CULPRIT_MAX_UNASSEMBLED_BYTES)',
  ],
  MERGE_REFUSED: [409, 'these issues cannot be merged or taken apart: %s'],
  PREVIEWS_FULL: [429, 'enough previews are under way; try again when one of them is done'],
  DELIVERY_UNDER_WAY: [409, 'this delivery is not over yet'],
  INTERNAL: [500, 'something went wrong on the server; its log has the details under this digest'],

  // Start and ports
  CONFIG_INVALID: [500, '%s'],
  BLOB_KEY_INVALID: [400, 'blob key "%s" is not valid'],
  DATA_DIR_IN_USE: [500, 'the data directory %s is in use by another Culprit (process %s)'],
  DATA_DIR_UNUSABLE: [500, 'the data directory %s cannot be used: %s'],
  KEY_UNUSABLE: [500, 'the key in %s cannot be used: %s'],
  KEY_OTHER: [
    500,
    'the secrets in the state store are sealed with another key (%s) than that in %s (%s); set the same CULPRIT_SECRET on every node, or give each a copy of the same key file. Is that key lost, "culprit key adopt" goes on with this one',
  ],
  LISTEN_FAILED: [500, 'cannot listen on %s, port %s: %s'],
  STATE_UNAVAILABLE: [503, 'the state store cannot be reached: %s'],
  NOT_READY: [503, 'not ready: %s'],
  CONSOLE_NOT_BUILT: [503, 'the console is not built; run "npm run build"'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof errors;

/** Former names of codes; answers carry them as `aliases` for two minor versions. */
export const formerCodes: Partial<Record<ErrorCode, readonly string[]>> = {
  QUERY_TOO_EXPENSIVE: ['QUERY_TOO_DEAR'],
};

/** An expected trouble with a code of the table above; `message` is the filled-in sentence. */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    values: readonly (string | number)[] = [],
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    const [status, sentence] = errors[code];
    let next = 0;
    super(
      sentence.replaceAll('%s', () => String(values[next++] ?? '')),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}
