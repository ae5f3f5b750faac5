/**
 * Where a project key can stand in a request: `X-Sentry-Auth`, `Authorization` (Sentry or Basic), the query, the path
 * and the envelope header's DSN. Several places are fine as long as they agree.
 */
import { parseDsn } from './dsn.ts';
import * as texts from './texts.ts';

/** What a request carries; leave out what the endpoint does not look at. */
export interface AuthSources {
  readonly xSentryAuth?: string | readonly string[] | undefined;
  readonly authorization?: string | undefined;
  /** With or without the leading `?`. */
  readonly query?: string | undefined;
  readonly pathKey?: string | undefined;
  /** `dsn` of the envelope header, whatever it is. */
  readonly dsn?: unknown;
}

export interface Auth {
  /** 32 lower-case hex digits. */
  readonly publicKey: string;
  /** Of the protocol; 7 when the client does not say. */
  readonly version: number;
  /** `name/version` of the SDK. */
  readonly client?: string;
  /** Project of the DSN, where the key came with one. */
  readonly dsnProjectId?: string;
}

export type AuthErrorCode = 'AUTH_MISSING' | 'AUTH_MALFORMED' | 'AUTH_CONFLICT' | 'PROTOCOL_VERSION';

export type AuthResult =
  | { readonly ok: true; readonly auth: Auth }
  /** `detail` fills the sentence of the code: what was wrong, or the version. */
  | { readonly ok: false; readonly code: AuthErrorCode; readonly detail: string };

export const protocolVersion = 7;

/** What one place says. */
interface Credentials {
  readonly keys: readonly string[];
  readonly version?: string;
  readonly client?: string;
}

/** Reads the key of a request. Expected trouble is returned, nothing is thrown. */
export function readAuth(sources: AuthSources): AuthResult {
  const found: Credentials[] = [];
  for (const header of typeof sources.xSentryAuth === 'string' ? [sources.xSentryAuth] : (sources.xSentryAuth ?? [])) {
    if (header.trim() !== '') found.push(parsePairs(header.replace(/^\s*sentry\s+/i, ''), ',', plain));
  }
  const authorization = sources.authorization ? parseAuthorization(sources.authorization) : undefined;
  if (authorization) found.push(authorization);
  if (sources.query) {
    const query = parsePairs(sources.query.replace(/^\?/, ''), '&', percentDecoded);
    if (query.keys.length > 0) found.push(query);
  }
  if (sources.pathKey) found.push({ keys: [sources.pathKey] });
  let dsnProjectId: string | undefined;
  if (sources.dsn !== undefined && sources.dsn !== null) {
    const dsn = parseDsn(sources.dsn);
    if (dsn === undefined) return malformed(texts.notDsn);
    found.push({ keys: [dsn.publicKey] });
    dsnProjectId = dsn.projectId;
  }
  return combine(found, dsnProjectId);
}

function combine(found: readonly Credentials[], dsnProjectId: string | undefined): AuthResult {
  let publicKey: string | undefined;
  let version = protocolVersion;
  let client: string | undefined;
  for (const place of found) {
    if (place.keys.length === 0) return malformed(texts.noKey);
    for (const text of place.keys) {
      const key = text.toLowerCase();
      if (!/^[0-9a-f]{32}$/.test(key)) return malformed(texts.badKey);
      if (publicKey !== undefined && publicKey !== key) return { ok: false, code: 'AUTH_CONFLICT', detail: '' };
      publicKey = key;
    }
    client ??= place.client;
    if (!place.version) continue;
    // Raven wrote 2.0 and the like.
    if (!/^\d{1,3}(\.\d{1,3})?$/.test(place.version)) return malformed(texts.badVersion);
    if (Number(place.version) > protocolVersion) return { ok: false, code: 'PROTOCOL_VERSION', detail: place.version };
    version = Number(place.version);
  }
  if (publicKey === undefined) return { ok: false, code: 'AUTH_MISSING', detail: '' };
  return { ok: true, auth: { publicKey, version, ...(client && { client }), ...(dsnProjectId && { dsnProjectId }) } };
}

function malformed(detail: string): AuthResult {
  return { ok: false, code: 'AUTH_MALFORMED', detail };
}

/**
 * A tunnel is same-origin, so a page behind a site's own password or token sends that along. Only what can be a
 * project key counts; everything else is not ours.
 */
function parseAuthorization(header: string): Credentials | undefined {
  const text = header.trim();
  const space = text.indexOf(' ');
  const scheme = text.slice(0, Math.max(space, 0)).toLowerCase();
  const rest = text.slice(space + 1).trim();
  if (scheme === 'sentry') return parsePairs(rest, ',', plain);
  if (scheme !== 'basic') return undefined;
  try {
    const user = atob(rest).split(':', 1)[0] ?? '';
    return /^[0-9a-f]{32}$/i.test(user) ? { keys: [user] } : undefined;
  } catch {
    return undefined;
  }
}

/** Every `sentry_key` counts, so that two different ones end as a conflict; of the other pairs the last does. */
function parsePairs(text: string, separator: ',' | '&', decode: (text: string) => string): Credentials {
  const keys: string[] = [];
  let version: string | undefined;
  let client: string | undefined;
  for (const part of text.split(separator)) {
    const equals = part.indexOf('=');
    if (equals === -1) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    const value = part.slice(equals + 1).trim();
    if (name === 'sentry_key') keys.push(decode(value));
    else if (name === 'sentry_version') version = decode(value);
    else if (name === 'sentry_client') client = decode(value);
  }
  return { keys, version, client };
}

function plain(text: string): string {
  return text;
}

function percentDecoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
