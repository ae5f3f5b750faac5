/** From what went wrong to the answer, and to the outcome of what the request carried. */
import { formatRateLimits, type RateLimit } from '@culprit/envelope';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import { utcMinute } from '../base/texts/intl.ts';
import { quotaTexts } from '../base/texts/quotas.ts';
import { failed, refused, type Answer } from './answer.ts';
import { blobPauseSeconds, blobQuotaReason } from './blob-quota.ts';
import { UploadAborted } from './body.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';
import { quotaLimits, quotaPauseSeconds, quotaReasons, type StoppedByQuota, type UsedUp } from './quotas/index.ts';
import { retryAfterSeconds } from './rate-limiter.ts';
import type { ScannedItem } from './scan.ts';
import { increment } from './stats.ts';

/** A refusal that tells SDKs what to hold back. */
abstract class LimitError extends CodedError {
  abstract readonly headers: Readonly<Record<string, string>>;
}

/** Nothing of the request passed the key's limit. */
export class RateLimitedError extends LimitError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(key: IngestKey, exhausted: readonly string[], nowMs: number) {
    const retryAfter = key.rateLimit ? retryAfterSeconds(key.rateLimit, nowMs) : 1;
    super('RATE_LIMITED', [retryAfter], { retryAfter });
    this.headers = rateLimitHeaders(key, { exhausted }, nowMs) ?? {};
  }
}

/** The request holds nothing but blobs, and the key had its share of those today. */
export class BlobQuotaError extends LimitError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(key: IngestKey, stopped: readonly ScannedItem[], nowMs: number) {
    super('BLOB_QUOTA', [key.blobBytesPerDay ?? 0], { retryAfter: blobPauseSeconds(nowMs) });
    this.headers = limitHeaders([blobLimit(stopped, nowMs)]);
  }
}

/** Nothing of the request passed the quotas of the key, its project and its organisation. */
export class QuotaError extends LimitError {
  readonly headers: Readonly<Record<string, string>>;

  /** `by` stopped it; `usedUp` is all that is used up. */
  constructor(by: UsedUp, usedUp: readonly UsedUp[], nowMs: number) {
    const { scope, category, period, amount } = by.quota;
    const what = quotaTexts.amount(category, amount);
    super('QUOTA_EXCEEDED', [quotaTexts.scopes[scope], what, quotaTexts.periods[period], utcMinute(by.endMs)], {
      retryAfter: quotaPauseSeconds(by, nowMs),
    });
    this.headers = limitHeaders(quotaLimits(usedUp, nowMs));
  }
}

/** An address sends too much to the internal project. */
export class TooManyReportsError extends LimitError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(retryAfter: number) {
    super('TOO_MANY_REPORTS', [retryAfter], { retryAfter });
    this.headers = limitHeaders([{ retryAfter, categories: [], scope: 'key', reason: 'address' }]);
  }
}

/** What holds items of a request back. */
export interface Holding {
  /** Names, for SDKs, of categories of which the key's rate limit is used up. */
  readonly exhausted?: readonly string[];
  readonly stoppedBlobs?: readonly ScannedItem[];
  readonly usedUp?: readonly UsedUp[];
}

/** Tells SDKs what to hold back and for how long; undefined for nothing. */
export function rateLimitHeaders(
  key: IngestKey,
  { exhausted: categories = [], stoppedBlobs = [], usedUp = [] }: Holding,
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const limits: RateLimit[] = [];
  if (key.rateLimit && categories.length > 0) {
    limits.push({ retryAfter: retryAfterSeconds(key.rateLimit, nowMs), categories, scope: 'key', reason: 'key_quota' });
  }
  if (stoppedBlobs.length > 0) limits.push(blobLimit(stoppedBlobs, nowMs));
  limits.push(...quotaLimits(usedUp, nowMs));
  return limits.length > 0 ? limitHeaders(limits) : undefined;
}

/** Counts what quotas stopped. */
export function countStopped(ingest: Pick<Ingest, 'outcomes'>, key: IngestKey, stopped: StoppedByQuota): void {
  for (const [{ type, quantity }, { quota }] of stopped) {
    ingest.outcomes.count(key, type.category, 'rate_limited', quotaReasons[quota.period], quantity);
  }
}

/** Errors go on, also where a blob counts as one. */
function blobLimit(stopped: readonly ScannedItem[], nowMs: number): RateLimit {
  const names = stopped.flatMap(({ type }) => type.limitCategories).filter((name) => name !== 'error');
  // A limit without a category would be one of everything.
  const categories = names.length > 0 ? [...new Set(names)] : ['attachment'];
  return { retryAfter: blobPauseSeconds(nowMs), categories, scope: 'key', reason: blobQuotaReason };
}

function limitHeaders(limits: readonly RateLimit[]): Readonly<Record<string, string>> {
  return limits.length > 0 ? { 'x-sentry-rate-limits': formatRateLimits(limits) } : {};
}

type Refusal = readonly [outcome: 'invalid' | 'rate_limited', reason: string];

/** Outcome of the items of a refused request. Codes that are not here count nothing, or were counted where they arose. */
const outcomeOf: Partial<Record<ErrorCode, Refusal>> = {
  ENVELOPE_MALFORMED: ['invalid', 'invalid_envelope'],
  STORE_MALFORMED: ['invalid', 'invalid_json'],
  SECURITY_REPORT_MALFORMED: ['invalid', 'invalid_json'],
  SECURITY_REPORT_TYPE: ['invalid', 'content_type'],
  OTLP_MALFORMED: ['invalid', 'invalid_otlp'],
  OTLP_CONTENT_TYPE: ['invalid', 'content_type'],
  BODY_EMPTY: ['invalid', 'no_data'],
  BODY_TOO_LARGE: ['invalid', 'too_large'],
  BODY_RATIO: ['invalid', 'too_large'],
  BODY_ENCODING: ['invalid', 'invalid_compression'],
  BODY_TIMEOUT: ['invalid', 'timeout'],
  ITEM_TOO_LARGE: ['invalid', 'too_large'],
  KEY_DISABLED: ['invalid', 'key_disabled'],
  KEY_PROJECT_MISMATCH: ['invalid', 'project_mismatch'],
  MIRROR_LOOP: ['invalid', 'mirror_loop'],
  INTERNAL_KEY: ['invalid', 'internal_project'],
  TOO_MANY_REPORTS: ['rate_limited', 'address'],
  ORIGIN_NOT_ALLOWED: ['invalid', 'cors'],
  LOG_FULL: ['rate_limited', 'log_full'],
  LOG_UNAVAILABLE: ['rate_limited', 'log_unavailable'],
  OVERLOADED: ['rate_limited', 'overloaded'],
  INTERNAL: ['invalid', 'internal'],
};

/** What an endpoint's request holds when nobody could look into it. */
const usualCategory: Readonly<Record<string, string>> = {
  store: 'error',
  security: 'security',
  otlp_traces: 'span',
  otlp_logs: 'log_item',
  otlp_metrics: 'trace_metric',
};

/** A server that is full refuses thousands of requests a second for the same reason. */
const sameEveryMs = 10_000;

export interface Refuser {
  /** Undefined when there is nobody to answer. */
  refuse(exchange: Exchange, error: unknown): Answer | undefined;
}

export function createRefuser(ingest: Ingest): Refuser {
  function countItems(exchange: Exchange, code: ErrorCode): void {
    const refusal = outcomeOf[code];
    if (!refusal || !exchange.key) return;
    const [outcome, reason] = refusal;
    const { key } = exchange;
    for (const { type, quantity } of exchange.items) {
      ingest.outcomes.count(key, type.category, outcome, reason, quantity);
    }
    if (exchange.items.length > 0) return;
    ingest.outcomes.count(key, usualCategory[exchange.endpoint] ?? 'unknown', outcome, reason, 1);
  }

  return {
    refuse(exchange, error) {
      if (error instanceof UploadAborted) {
        ingest.stats.aborted++;
        return undefined;
      }
      const code = error instanceof CodedError ? error.code : 'INTERNAL';
      increment(ingest.stats.refused, code);
      countItems(exchange, code);
      const fields = { endpoint: exchange.endpoint, project: exchange.key?.projectId };
      const note = (message: string): string =>
        ingest.failures.note(error, { message, request: exchange.facts(), fields, atMostEveryMs: sameEveryMs }).digest;
      if (!(error instanceof CodedError)) return failed(note('ingestion failed'));
      if (error.status >= 500) return refused(error, { digest: note(error.message) });
      return refused(error, { headers: error instanceof LimitError ? error.headers : undefined });
    },
  };
}
