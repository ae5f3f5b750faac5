/** Which web pages may send to a project. */

/**
 * True when `allowedDomains` names the origin. Entries are hosts, `*.example.com` (that domain and all below it), both
 * optionally with scheme and port, or `*`. An empty list allows every page, and requests that come from no page are
 * always allowed: servers send no origin.
 */
export function isOriginAllowed(origin: string | undefined, allowedDomains: readonly string[]): boolean {
  if (allowedDomains.length === 0 || origin === undefined || origin === '') return true;
  if (allowedDomains.includes('*')) return true;
  if (!URL.canParse(origin)) return allowedDomains.includes(origin);
  const page = new URL(origin);
  return allowedDomains.some((entry) => matches(page, entry.trim().toLowerCase()));
}

function matches(page: URL, entry: string): boolean {
  const parts = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.]*\]|[^:/]*)(?::(\d{1,5}))?\/?$/.exec(entry);
  if (!parts) return false;
  const [, scheme, host = '', port] = parts;
  if (scheme !== undefined && `${scheme}:` !== page.protocol) return false;
  if (port !== undefined && port !== (page.port || defaultPort(page.protocol))) return false;
  if (!host.startsWith('*.')) return page.hostname === host;
  return page.hostname === host.slice(2) || page.hostname.endsWith(host.slice(1));
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
