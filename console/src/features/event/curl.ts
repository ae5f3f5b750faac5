/** The request of an event as a curl command to run again. Values are quoted for a POSIX shell. */
import type { RequestData } from './types.ts';

/** Headers that curl sets itself, or that make no sense in a repetition. */
const left = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'cookie', 'transfer-encoding']);

export function curlCommand(request: RequestData): string {
  const method = (request.method ?? 'GET').toUpperCase();
  const parts = ['curl'];
  const body = bodyText(request.data);
  if (method !== 'GET' || body !== undefined) parts.push(`-X ${/^[A-Z]+$/.test(method) ? method : quote(method)}`);
  parts.push(quote(requestUrl(request)));
  for (const [name, value] of request.headers) {
    if (!left.has(name.toLowerCase())) parts.push(`-H ${quote(`${name}: ${value ?? ''}`)}`);
  }
  const cookies = request.cookies.map(([name, value]) => `${name}=${value ?? ''}`).join('; ');
  if (cookies) parts.push(`-b ${quote(cookies)}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  if (request.headers.some(([name]) => name.toLowerCase() === 'accept-encoding')) parts.push('--compressed');
  return parts.join(' \\\n  ');
}

/** The address with its query, which the API keeps apart. */
export function requestUrl(request: RequestData): string {
  const base = request.url ?? '';
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(value ?? '')}`).join('&');
  const fragment = request.fragment ? `#${request.fragment}` : '';
  return `${base}${query ? `${base.includes('?') ? '&' : '?'}${query}` : ''}${fragment}`;
}

function bodyText(data: unknown): string | undefined {
  if (data === null || data === undefined || data === '') return undefined;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** `encodeURIComponent` throws on half a character pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`;
}
