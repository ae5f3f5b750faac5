/** Addresses: of Culprit's own pages, which name what they show, and of applications, which have a host and a path. */
import type { ReadOptions, Understood } from './read-query.ts';

/** A host as a browser writes it (`location.hostname`), and how much of the text it took. */
export function readHost(text: string): { readonly name: string; readonly length: number } | undefined {
  const bare = text.replace(/[.,;:!?]{1,10}$/, '');
  const name = hostName(`http://${bare}`);
  return name === undefined || name === '' ? undefined : { name, length: bare.length };
}

/** Without the port; undefined for what is no address. */
export function hostName(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}

interface Place {
  readonly parts: readonly Pick<Understood, 'kind' | 'value'>[];
  /** The text that a page of ours was asked for. */
  readonly text?: string;
}

/** Undefined for what is no address. A path alone is taken for a page of Culprit. */
export function readPlace(address: string, { ownHosts }: ReadOptions): Place | undefined {
  const isPath = address.startsWith('/');
  const full = isPath ? `http://culprit.invalid${address}` : address;
  if (!URL.canParse(full)) return undefined;
  const url = new URL(full);
  const own = isPath || ownHosts.includes(url.host);
  const page = own ? ownPage(url) : undefined;
  if (page || isPath) return page;
  const host = url.hostname.replace(/\.$/, '');
  return {
    parts: [
      { kind: 'host', value: host },
      { kind: 'path', value: url.pathname },
    ],
  };
}

const ownPaths = {
  digest: /^\/d\/(\d{1,20})(?:(?:@|%40)E\d{1,9})?\/?$/i,
  find: /^\/find\/?$/,
  // With or without the organisation, as Sentry's addresses have it; the event after the issue or in the query.
  issue: /\/issues\/([A-Za-z0-9-]{1,60})(?:\/events\/([0-9a-fA-F-]{32,36}))?\/?$/,
  trace: /\/traces?\/([0-9a-fA-F]{32})\/?$/,
} as const;

function ownPage({ pathname, searchParams }: URL): Place | undefined {
  const digest = ownPaths.digest.exec(pathname)?.[1];
  if (digest !== undefined) return { parts: [{ kind: 'digest', value: digest }] };
  if (ownPaths.find.test(pathname)) return { parts: [], text: searchParams.get('q') ?? '' };
  const trace = ownPaths.trace.exec(pathname)?.[1];
  if (trace !== undefined) {
    const span = (searchParams.get('span') ?? '').toLowerCase();
    return {
      parts: [
        { kind: 'trace', value: trace.toLowerCase() },
        ...(/^[0-9a-f]{16}$/.test(span) ? [{ kind: 'span', value: span } as const] : []),
      ],
    };
  }
  const [, issue, inPath] = ownPaths.issue.exec(pathname) ?? [];
  if (issue === undefined) return undefined;
  const event = (inPath ?? searchParams.get('event') ?? '').replaceAll('-', '').toLowerCase();
  return {
    parts: [
      ...(/^[0-9a-f]{32}$/.test(event) ? [{ kind: 'event', value: event } as const] : []),
      { kind: 'issue', value: issue.toUpperCase() },
    ],
  };
}
