/** The request of an event as a curl command. Words are quoted for a POSIX shell; what was scrubbed is left out. */
import { visible, visibleLine } from '../../../base/visible.ts';
import { brief as texts } from '../../../base/texts/brief.ts';
import { limits } from '../limits.ts';
import type { BriefNote } from '../types.ts';

type Pairs = readonly (readonly [name: string, value: string | null])[];

/** As the API gives it. */
export interface RequestData {
  readonly method: string | null;
  readonly url: string | null;
  readonly query: Pairs;
  readonly fragment: string | null;
  readonly headers: Pairs;
  readonly cookies: Pairs;
  readonly data: unknown;
}

export interface CurlCommand {
  readonly command: string | null;
  readonly missing: readonly BriefNote[];
}

/** Headers that curl sets itself, that make no sense in a repetition, or that say whose request it was. */
const left = new Set([
  'accept-encoding',
  'baggage',
  'cf-connecting-ip',
  'connection',
  'content-length',
  'cookie',
  'forwarded',
  'host',
  'sentry-trace',
  'traceparent',
  'transfer-encoding',
  'true-client-ip',
  'x-forwarded-for',
  'x-real-ip',
]);

/** What scrubbing puts in the place of a value. */
const scrubbed = /\[Filtered\]/i;

export function curlOf(request: RequestData): CurlCommand {
  const base = request.url;
  if (!base) return { command: null, missing: [] };
  const missing: BriefNote[] = [];
  const lacks = (text: string, what: string | null = null): void => void missing.push({ text, what });
  const kept = (pairs: Pairs, text: string): Pairs =>
    pairs.filter(([name, value]) => {
      const isKept = !scrubbed.test(value ?? '');
      if (!isKept) lacks(text, visibleLine(name, limits.name));
      return isKept;
    });
  const method = (request.method ?? 'GET').toUpperCase();
  const body = bodyText(request.data);
  const headers = kept(
    request.headers.filter(([name]) => !left.has(name.toLowerCase())),
    texts.missing.header,
  );
  const cookies = kept(request.cookies, texts.missing.cookie).map(([name, value]) => `${name}=${value ?? ''}`);
  const query = kept(request.query, texts.missing.parameter);
  if (body !== undefined && scrubbed.test(body)) lacks(texts.missing.partOfBody);
  if (body === undefined && method !== 'GET' && method !== 'HEAD') lacks(texts.missing.body);
  const parts = ['curl'];
  if (method !== 'GET' || body !== undefined) parts.push(`-X ${/^[A-Z]+$/.test(method) ? method : quote(method)}`);
  parts.push(quote(addressOf(base, query)));
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${value ?? ''}`)}`);
  if (cookies.length) parts.push(`-b ${quote(cookies.join('; '))}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  const command = parts.join(' \\\n  ');
  // Half a command would be another one.
  if (command.length > limits.curl) return { command: null, missing: [{ text: texts.missing.tooLong, what: null }] };
  return { command, missing: missing.slice(0, limits.steps) };
}

/** The address with its query, which the API keeps apart. A fragment is not sent. */
function addressOf(base: string, query: Pairs): string {
  const text = query.map(([name, value]) => `${encode(name)}=${encode(value ?? '')}`).join('&');
  return text === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${text}`;
}

/** `encodeURIComponent` throws on half a character pair. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function bodyText(data: unknown): string | undefined {
  if (data === null || data === undefined || data === '') return undefined;
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** What is not seen stands as its escape within `$'…'`, which shells turn back. */
function quote(text: string): string {
  const plain = text.replaceAll('\0', '');
  if (visible(plain) === plain) return `'${plain.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = [...plain].map((one) =>
    /[\\']/.test(one)
      ? `\\${one}`
      : one === visible(one) && one !== '\n'
        ? one
        : [...Buffer.from(one.toWellFormed())].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `$'${bytes.join('')}'`;
}
