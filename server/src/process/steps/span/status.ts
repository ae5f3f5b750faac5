/** How a span ended: one set of names for what old and new SDKs and OpenTelemetry say. */

/** By the codes of gRPC, which some old SDKs send as numbers. */
const byCode = [
  'ok',
  'cancelled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal_error',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const;

const names = new Map<string, string>([
  ...byCode.map((name): [string, string] => [name, name]),
  ['unknown_error', 'unknown_error'],
  ['canceled', 'cancelled'],
  ['internal', 'internal_error'],
  ['success', 'ok'],
]);

const byHttp: Readonly<Record<number, string>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'already_exists',
  413: 'failed_precondition',
  429: 'resource_exhausted',
  499: 'cancelled',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

const harmless = new Set(['', 'ok', 'cancelled', 'unknown']);

export function httpStatusName(code: number): string {
  if (code < 100 || code >= 600) return 'unknown';
  return byHttp[code] ?? (code >= 500 ? 'internal_error' : code >= 400 ? 'invalid_argument' : 'ok');
}

export interface SaidStatus {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
  readonly httpCode?: number | undefined;
}

/**
 * '' where nothing was said. An error without a name takes that of its HTTP status, else `unknown_error`; a name that
 * nobody knows becomes `unknown`, which does not count as failed.
 */
export function spanStatus({ status = '', message = '', httpCode }: SaidStatus): string {
  const said = status.trim().toLowerCase();
  if (said === '' || said === 'unset') return httpCode === undefined ? '' : httpStatusName(httpCode);
  if (said !== 'error') return names.get(said) ?? byCode[/^\d{1,2}$/.test(said) ? Number(said) : -1] ?? 'unknown';
  const named = names.get(message.trim().toLowerCase());
  if (named !== undefined && named !== 'ok') return named;
  const ofHttp = httpCode === undefined ? 'ok' : httpStatusName(httpCode);
  return ofHttp === 'ok' || ofHttp === 'unknown' ? 'unknown_error' : ofHttp;
}

/** Whether the span counts as failed. */
export function isFailed(status: string): boolean {
  return !harmless.has(status);
}
