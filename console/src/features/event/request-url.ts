import type { RequestData } from './types.ts';

/** The address with its query, which the API keeps apart. */
export function requestUrl(request: RequestData): string {
  const base = request.url ?? '';
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(value ?? '')}`).join('&');
  const fragment = request.fragment ? `#${request.fragment}` : '';
  return `${base}${query ? `${base.includes('?') ? '&' : '?'}${query}` : ''}${fragment}`;
}

/** `encodeURIComponent` throws on half a character pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
