/** Where an SDK sends: `scheme://key[:secret]@host[:port][/prefix]/project`. */
export interface Dsn {
  readonly protocol: 'http' | 'https';
  readonly publicKey: string;
  /** Host and port as they stand in a URL; IPv6 in brackets. */
  readonly host: string;
  /** '' or `/a/b`: the path under which the server lives. */
  readonly pathPrefix: string;
  /** The last path segment as it is written; servers give out numbers. */
  readonly projectId: string;
}

const maxLength = 2048;

/** Undefined when the value is no DSN. The secret of old DSNs is read over. */
export function parseDsn(value: unknown): Dsn | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined;
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return undefined;
  }
  const protocol = url.protocol === 'https:' ? 'https' : url.protocol === 'http:' ? 'http' : undefined;
  const path = url.pathname.replace(/\/$/, '');
  const slash = path.lastIndexOf('/');
  const projectId = path.slice(slash + 1);
  if (protocol === undefined || url.username === '' || projectId === '') return undefined;
  return { protocol, publicKey: url.username, host: url.host, pathPrefix: path.slice(0, slash), projectId };
}

export function formatDsn(dsn: Dsn): string {
  return `${dsn.protocol}://${dsn.publicKey}@${dsn.host}${dsn.pathPrefix}/${dsn.projectId}`;
}

/** The URL that takes the DSN's envelopes, without authentication. */
export function envelopeUrl(dsn: Dsn): string {
  return `${dsn.protocol}://${dsn.host}${dsn.pathPrefix}/api/${dsn.projectId}/envelope/`;
}
