/** What the log and an event tell of a request that failed: enough to do it again, and nothing that lets anybody in. */
import type { IncomingHttpHeaders } from 'node:http';

export interface FailedRequest {
  readonly method: string;
  /** Path and query, without secrets. */
  readonly path: string;
  /** The same with scheme and host. */
  readonly url: string;
  /** The pattern that the path matched, `/api/0/organizations/:org/issues/`. */
  readonly route: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The header `sentry-trace`: ties this failure to what the browser did. */
  readonly sentryTrace: string | undefined;
}

/** The part of a Fastify request that is read. */
export interface RequestLike {
  readonly method: string;
  readonly url: string;
  readonly protocol: string;
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly routeOptions: { readonly url?: string | undefined };
}

const kept = ['accept', 'content-type', 'content-length', 'user-agent'] as const;
const longest = 2_000;
const secretName = /key|token|secret|pass|auth|code|session|signature|credential|dsn/i;

export function requestFacts(request: RequestLike): FailedRequest {
  const path = withoutSecrets(request.url);
  const headers: Record<string, string> = {};
  for (const name of kept) {
    const value = request.headers[name];
    if (typeof value === 'string') headers[name] = value.slice(0, longest);
  }
  const { referer } = request.headers;
  if (referer) headers['referer'] = withoutSecrets(referer);
  const sentryTrace = request.headers['sentry-trace'];
  return {
    method: request.method,
    path,
    url: `${request.protocol}://${/^[\w.:[\]-]{1,260}$/.test(request.host) ? request.host : 'localhost'}${path}`,
    route: request.routeOptions.url,
    headers,
    sentryTrace: typeof sentryTrace === 'string' ? sentryTrace : undefined,
  };
}

/** Names stay, values of what may be a secret do not, nor do user and password before a host. */
export function withoutSecrets(url: string): string {
  const [path = '', query] = splitOnce(url.slice(0, longest), '?');
  const clean = path.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');
  if (query === undefined) return clean;
  const pairs = query.split('&').map((pair) => {
    const [name = '', value] = splitOnce(pair, '=');
    return value && secretName.test(name) ? `${name}=[Filtered]` : pair;
  });
  return `${clean}?${pairs.join('&')}`;
}

function splitOnce(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
