/** Who sends: finds the key of a request and checks that it may. */
import { readAuth, type Auth, type AuthResult } from '@culprit/envelope';
import { CodedError } from '../base/errors.ts';
import type { Exchange, Ingest } from './exchange.ts';
import { admitInternal } from './internal-key.ts';
import type { IngestKey } from './keys.ts';
import { refuseLoops } from './mirror.ts';
import { isOriginAllowed } from './origin.ts';

/** What the request itself says; `dsn` is that of the envelope header. */
export function authOf({ request: { headers }, query }: Exchange, dsn?: unknown): AuthResult {
  const { authorization, 'x-sentry-auth': xSentryAuth } = headers;
  if (dsn !== undefined || authorization !== undefined || xSentryAuth !== undefined) {
    return readAuth({ xSentryAuth, authorization, query, dsn });
  }
  return authOfQuery(query);
}

/** An SDK says the same with each request. */
const known = new Map<string, AuthResult>();
const maxKnown = 1000;
const maxKnownLength = 500;

function authOfQuery(query: string): AuthResult {
  const before = known.get(query);
  if (before) return before;
  const result = readAuth({ query });
  if (!result.ok || query.length > maxKnownLength) return result;
  // Whoever invents queries makes others be read anew, and nothing grow.
  if (known.size >= maxKnown) known.clear();
  known.set(query, result);
  return result;
}

/** The key, allowed to send, at once where it is known; also left in `exchange.key`, as soon as it is known whose it is. Throws AUTH_*, KEY_*, MIRROR_LOOP, INTERNAL_KEY and the like. */
export function authorize(ingest: Ingest, exchange: Exchange, result: AuthResult): IngestKey | Promise<IngestKey> {
  const { pathProject } = exchange;
  if (pathProject !== undefined) checkProjectId(pathProject);
  if (!result.ok) throw new CodedError(result.code, [result.detail]);
  if (result.auth.dsnProjectId !== undefined) checkProjectId(result.auth.dsnProjectId);

  const { auth } = result;
  const found = ingest.keys.lookup(auth.publicKey);
  return found instanceof Promise
    ? readInTime(found).then((key) => admit(ingest, exchange, auth, key))
    : admit(ingest, exchange, auth, found);
}

/** Longest that a request waits for a key that nobody has used yet, ms. */
const keyPatienceMs = 5_000;
const keysAwaySeconds = 30;

/** Throws KEYS_UNAVAILABLE where the state store is away: the key may be a good one, so its client tries again. */
async function readInTime(found: Promise<IngestKey | undefined>): Promise<IngestKey | undefined> {
  const timer = Promise.withResolvers<never>();
  const tooLate = (cause?: unknown): CodedError =>
    new CodedError('KEYS_UNAVAILABLE', [keysAwaySeconds], { cause, retryAfter: keysAwaySeconds });
  const timeout = setTimeout(() => timer.reject(tooLate()), keyPatienceMs);
  try {
    return await Promise.race([found, timer.promise]);
  } catch (error) {
    throw error instanceof CodedError && error.code === 'STATE_UNAVAILABLE' ? tooLate(error) : error;
  } finally {
    clearTimeout(timeout);
  }
}

function admit(ingest: Ingest, exchange: Exchange, auth: Auth, key: IngestKey | undefined): IngestKey {
  if (!key) throw new CodedError('KEY_UNKNOWN');
  exchange.key = key;
  exchange.client = auth.client;
  refuseLoops(ingest, exchange);
  checkKey(key, exchange, auth);
  admitInternal(ingest, exchange, key);
  return key;
}

function checkKey(key: IngestKey, exchange: Exchange, auth: Auth): void {
  for (const project of [exchange.pathProject, auth.dsnProjectId]) {
    if (project !== undefined && Number(project) !== key.projectId && !key.aliases.includes(project)) {
      throw new CodedError('KEY_PROJECT_MISMATCH', [project]);
    }
  }
  if (!key.isActive) throw new CodedError('KEY_DISABLED');
  const { allowedDomains } = key.settings;
  if (allowedDomains.length === 0) return;
  const { origin, referer } = exchange.request.headers;
  const page = origin ?? referer;
  if (!isOriginAllowed(page, allowedDomains)) throw new CodedError('ORIGIN_NOT_ALLOWED', [page?.slice(0, 200) ?? '']);
}

function checkProjectId(text: string): void {
  if (!/^\d{1,19}$/.test(text)) throw new CodedError('PROJECT_ID_INVALID', [text.slice(0, 50)]);
}
