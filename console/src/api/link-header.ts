/** Cursors of the neighbouring pages in a `Link` header; undefined where there is no such page. */
export interface PageCursors {
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** Reads `<…>; rel="next"; results="true"; cursor="…"`, the manner of Sentry's API. */
export function parseLinkHeader(header: string | null): PageCursors {
  const found: { next?: string; previous?: string } = {};
  for (const part of (header ?? '').split(/,\s*(?=<)/)) {
    const attribute = (name: string): string | undefined => new RegExp(`;\\s*${name}="([^"]*)"`).exec(part)?.[1];
    const rel = attribute('rel');
    if ((rel === 'next' || rel === 'previous') && attribute('results') === 'true') found[rel] = attribute('cursor');
  }
  return { next: found.next, previous: found.previous };
}
