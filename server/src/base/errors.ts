/**
 * Every error that a person or a client can meet: code → HTTP status and sentence. `docs/errors.md` explains each;
 * a test holds the two together. `%s` is filled in by `CodedError`.
 */
export const errors = {
  // Ingest
  ENVELOPE_MALFORMED: [400, 'The envelope is malformed: %s.'],
  STORE_MALFORMED: [400, 'The event is malformed: %s.'],
  SECURITY_REPORT_MALFORMED: [400, 'The security report is malformed: %s.'],
  SECURITY_REPORT_TYPE: [
    415,
    'Content type %s is not supported for security reports. Send application/csp-report or application/reports+json.',
  ],
  REPORT_INVALID: [400, 'The user report is not valid: %s.'],
  OTLP_MALFORMED: [400, 'The OTLP request is malformed: %s.'],
  OTLP_CONTENT_TYPE: [
    415,
    'Content type %s is not supported for OTLP. Send application/x-protobuf or application/json.',
  ],
  BODY_EMPTY: [400, 'The request body is empty.'],
  BODY_TOO_LARGE: [413, 'The request body exceeds the limit of %s bytes.'],
  BODY_RATIO: [
    413,
    'The body decompresses to more than %s times its size and %s bytes. Send less per request, or send it uncompressed.',
  ],
  BODY_ENCODING: [400, 'The body could not be decompressed as %s: %s.'],
  BODY_TIMEOUT: [408, 'The body did not arrive within %s seconds.'],
  ITEM_TOO_LARGE: [413, 'An item of type %s has %s bytes. The limit is %s.'],
  AUTH_MISSING: [
    401,
    'The request has no project key. Send X-Sentry-Auth, ?sentry_key= or a dsn in the envelope header.',
  ],
  AUTH_MALFORMED: [400, 'The project key is not valid: %s.'],
  AUTH_CONFLICT: [400, 'The request contains different project keys. Send one.'],
  PROTOCOL_VERSION: [400, 'Protocol version %s is not supported. Use version 7.'],
  PROJECT_ID_INVALID: [400, 'The project ID "%s" is not a number.'],
  KEY_UNKNOWN: [403, 'The project key is unknown. Check the DSN.'],
  KEY_DISABLED: [403, 'This project key is disabled. Enable it in the project settings, or use another one.'],
  KEY_PROJECT_MISMATCH: [
    403,
    'This key does not belong to project %s. Check the DSN. An ID from another tracker must be added to the project first.',
  ],
  ORIGIN_NOT_ALLOWED: [403, 'The origin %s is not an allowed domain of the project.'],
  RATE_LIMITED: [429, 'This key exceeded its rate limit. Try again in %s seconds.'],
  BLOB_QUOTA: [
    429,
    'This key used its daily quota of %s bytes for attachments, replays and profiles. Raise it in the project settings.',
  ],
  QUOTA_EXCEEDED: [429, 'This %s used its quota of %s per %s. It starts again at %s.'],
  INTERNAL_KEY: [403, 'This key belongs to the Culprit console. It accepts errors, traces and sessions only.'],
  TOO_MANY_REPORTS: [429, 'This address sends too many reports. Try again in %s seconds.'],
  MIRROR_LOOP: [
    403,
    'This request comes from a mirror of this installation, or went through too many mirrors. Change where that mirror leads.',
  ],
  LOG_FULL: [503, 'The log is full. Events are accepted again when it has room.'],
  KEYS_UNAVAILABLE: [
    503,
    'The project key cannot be checked: the state store is not available. Try again in %s seconds.',
  ],
  LOG_UNAVAILABLE: [503, 'The log is not available: %s.'],
  OVERLOADED: [503, 'Too many large uploads are in progress. Try again in a few seconds.'],

  // API
  AUTH_REQUIRED: [401, 'Sign in, or send an API token as "Authorization: Bearer …".'],
  TOKEN_INVALID: [401, 'This API token is not valid. It may have been deleted.'],
  TOKEN_EXPIRED: [
    401,
    'This API token expired on %s. Create a new one in Settings, API tokens, or with "culprit token create".',
  ],
  ACCESS_EXPIRED: [401, 'This access token has expired. Renew it with its refresh token.'],
  OAUTH_INVALID: [400, '%s.'],
  OAUTH_CLIENT_UNKNOWN: [
    400,
    'The app that sent you here is not registered. Remove this server from it, add it again, then retry.',
  ],
  OAUTH_REDIRECT_UNKNOWN: [
    400,
    'The app asks to send you to an address that it did not register. You stay here, and nothing was granted.',
  ],
  OAUTH_GRANT_GONE: [400, 'The %s is not valid. It expired, was used, or was revoked. Authorize the app again.'],
  OAUTH_CLIENTS_FULL: [429, 'Too many apps registered today. Try again tomorrow, or use an API token.'],
  OAUTH_DEVICES_FULL: [429, 'Too many devices are waiting to be authorized. Try again in 10 minutes.'],
  OAUTH_DEVICE_UNKNOWN: [
    404,
    'No device waits with this code. Codes work once, for 10 minutes. Compare it with the device, or start again there.',
  ],
  INCOMING_UNKNOWN: [404, 'No incoming webhook has this address. Copy it from Settings, Webhooks.'],
  INCOMING_UNSIGNED: [401, 'The request was not accepted: %s.'],
  INCOMING_DISABLED: [403, 'This incoming webhook is disabled. Enable it in Settings, Webhooks.'],
  INCOMING_LIMITED: [429, 'Too many requests. Try again in %s seconds.'],
  INCOMING_BUSY: [503, 'Too many webhooks of this organisation are waiting. Send this one again in %s seconds.'],
  OAUTH_LIMITED: [429, 'Too many requests. Try again in %s seconds.'],
  SCOPE_MISSING: [403, 'This token needs the scope %s.'],
  METRICS_CLOSED: [
    401,
    'Metrics need an API token with org:read, or CULPRIT_METRICS=public. Requests from this machine need neither.',
  ],
  RULE_NOT_YOURS: [
    403,
    'Only %s can change, disable, delete or mute this rule for everyone. You can mute it for yourself.',
  ],
  TEAM_NOT_YOURS: [403, 'You can change only your own teams and their members. Ask an admin or owner.'],
  ADDRESS_NOT_ALLOWED: [
    403,
    'This organisation cannot be used from your address, %s. Use an allowed network, or ask an owner to allow it.',
  ],
  ADDRESS_LOCKS_OUT: [409, 'Your own address, %s, is not in the list. Add it, or you would lock yourself out.'],
  SHARE_LINKS_OFF: [403, 'Share links are off in this organisation. An owner can turn them on in Settings, Security.'],
  SHARE_LINK_PAUSED: [403, 'The organisation has turned share links off. Ask who sent you this link.'],
  PERMISSION_DENIED: [403, 'Your role does not allow this. Ask an owner of the organisation.'],
  SECOND_FACTOR_REQUIRED: [403, '%s requires a second factor. Set one up in My account, or verify your code there.'],
  DEMAND_NOT_MET: [409, 'Your own session has not shown %s. Do that first, then require it of members.'],
  PROVIDER_REQUIRED: [403, '%s requires you to sign in with its provider. Sign out, then sign in with it.'],
  REMOTE_API: [502, 'The other server could not be read at %s: %s.'],
  DOMAIN_TAKEN: [409, 'Another provider of this installation has the domain %s. Remove it there first.'],
  PROVIDER_DEMANDED: [409, 'Members must sign in through %s. Stop requiring it before you disable or delete it.'],
  PROVIDER_NOT_SHOWN: [409, 'Sign in through %s first. Otherwise this would lock you out.'],
  ROLE_TOO_HIGH: [403, 'Only %s can %s. Ask %s.'],
  QUOTA_EXISTS: [409, 'There is already a quota of %s per %s for this %s. Change that one.'],
  LAST_OWNER: [409, '%s is the only owner of the organisation. Make another member an owner first.'],
  MEMBER_EXISTS: [409, '%s is already a member.'],
  ACCOUNT_EXISTS: [409, 'An account with the address %s already exists. Sign in with it and open the link again.'],
  INVITATION_FOR_OTHER: [
    403,
    'This invitation is for %s, but you are signed in as %s. Sign out, then open the link again.',
  ],
  INVITATION_GONE: [410, 'This invitation is no longer valid: %s. Request a new one.'],
  SIGN_IN_LIMITED: [429, 'Too many failed attempts. Try again in %s seconds.'],
  PASSWORD_WRONG: [403, 'The password is wrong.'],
  CODE_WRONG: [403, 'The code is wrong or was used already. Enter the next code from your app, or a recovery code.'],
  SIGN_IN_EXPIRED: [401, 'This sign-in has expired. Enter your password again.'],
  SIGN_IN_AGAIN: [403, 'This needs a recent sign-in. Sign in again, then retry within 10 minutes.'],
  PASSKEY_REFUSED: [400, 'The passkey was not accepted. Try again, or use another one.'],
  PASSKEYS_FULL: [409, 'You already have %s passkeys. Delete one first.'],
  PASSKEYS_UNAVAILABLE: [
    409,
    'Passkeys need https and a host name, or localhost. This installation is configured as %s; set CULPRIT_URL.',
  ],
  LAST_WAY_IN: [409, 'This is your only way to sign in. Add a passkey or set a password first.'],
  SECOND_FACTOR_ON: [409, 'Two-factor authentication is already on.'],
  SECOND_FACTOR_OFF: [409, 'Two-factor authentication is off. Set it up first.'],
  SESSION_REQUIRED: [403, 'An API token cannot manage an account. Sign in instead.'],
  ACCOUNT_LAST_OWNER: [
    409,
    'You are the only owner of %s. Make another member an owner in Settings, Members, then delete your account.',
  ],
  LINK_GONE: [
    410,
    'This link is no longer valid. Links work once, for 30 minutes, and a newer link replaces an older one. Request a new one.',
  ],
  LINKS_LIMITED: [429, 'Too many links were requested. Try again in %s seconds.'],
  MAIL_OFF: [
    409,
    'This installation cannot send mail. On the host, an owner can set CULPRIT_SMTP_URL, or a password with "culprit user password".',
  ],
  SIGN_IN_BUSY: [429, 'Too many people are signing in. Try again in %s seconds.'],
  PASSWORD_COMMON: [
    400,
    'This password is too easy to guess: %s. Use several unrelated words, or generate one with a password manager.',
  ],
  SETUP_SECRET: [
    403,
    'Setup needs the link that the server printed at startup. Run "culprit doctor" to print it again, or use "culprit init".',
  ],
  HOST_NOT_ALLOWED: [
    403,
    'Sign-in is not allowed under the host name "%s". Set CULPRIT_URL or CULPRIT_ALLOWED_HOSTS, then restart the server.',
  ],
  ORIGIN_MISMATCH: [403, 'The request comes from another site.'],
  INPUT_INVALID: [400, '%s.'],
  QUERY_INVALID: [400, '%s'],
  QUERY_TOO_EXPENSIVE: [
    400,
    '%s requires reading more than %s events. Add a release, a tag or words, or narrow the time range or projects.',
  ],
  RULES_INVALID: [400, '%s.'],
  CURSOR_INVALID: [400, 'The cursor is not valid for this list.'],
  NOT_FOUND: [404, '%s not found.'],
  FEATURE_ABSENT: [404, 'Culprit has no %s.'],
  ROLE_MISSING: [404, 'This node does not have the role %s. Send the request to a node that has it (CULPRIT_ROLE).'],
  IMPORT_STOPPED: [502, 'The import stopped: %s.'],
  IMPORT_UNDER_WAY: [409, 'Import %s is still in progress. Wait for it, or run "culprit import cancel".'],
  SLUG_TAKEN: [409, '%s is already in use. Choose another.'],
  SETUP_DONE: [409, 'This installation is already set up. Sign in instead.'],
  ATTACHMENT_NOT_STORED: [404, '%s.'],
  ENGINE_UNAVAILABLE: [503, 'The events store is not responding. Incoming events are queued, and none are lost.'],
  QUERY_TIMEOUT: [504, 'The query took longer than %s seconds. Narrow the time range or the filter.'],
  MCP_LIMITED: [429, 'This token calls the MCP server too often. Try again in %s seconds.'],
  SLACK_REFUSED: [400, '%s.'],
  SLACK_UNREACHABLE: [502, 'Slack could not be reached: %s.'],
  SLACK_LIMITED: [429, 'Too many requests to or from Slack. Try again in %s seconds.'],
  SLACK_NOT_CONNECTED: [409, 'The Slack app is not connected. Connect it in Settings, Channels.'],
  SLACK_SIGNATURE: [401, 'This request is not from the Slack app of this organisation: %s.'],
  TOO_MANY_READS: [429, 'You already have %s queries waiting. Try again in a few seconds.'],
  WATCHES_FULL: [409, 'You already watch %s digests. Remove one first.'],
  EXPORTS_FULL: [409, 'You already have %s exports in progress. Wait for one to finish, or cancel it.'],
  ERASURES_FULL: [
    429,
    'An organisation can have %s requests to erase open at a time, and %s within a day. Cancel one, or try again later.',
  ],
  ERASURE_STATE: [409, 'The request cannot be changed like this: it is in the state "%s".'],
  ERASURE_REFUSED: [409, 'Nothing was erased: %s.'],
  PROJECT_HELD: [409, 'Nothing of this project can be deleted. %s.'],
  BULK_FULL: [429, 'You already have %s bulk changes in progress. Wait for one to finish, or stop it.'],
  UNDO_REFUSED: [409, 'This cannot be undone: %s.'],
  SEARCHES_FULL: [409, 'You already have %s saved searches. Delete one first.'],
  ALERT_RULES_FULL: [409, 'The organisation already has %s alert rules. Delete one first.'],
  CHUNK_INVALID: [400, 'Chunk %s is not valid: %s.'],
  CHUNKS_FULL: [
    429,
    'Unfinished uploads of the organisation reached %s MiB (CULPRIT_MAX_UNASSEMBLED_BYTES). Finish them, or wait: they expire after %s hours.',
  ],
  MERGE_REFUSED: [409, 'These issues cannot be merged or unmerged: %s.'],
  PREVIEWS_FULL: [429, 'Too many previews are running. Try again when one of them finishes.'],
  DELIVERY_UNDER_WAY: [409, 'This delivery is still in progress.'],
  INTERNAL: [500, 'Something went wrong on the server. Search its log for this digest.'],

  // Start and ports
  CONFIG_INVALID: [500, '%s.'],
  BLOB_KEY_INVALID: [400, 'The blob key "%s" is not valid.'],
  DATA_DIR_IN_USE: [500, 'The data directory %s is in use by another Culprit process (%s).'],
  DATA_DIR_UNUSABLE: [500, 'The data directory %s is not usable: %s.'],
  EXPORT_PLACE: [500, 'Cannot export to %s: %s.'],
  DATA_DIR_NEWER: [
    500,
    'The data directory %s was written by version %s. This is version %s, which cannot read it. Start the newer version, or run its "culprit downgrade".',
  ],
  VERSION_RUNS: [
    500,
    'The server that uses %s is not version %s. Stop it and start this version first, or use the command of its version.',
  ],
  DOWNGRADE_INTERRUPTED: [
    500,
    'A downgrade of the data directory %s was interrupted. Run "culprit downgrade" again to complete it.',
  ],
  MIGRATION_FAILED: [
    500,
    'The migration %s of the state store failed: %s. Culprit changed nothing in it; the version before still starts.',
  ],
  KEY_UNUSABLE: [500, 'The key in %s is not usable: %s.'],
  KEY_OTHER: [
    500,
    'Secrets in the state store are sealed with key %s, but %s holds key %s. Use the same key on every node. If the key is lost, run "culprit key adopt".',
  ],
  LOG_OTHER: [
    500,
    'The streams "%s-…" in NATS at %s belong to another installation (%s; this one is %s). Give this one a prefix of its own: CULPRIT_LOG_URL=nats://…/PREFIX. If they are its own, run: nats stream edit %s --description ""',
  ],
  LISTEN_FAILED: [500, 'Cannot listen on %s, port %s: %s.'],
  STATE_BUSY: [503, 'Too many requests change the same data. Try again in %s seconds.'],
  STATE_UNAVAILABLE: [503, 'The state store is not available: %s.'],
  STATE_NEWER: [
    500,
    'The state store was migrated by a newer version (%s), which this version cannot use. Start the newer version.',
  ],
  OBJECTS_UNAVAILABLE: [503, 'The object store %s is not available: %s.'],
  NOT_READY: [503, 'Not ready: %s.'],
  MOVING: [503, 'This installation is moving to %s. It is back in a few seconds.'],
  MOVED: [503, 'This installation has moved to %s.'],
  MOVE_UNDER_WAY: [409, 'Another move of this installation is in progress.'],
  MOVE_REFUSED: [500, 'The installation cannot be moved: %s.'],
  BACKUP_TARGET: [500, 'Backups in %s: %s.'],
  BACKUP_KEY: [500, 'The backups cannot be opened: %s.'],
  BACKUP_DAMAGED: [500, 'The backup is damaged: %s: %s.'],
  BACKUP_FAILED: [500, '%s.'],
  BACKUP_STOPPED: [500, 'The backup was stopped before it was complete. Run it again: it continues where it stopped.'],
  RESTORE_REFUSED: [500, 'Cannot restore into %s: %s.'],
  RESTORE_UNFINISHED: [500, 'The data directory %s is not usable: %s.'],
  CONSOLE_NOT_BUILT: [503, 'The console is not built. Run "npm run build".'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof errors;

/** Former names of codes; answers carry them as `aliases` for two minor versions. */
export const formerCodes: Partial<Record<ErrorCode, readonly string[]>> = {
  QUERY_TOO_EXPENSIVE: ['QUERY_TOO_DEAR'],
};

/** An expected trouble with a code of the table above; `message` is the filled-in sentence, and a hint what to do. */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: ErrorCode;
  readonly status: number;
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    values: readonly (string | number)[] = [],
    options: { cause?: unknown; retryAfter?: number; hint?: string } = {},
  ) {
    const [status, sentence] = errors[code];
    let next = 0;
    const filled = asSentence(sentence.replaceAll('%s', () => String(values[next++] ?? '')));
    super(
      options.hint === undefined ? filled : `${filled} ${options.hint}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.status = status;
    this.retryAfter = options.retryAfter;
  }
}

/** With a capital, unless it starts with a name such as `statsPeriod`, and with one full stop. */
const asSentence = (text: string): string =>
  text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase()).replace(/([.?…])\.$/, '$1');
