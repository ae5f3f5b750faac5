/** The request of an event as a curl command to run again. Values are quoted for a POSIX shell. */
import { requestUrl } from './request-url.ts';
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

function bodyText(data: unknown): string | undefined {
  if (data === null || data === undefined || data === '') return undefined;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

function quote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`;
}
