/** Where a value that follows a name begins and ends. */
import type { Name } from './named.ts';

export interface Range {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Secret whatever it holds. */
  readonly certain?: true;
}

/** A quote that is not closed within so much is cut, or none. */
const maxQuoted = 16_384;
/** White space between the mark and the value. */
const maxSpace = 3;

/** What ends a value without quotes. */
const ends = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\s"'`,;&)}\]<>]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;
const isBreak = (code: number): boolean => code === 10 || code === 13;

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); at - from < maxSpace && (code === 32 || code === 9); code = text.charCodeAt(at))
    at++;
  return at;
}

/** Undefined where none is: an object begins, or nothing follows. */
export function valueAt(text: string, first: number, name: Name): Range | undefined {
  let at = first;
  // `["a", "b"]` is hidden as one.
  const list = text[at] === '[';
  if (list) at = skipSpace(text, at + 1);
  // Python's `b'…'`.
  if (/[bBfFrRuU]/.test(text[at] ?? '') && isQuote(text.charCodeAt(at + 1))) at++;
  let slashes = 0;
  while (text.charCodeAt(at + slashes) === 92 && slashes < 8) slashes++;
  if (isQuote(text.charCodeAt(at + slashes))) {
    const range = quotedAt(text, at, slashes, list);
    const start = range && !list ? schemeAt(text, range.start, name) : undefined;
    return range && start !== undefined && start < range.end ? { ...range, start } : range;
  }
  return list ? undefined : bareAt(text, at, name);
}

function quotedAt(text: string, from: number, slashes: number, list: boolean): Range | undefined {
  const mark = text.charCodeAt(from + slashes);
  const start = from + slashes + 1;
  const most = Math.min(text.length, start + maxQuoted);
  for (let at = start; at < most; at++) {
    const code = text.charCodeAt(at);
    // Within escaped quotes (`\"…\"`) the first quote ends, whatever its escape.
    if (code === 92 && slashes === 0) at++;
    else if (code === mark && (!list || text.charCodeAt(skipSpace(text, at + 1)) === 93)) {
      let end = at;
      while (end > start && end > at - slashes && text.charCodeAt(end - 1) === 92) end--;
      return end > start ? { start, end, quoted: true } : undefined;
    }
  }
  return start < most ? { start, end: most, quoted: true } : undefined;
}

/** `Authorization: Bearer …` names the scheme first, which may stay. */
const scheme = /(bearer|basic|token|negotiate|apikey|digest|hawk|oauth|aws4-hmac-sha256)(?:[ \t]|%20|\+){1,4}/iy;
/** These are followed by a list of `name="value"`. */
const listing = /^(?:digest|hawk|oauth|aws4)/i;

function schemeAt(text: string, from: number, name: Name): number | undefined {
  if (!/auth/i.test(name.text)) return undefined;
  scheme.lastIndex = from;
  return scheme.test(text) ? scheme.lastIndex : undefined;
}

function bareAt(text: string, from: number, name: Name): Range | undefined {
  const start = schemeAt(text, from, name) ?? from;
  if (start > from && listing.test(text.slice(from, from + 6)) && /^\w+=/.test(text.slice(start, start + 40)))
    return toLineEnd(text, start, false);
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 128 && ends[code] === 1) break;
    if (code === 92 && /["'nrt\\]/.test(text[end + 1] ?? '')) break;
    if (name.parameter && (code === 35 || (code === 37 && /^%(?:26|23|20|22)/.test(text.slice(end, end + 3))))) break;
    end++;
  }
  return end > start ? { start, end, quoted: false } : undefined;
}

/** To the end of the line, or of the quotes around it: of headers, which hold secrets throughout. */
export function lineAt(text: string, first: number): Range | undefined {
  const quoted = /^\[? ?[bru]?\\{0,8}["'`]/i.test(text.slice(first, first + 12));
  return quoted ? valueAt(text, first, nameless) : toLineEnd(text, first, true);
}

const nameless: Name = { text: '', start: 0, parameter: false };

function toLineEnd(text: string, start: number, orQuote: boolean): Range | undefined {
  const most = Math.min(text.length, start + maxQuoted);
  let end = start;
  for (; end < most; end++) {
    const code = text.charCodeAt(end);
    if (isBreak(code) || (orQuote && isQuote(code))) break;
    if (code === 92 && /[nr"']/.test(text[end + 1] ?? '') && (orQuote || text[end + 1] !== '"')) break;
  }
  return end > start ? { start, end, quoted: true, certain: true } : undefined;
}
