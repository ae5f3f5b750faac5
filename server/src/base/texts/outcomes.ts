/** What the reasons of rejected items are called. docs/outcomes.md has them for people. */
import { plural } from './intl.ts';

/** After "rejected:". */
export const rejections = {
  rate_limited: {
    key_quota: 'rate limit of the key exceeded',
    blob_quota: 'daily file quota of the key exceeded',
    minute_quota: 'quota per minute exceeded',
    month_quota: 'monthly quota exceeded',
    address: 'too many from one address',
    log_full: 'the log is full',
    log_unavailable: 'the log was not available',
    overloaded: 'the server is overloaded',
  },
  invalid: {
    too_old: 'too old',
    no_release: 'no release',
    empty: 'empty',
    unknown_type: 'unsupported type',
    project_deleted: 'deleted project',
    internal_project: "sent to Culprit's own project",
    key_disabled: 'disabled key',
    project_mismatch: 'key of another project',
    mirror_loop: 'forwarded in a circle',
    cors: 'origin not allowed',
    too_large: 'too large',
    too_many: 'too many per request',
    timeout: 'sent too slowly',
    no_data: 'no content',
    content_type: 'unsupported content type',
    invalid_compression: 'damaged compression',
    invalid_envelope: 'malformed envelope',
    invalid_otlp: 'malformed OTLP',
    invalid_json: 'malformed JSON',
    json: 'malformed JSON',
    internal: 'an error in Culprit',
    store_refused: 'refused by the events store',
  },
} as const;

/** Categories of items, in the singular. */
export const nouns: Readonly<Record<string, string>> = {
  error: 'error',
  transaction: 'transaction',
  span: 'span',
  log_item: 'log',
  trace_metric: 'metric',
  metric_bucket: 'metric',
  session: 'session',
  attachment: 'attachment',
  feedback: 'feedback item',
  monitor: 'check-in',
  replay: 'replay item',
  profile: 'profile',
  profile_chunk: 'profile',
  security: 'security report',
  internal: 'client report',
};

/** `288 sessions rejected: too old` */
export const rejected = (count: number, noun: string, reason: string): string =>
  `${plural(count, noun)} rejected: ${reason}`;
