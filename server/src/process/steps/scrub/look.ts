/** One cheap walk over a text that says which rules might find something in it: in most texts none. */
import { mayBeToken } from './formats.ts';

export const sign = {
  /** A `=` or `:` that may stand between a name and a value. */
  named: 1,
  url: 2,
  at: 4,
  /** Digits enough for a number that must not be kept. */
  digits: 8,
  /** A word that begins as an issuer's tokens do. */
  token: 16,
  /** `Bearer`, `Basic` or `Digest`. */
  scheme: 32,
  /** Dashes in a row: PEM blocks begin with five. */
  dashes: 64,
  path: 128,
  /** A quote, `into`, `=(`, `contains (`: SQL may have values apart from the names of their columns. */
  sql: 256,
} as const;

const [other, equals, colon, at, percent, backslash, space, slash, plus, quote] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

const special: Readonly<Record<string, number>> = {
  '=': equals,
  ':': colon,
  '@': at,
  '%': percent,
  '\\': backslash,
  ' ': space,
  '/': slash,
  '+': plus,
  "'": quote,
};

const marks = Uint8Array.from({ length: 128 }, (_, code) => special[String.fromCharCode(code)] ?? other);

/** Of what a word is made of. */
const [counts, keeps, isDash, isLetter] = [1, 2, 4, 8];

/** 0 for what is no part of a word; else what becomes of the digits that were counted before it. */
const parts = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) return isLetter;
  if (/\d/.test(char)) return counts | keeps;
  return char === '-' ? isDash | keeps : 0;
});

/** The least that a token has before its first dot. */
const shortestToken = 12;
/** Of numbers of persons and cards. */
const leastDigits = 9;
/** With so much added, as many digits have this bit, and fewer have not. */
const enough = 16;
const upToEnough = enough - leastDigits;

export function look(text: string): number {
  const end = text.length;
  let signs = 0;
  let index = 0;
  /** Of the word that is being read; letters, digits, underscores and dashes are one. */
  let start = 0;
  /** Since the last letter or mark. */
  let digits = 0;
  let counted = 0;
  let dashes = 0;
  for (;;) {
    let code = 0;
    let before = 0;
    // No branch but the one that ends the word: letters and digits of ids follow each other as they like.
    for (; index < end; index++) {
      code = text.charCodeAt(index);
      const part = code < 128 ? (parts[code] ?? 0) : 0;
      if (part === 0) break;
      digits = (digits + (part & counts)) & -((part & keeps) >> 1);
      counted |= digits + upToEnough;
      dashes |= part & before;
      before = part & isDash;
    }
    const isLast = index >= end;
    const length = index - start;
    const long = length >= shortestToken || (!isLast && code === 46 && length >= 2 && length <= 4);
    if (long && mayBeToken(text, start)) signs |= sign.token;
    if (isLast) break;
    const mark = code < 128 ? marks[code] : other;
    if (
      (length === 5 || length === 6) &&
      (mark === space || mark === percent || mark === plus) &&
      isScheme(text, start)
    )
      signs |= sign.scheme;
    else if (mark === space && (length === 4 ? isInto(text, start) : length === 8 && isContains(text, start)))
      signs |= sign.sql;
    start = ++index;
    if (mark === space) continue;
    digits = 0;
    if (mark === other) continue;
    if (mark === equals) signs |= text.charCodeAt(start) === 40 ? sign.named | sign.sql : sign.named;
    else if (mark === colon) {
      if (text.charCodeAt(start) !== 47 || text.charCodeAt(start + 1) !== 47) signs |= sign.named;
      else signs |= sign.url;
    } else if (mark === at) signs |= sign.at;
    else if (mark === slash) signs |= sign.path;
    else if (mark === quote) signs |= sign.sql;
    else if (mark === backslash) {
      signs |= sign.path;
      // An escape is no part of the word that follows it.
      if (parts[text.charCodeAt(start)] === isLetter) start = ++index;
    } else if (mark === percent && isHex(text.charCodeAt(start)) && isHex(text.charCodeAt(start + 1))) {
      const second = text.charCodeAt(start + 1) | 32;
      if (text.charCodeAt(start) === 51 && (second === 100 || second === 97)) signs |= sign.named;
      index += 2;
      start = index;
    }
  }
  if (counted & enough) signs |= sign.digits;
  if (dashes) signs |= sign.dashes;
  return signs;
}

/** b…r, b…c or d…t. */
function isScheme(text: string, start: number): boolean {
  const first = text.charCodeAt(start) | 32;
  return (first === 98 || first === 100) && /^(?:bearer|basic|digest)/i.test(text.slice(start, start + 6));
}

const isInto = (text: string, start: number): boolean =>
  (text.charCodeAt(start) | 32) === 105 && /^into/i.test(text.slice(start, start + 4));

const isContains = (text: string, start: number): boolean =>
  (text.charCodeAt(start) | 32) === 99 && /^contains \(/i.test(text.slice(start, start + 10));

const isHex = (code: number): boolean => (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);
