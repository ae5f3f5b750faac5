import { EnvelopeError, type EnvelopeErrorCode } from './error.ts';
import * as texts from './texts.ts';

// Not fatal: a file name in a wrong encoding must not cost the whole envelope. Structure is ASCII, so replacement
// characters can only stand inside strings.
const decoder = new TextDecoder();

/** Headers that SDKs write nest three deep. The bound lets everyone after us walk a header by recursion. */
const maxDepth = 32;

/** A text this short cannot nest deep enough to matter, so that the usual header is not walked at all. */
const maxUncheckedLength = 1024;

/** Parses the one-line JSON object in `bytes[start, end)`. */
export function parseHeaderLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  code: EnvelopeErrorCode,
): Record<string, unknown> {
  const text = decoder.decode(bytes.subarray(start, end));
  const what = code === 'header_invalid' ? texts.envelopeHeader : texts.itemHeader;
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw new EnvelopeError(code, start, texts.notJson(what));
  }
  if (!isObject(header)) throw new EnvelopeError(code, start, texts.notObject(what));
  // A key may be spelled with escapes, hence the backslash.
  if (text.length > maxUncheckedLength || text.includes('__proto__') || text.includes('\\')) clean(header, start);
  return header;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes `__proto__` keys, which would act when someone assigns the header to another object, and bounds the depth. */
function clean(header: Record<string, unknown>, offset: number): void {
  let level: object[] = [header];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) throw new EnvelopeError('header_too_deep', offset, texts.headerTooDeep(maxDepth));
    const next: object[] = [];
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
}
