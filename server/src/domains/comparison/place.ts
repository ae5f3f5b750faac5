/** Where a server answers to Sentry's API. Pure. */

/** Without a trailing slash; undefined for what is no address. Sentry's cloud takes events under other names than its API has. */
export function apiUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const [, region] = /^o\d+\.ingest\.((?:[a-z]+\.)?)sentry\.io$/.exec(hostname) ?? [];
  return region === undefined ? `${origin}${pathname}`.replace(/\/$/, '') : `https://${region}sentry.io`;
}
