/**
 * Walks JSON text by bytes, so that a map of many megabytes is never a tree of objects: members and elements are
 * ranges of bytes, and only what is needed is parsed. What is skipped is checked for its brackets alone.
 */
import { mapProblems } from '../../../base/texts/artifacts.ts';
import { MapError } from './map-error.ts';

/** Of bytes: start is in it, end is not. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
/** Longer keys are none that anyone looks for. */
const longestKey = 100;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isOpening = (byte: number | undefined): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d;

const broken = (at: number): MapError => new MapError(mapProblems.notJson(at));

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** `from` is the opening quote; gives the place after the closing one. */
function skipString(bytes: Buffer, from: number): number {
  for (let at = from + 1; ;) {
    const end = bytes.indexOf(quote, at);
    if (end < 0) throw broken(from);
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash && end - 1 - escapes > from) escapes++;
    at = end + 1;
    if (escapes % 2 === 0) return at;
  }
}

function skipValue(bytes: Buffer, from: number): number {
  if (bytes[from] === quote) return skipString(bytes, from);
  let at = from;
  if (!isOpening(bytes[from])) {
    for (let byte = bytes[at]; byte !== undefined && byte !== 0x2c && !isClosing(byte) && !isSpace(byte);)
      byte = bytes[++at];
    if (at === from) throw broken(from);
    return at;
  }
  let depth = 0;
  do {
    const byte = bytes[at];
    if (byte === undefined) throw broken(from);
    if (byte === quote) {
      at = skipString(bytes, at);
      continue;
    }
    if (isOpening(byte)) depth++;
    else if (isClosing(byte)) depth--;
    at++;
  } while (depth > 0);
  return at;
}

/** The value that the whole text is, without what stands before it: a byte order mark, a line that starts with `)]}`. */
export function documentOf(bytes: Buffer): ByteRange {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  from = skipSpace(bytes, from);
  if (bytes[from] === 0x29 && bytes[from + 1] === 0x5d && bytes[from + 2] === 0x7d) {
    const line = bytes.indexOf(0x0a, from);
    if (line < 0) throw broken(from);
    from = skipSpace(bytes, line + 1);
  }
  if (from >= bytes.length) throw new MapError(mapProblems.empty);
  const end = skipValue(bytes, from);
  if (skipSpace(bytes, end) < bytes.length) throw broken(end);
  return { start: from, end };
}

/** Members of an object by key, the last of equal keys; undefined when the value is no object. */
export function membersOf(
  bytes: Buffer,
  { start }: ByteRange,
  wanted: ReadonlySet<string>,
): Map<string, ByteRange> | undefined {
  if (bytes[start] !== 0x7b) return undefined;
  const members = new Map<string, ByteRange>();
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === 0x7d) return members;
  for (;;) {
    if (bytes[at] !== quote) throw broken(at);
    const keyEnd = skipString(bytes, at);
    const key = keyEnd - at > longestKey ? undefined : parseText(bytes, { start: at, end: keyEnd });
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== 0x3a) throw broken(at);
    const value = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, value);
    if (key !== undefined && wanted.has(key)) members.set(key, { start: value, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === 0x7d) return members;
    if (bytes[at] !== 0x2c) throw broken(at);
    at = skipSpace(bytes, at + 1);
  }
}

/** Calls `each` with the range of every element; false when the value is no array. */
export function forEachElement(
  bytes: Buffer,
  { start }: ByteRange,
  each: (start: number, end: number) => void,
): boolean {
  if (bytes[start] !== 0x5b) return false;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === 0x5d) return true;
  for (;;) {
    const end = skipValue(bytes, at);
    each(at, end);
    at = skipSpace(bytes, end);
    if (bytes[at] === 0x5d) return true;
    if (bytes[at] !== 0x2c) throw broken(at);
    at = skipSpace(bytes, at + 1);
  }
}

/** The value; undefined when the text is no JSON after all. For small values. */
export function parseValue(bytes: Buffer, { start, end }: ByteRange): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end)) as unknown;
  } catch {
    return undefined;
  }
}

/** The text; undefined when it is none. */
export function parseText(bytes: Buffer, range: ByteRange): string | undefined {
  if (bytes[range.start] !== quote) return undefined;
  const text = bytes.toString('utf8', range.start + 1, range.end - 1);
  // Most texts hold no escape: then what stands there is the text.
  if (!text.includes('\\')) return text;
  const value = parseValue(bytes, range);
  return typeof value === 'string' ? value : undefined;
}

/** The bytes of a text that is expected to be ASCII, without its quotes; a view unless it holds escapes. */
export function textBytes(bytes: Buffer, range: ByteRange): Uint8Array | undefined {
  if (bytes[range.start] !== quote) return undefined;
  const view = bytes.subarray(range.start + 1, range.end - 1);
  if (view.indexOf(backslash) < 0) return view;
  const text = parseText(bytes, range);
  return text === undefined ? undefined : Buffer.from(text);
}
