/** Bytes to a JSON value that every later step and every store can take. */
import { itemProblems } from '../../base/texts/events.ts';

type Decoded =
  | { readonly ok: true; readonly value: unknown; readonly remarks: readonly DecodeRemark[] }
  | { readonly ok: false; readonly reason: 'too_large' | 'json'; readonly detail: string };

/** What had to be replaced by U+FFFD. */
type DecodeRemark = 'invalid_utf8' | 'nul' | 'lone_surrogate';

/** Bytes of one event after decompression. */
const maxEventBytes = 1024 * 1024;

const decoder = new TextDecoder();
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;
// Escapes are matched one after the other, so that the backslash of `\\u0000` (a backslash, then text) stays whole.
const escapes =
  /\\(?:(u0000)|(u[dD][89aAbB][\da-fA-F]{2})(\\u[dD][c-fC-F][\da-fA-F]{2})?|(u[dD][c-fC-F][\da-fA-F]{2})|[^])/g;

/**
 * Decodes UTF-8 JSON. Invalid UTF-8, NUL and lone surrogates become U+FFFD (PostgreSQL refuses NUL, ClickHouse cannot read
 * lone surrogates back). The engine's parser keeps its own stack, so depth costs no call frames, and `__proto__` becomes
 * an ordinary key.
 */
export function decodeJson(
  bytes: Uint8Array,
  maxBytes: number = maxEventBytes,
  parse: (text: string) => unknown = JSON.parse,
): Decoded {
  if (bytes.length > maxBytes) {
    return { ok: false, reason: 'too_large', detail: itemProblems.tooLarge(bytes.length, maxBytes) };
  }
  const remarks: DecodeRemark[] = [];
  const text = decoder.decode(bytes);
  if (text.includes('\uFFFD') && !isUtf8(bytes)) remarks.push('invalid_utf8');
  try {
    return { ok: true, value: parseJson(text, remarks, parse), remarks };
  } catch (error) {
    // The engine quotes the text around the fault, which may hold anything: keep the position alone.
    const at = /position \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    return { ok: false, reason: 'json', detail: itemProblems.notJson(at) };
  }
}

/** `JSON.parse` for text from outside: what it gives holds neither NUL nor lone surrogates. Throws as that does. */
export function parseJson(
  text: string,
  remarks: DecodeRemark[] = [],
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  return parse(text.includes('\\u') && suspicious.test(text) ? replaceEscapes(text, remarks) : text);
}

function replaceEscapes(text: string, remarks: DecodeRemark[]): string {
  let nul = false;
  let lone = false;
  const safe = text.replace(escapes, (escape: string, zero?: string, high?: string, low?: string, loneLow?: string) => {
    if (zero !== undefined) nul = true;
    else if (loneLow !== undefined || (high !== undefined && low === undefined)) lone = true;
    else return escape;
    return '\uFFFD';
  });
  if (nul) remarks.push('nul');
  if (lone) remarks.push('lone_surrogate');
  return safe;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
