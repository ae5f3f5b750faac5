/** What goes wrong between the adapter and ClickHouse, and what may be tried again. */
import { ClickHouseError } from '@clickhouse/client';
import { CodedError } from '../../base/errors.ts';

/** ClickHouse's error types after which the same statement may succeed, and how long to wait before it is tried again. */
export const retryable: Readonly<Record<string, { readonly minMs: number; readonly maxMs: number }>> = {
  TOO_MANY_PARTS: { minMs: 500, maxMs: 30_000 },
  TOO_MANY_SIMULTANEOUS_QUERIES: { minMs: 200, maxMs: 5000 },
  MEMORY_LIMIT_EXCEEDED: { minMs: 500, maxMs: 10_000 },
  TABLE_IS_READ_ONLY: { minMs: 1000, maxMs: 30_000 },
  KEEPER_EXCEPTION: { minMs: 1000, maxMs: 30_000 },
  UNKNOWN_STATUS_OF_INSERT: { minMs: 500, maxMs: 10_000 },
  NETWORK_ERROR: { minMs: 500, maxMs: 10_000 },
  SOCKET_TIMEOUT: { minMs: 500, maxMs: 10_000 },
};

/** Milliseconds to wait before attempt number `attempt` (1 is the first repetition); undefined when it is no use. */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  const delays = error instanceof ClickHouseError ? retryable[error.type ?? ''] : undefined;
  return delays && Math.min(delays.minMs * 2 ** (attempt - 1), delays.maxMs);
}

const lost: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
const unreachable: ReadonlySet<string> = new Set([
  ...lost,
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
]);
const unavailable = new Set([
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'NETWORK_ERROR',
  'SOCKET_TIMEOUT',
  'ABORTED',
  // Answers begin before the first start has made the tables.
  'UNKNOWN_TABLE',
  'UNKNOWN_DATABASE',
]);

/** The coded error that people and the pipeline understand, or the error itself when it is a surprise. */
export function explainFailure(error: unknown, seconds: number): unknown {
  if (error instanceof ClickHouseError) {
    if (error.type === 'TIMEOUT_EXCEEDED' || error.type === 'QUERY_WAS_CANCELLED') {
      return new CodedError('QUERY_TIMEOUT', [seconds], { cause: error });
    }
    return unavailable.has(error.type ?? '') ? engineUnavailable(error) : error;
  }
  const hangUp = error instanceof Error && /socket hang up|^Timeout error|^aborted$/.test(error.message);
  return hangUp || unreachable.has(codeOf(error)) ? engineUnavailable(error) : error;
}

/** True when the connection broke off under a statement, so that nobody knows whether it was carried out. */
export function isLostConnection(error: unknown): boolean {
  return lost.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function engineUnavailable(cause: unknown): CodedError {
  return new CodedError('ENGINE_UNAVAILABLE', [], { cause, retryAfter: 1 });
}

/** True when the store refuses what the rows hold, so that the others of the block may be fine and this one never will. */
export function isRowFault(error: unknown): boolean {
  if (!(error instanceof ClickHouseError)) return false;
  return /^CANNOT_(?:PARSE|CONVERT|READ|INSERT)|^(?:INCORRECT_DATA|TYPE_MISMATCH|UNEXPECTED_DATA_AFTER_PARSED_VALUE|VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE|TOO_LARGE_STRING_SIZE|ARGUMENT_OUT_OF_BOUND|DECIMAL_OVERFLOW)/.test(
    error.type ?? '',
  );
}
