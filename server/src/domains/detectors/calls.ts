/** Spans of HTTP calls and loaded files: their method, address and size. */
import { splitOrigin, urlWithoutIds } from '../../process/steps/span/path-ids.ts';
import type { Segment, SegmentSpan } from './segment.ts';

export interface Call {
  /** Upper case; '' where it is not known. */
  readonly method: string;
  /** '' where it is not known. */
  readonly url: string;
}

const methodFirst = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY) +/i;
const longestUrl = 2_000;

export function callOf({ name, attributes }: SegmentSpan): Call {
  const said = methodFirst.exec(name);
  const method = (attributes['http.request.method'] || said?.[1] || '').toUpperCase();
  const url = attributes['url.full'] || attributes['url'] || (said ? name.slice(said[0].length) : '');
  return { method, url: url.trim().slice(0, longestUrl) };
}

export const isCall = ({ op }: SegmentSpan): boolean => op === 'http.client' || op.startsWith('http.client.');

/** Path and query without ids, as an address without its host. */
export function pathOf(url: string): string {
  return splitOrigin(urlWithoutIds(url)).path || '/';
}

/** Lower case with its port; '/' for an address on the page's own host, '' for one that cannot be told. */
export function hostOf(url: string): string {
  if (url.startsWith('/') && !url.startsWith('//')) return '/';
  const { origin } = splitOrigin(url);
  const host = origin.slice(origin.indexOf('://') + 3);
  return origin === '' ? '' : host.slice(host.lastIndexOf('@') + 1).toLowerCase();
}

/** `js` of `/assets/index.js?v=2`; '' for none. Lower case. */
export function extensionOf(url: string): string {
  const path = splitOrigin(url.split(/[?#]/, 1)[0] ?? '').path;
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  return dot < 0 ? '' : file.slice(dot + 1).toLowerCase();
}

/** Next.js puts a build's id into these addresses, and loads them before they are asked for. */
export const isOfNext = (url: string): boolean => url.includes('_next/data') || url.includes('_next/static');

export const isPrefetch = ({ attributes }: SegmentSpan): boolean => attributes['http.request.prefetch'] === 'true';

/** Bytes; undefined where the sender does not say. The last of the names is that of SDKs up to 7. */
export const sizes = {
  transferred: ({ numbers }: SegmentSpan): number | undefined =>
    numbers['http.response.size'] ?? numbers['Transfer Size'],
  encoded: ({ numbers }: SegmentSpan): number | undefined =>
    numbers['http.response.body.size'] ?? numbers['Encoded Body Size'],
  decoded: ({ numbers }: SegmentSpan): number | undefined =>
    numbers['http.response.body.decoded_size'] ?? numbers['Decoded Body Size'],
} as const;

/** Edge runtimes share the platform of browsers, and serve requests. */
export const isBrowser = ({ platform, root }: Segment): boolean =>
  platform === 'javascript' && root?.op !== 'http.server' && !root?.op.startsWith('function.');
