/** The HTTP request during which an event happened. */
import { parseJson } from '../decode.ts';
import type { HttpRequest, LoosePair, Pair } from '../event.ts';
import { asObject, asPairs, asText } from '../json.ts';
import { countLimits, cutText, textLimits } from '../limits.ts';
import type { Remarks } from '../remarks.ts';

export function parseRequest(value: unknown, remarks: Remarks): HttpRequest | undefined {
  const raw = asObject(value);
  if (!raw) return undefined;
  const request: HttpRequest = {};
  const method = asText(raw.method);
  if (method !== undefined && /^[A-Za-z_-]{1,32}$/.test(method)) request.method = method.toUpperCase();
  const { url, query, fragment } = splitUrl(asText(raw.url) ?? '');
  if (url !== '') request.url = cutText(url, textLimits.url, remarks, ['request', 'url']);
  const pairs = parseQuery(raw.query_string ?? query);
  if (pairs.length > 0) request.query_string = pairs;
  const fragmentText = asText(raw.fragment) ?? fragment;
  if (fragmentText) request.fragment = cutText(fragmentText, textLimits.url);
  const { headers, cookieHeader } = parseHeaders(raw.headers);
  if (headers.length > 0) request.headers = headers;
  const cookies = parseCookies(raw.cookies ?? cookieHeader);
  if (cookies.length > 0) request.cookies = cookies;
  if (raw.data !== undefined && raw.data !== null && raw.data !== '') parseBody(raw.data, request);
  const env = asObject(raw.env);
  if (env) request.env = env;
  return request;
}

/** Cuts query and fragment off; what is no URL stays whole. */
export function splitUrl(text: string): { url: string; query?: string; fragment?: string } {
  const hash = text.indexOf('#');
  const before = hash < 0 ? text : text.slice(0, hash);
  const mark = before.indexOf('?');
  return {
    url: mark < 0 ? before : before.slice(0, mark),
    query: mark < 0 ? undefined : before.slice(mark + 1),
    fragment: hash < 0 ? undefined : text.slice(hash + 1),
  };
}

function parseQuery(value: unknown): LoosePair[] {
  if (typeof value === 'string') return parseForm(value.startsWith('?') ? value.slice(1) : value);
  const pairs: LoosePair[] = [];
  for (const [key, entry] of asPairs(value)) {
    if (pairs.length === countLimits.headers) break;
    pairs.push([cutText(key, textLimits.name), typeof entry === 'object' ? entry : (asText(entry) ?? '')]);
  }
  return pairs;
}

/** `a=1&b=x%20y` as pairs; bad escapes stay as they are. */
function parseForm(text: string): Pair[] {
  if (text === '') return [];
  const pairs: Pair[] = [];
  for (const part of text.slice(0, 16_384).toWellFormed().split('&', countLimits.headers)) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    pairs.push(
      equals < 0
        ? [unescapeForm(part), '']
        : [unescapeForm(part.slice(0, equals)), unescapeForm(part.slice(equals + 1))],
    );
  }
  return pairs;
}

function unescapeForm(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    // Decoding may bring NUL back in, which stores refuse.
    return decodeURIComponent(spaced).replaceAll('\0', '\uFFFD');
  } catch {
    return spaced;
  }
}

function parseHeaders(value: unknown): { headers: Pair[]; cookieHeader?: string } {
  const headers: Pair[] = [];
  let cookieHeader: string | undefined;
  for (const [key, entry] of asPairs(value)) {
    const text = Array.isArray(entry) ? entry.map((part) => asText(part) ?? '').join(', ') : (asText(entry) ?? '');
    const name = canonicalHeader(cutText(key, textLimits.short));
    if (name === 'Cookie') cookieHeader = text;
    else if (headers.length < countLimits.headers) headers.push([name, text]);
  }
  headers.sort(byName);
  return { headers, cookieHeader };
}

function byName([a]: Pair, [b]: Pair): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const canonicalNames = new Map<string, string>();
const maxNames = 1_000;

/** `user-agent` as `User-Agent`; other letters keep their case. */
function canonicalHeader(name: string): string {
  let canonical = canonicalNames.get(name);
  if (canonical === undefined) {
    canonical = canonicalize(name);
    if (canonicalNames.size >= maxNames) canonicalNames.clear();
    canonicalNames.set(name, canonical);
  }
  return canonical;
}

function canonicalize(name: string): string {
  let canonical = '';
  let upper = true;
  for (let index = 0; index < name.length; index++) {
    const char = name[index] ?? '';
    canonical += upper ? char.toUpperCase() : char;
    upper = char === '-';
  }
  return canonical;
}

function parseCookies(value: unknown): Pair[] {
  if (typeof value !== 'string') {
    return asPairs(value)
      .slice(0, countLimits.headers)
      .map(([key, entry]): Pair => [cutText(key, textLimits.name), asText(entry) ?? ''])
      .sort(byName);
  }
  const cookies: Pair[] = [];
  for (const part of value.split(';', countLimits.headers)) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    if (name !== '') cookies.push([name, equals < 0 ? '' : part.slice(equals + 1).trim()]);
  }
  return cookies;
}

const formContent = /^[^\s&=/?:"{]{1,256}=[^&=]*(?:&[^\s&=/?:"{]{1,256}=[^&=]*)*$/;

/** Text that is JSON or a form is taken apart, so that its keys can be scrubbed. */
function parseBody(data: unknown, request: HttpRequest): void {
  request.data = data;
  if (typeof data !== 'string') return;
  const contentType = request.headers?.find(([name]) => name === 'Content-Type')?.[1] ?? '';
  const first = data.trimStart()[0];
  if (first === '{' || first === '[') {
    try {
      request.data = parseJson(data);
      request.inferred_content_type = 'application/json';
    } catch {
      // Cut by the SDK or no JSON after all: kept as text.
    }
    return;
  }
  if (contentType.includes('x-www-form-urlencoded') || (data.length <= 8192 && formContent.test(data))) {
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of parseForm(data)) fields[key] = value;
    request.data = fields;
    request.inferred_content_type = 'application/x-www-form-urlencoded';
  }
}
