/** From what went wrong to the answer, and to the outcome of what the request carried. */
import { formatRateLimits } from '@culprit/envelope';
import { CodedError, type ErrorCode } from '../errors.ts';
import { failed, refused, type Answer } from './answer.ts';
import { UploadAborted } from './body.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { IngestKey } from './keys.ts';
import { retryAfterSeconds } from './rate-limiter.ts';
import { increment } from './stats.ts';

/** Nothing of the request passed the key's limit. */
export class RateLimitedError extends CodedError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(key: IngestKey, exhausted: readonly string[], nowMs: number) {
    const retryAfter = key.rateLimit ? retryAfterSeconds(key.rateLimit, nowMs) : 1;
    super('RATE_LIMITED', [retryAfter], { retryAfter });
    this.headers = rateLimitHeaders(key, exhausted, nowMs);
  }
}

/** Tells SDKs what to hold back and for how long. */
export function rateLimitHeaders(
  key: IngestKey,
  categories: readonly string[],
  nowMs: number,
): Readonly<Record<string, string>> {
  if (!key.rateLimit) return {};
  const retryAfter = retryAfterSeconds(key.rateLimit, nowMs);
  return { 'x-sentry-rate-limits': formatRateLimits([{ retryAfter, categories, scope: 'key', reason: 'key_quota' }]) };
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
  BODY_ENCODING: ['invalid', 'invalid_compression'],
  BODY_TIMEOUT: ['invalid', 'timeout'],
  ITEM_TOO_LARGE: ['invalid', 'too_large'],
  KEY_DISABLED: ['invalid', 'key_disabled'],
  KEY_PROJECT_MISMATCH: ['invalid', 'project_mismatch'],
  ORIGIN_NOT_ALLOWED: ['invalid', 'cors'],
  LOG_FULL: ['rate_limited', 'log_full'],
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
    const { projectId } = exchange.key;
    for (const { type, quantity } of exchange.items) {
      ingest.outcomes.count(projectId, type.category, outcome, reason, quantity);
    }
    if (exchange.items.length > 0) return;
    ingest.outcomes.count(projectId, usualCategory[exchange.endpoint] ?? 'unknown', outcome, reason, 1);
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
      return refused(error, { headers: error instanceof RateLimitedError ? error.headers : undefined });
    },
  };
}
