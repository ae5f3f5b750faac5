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
} as const;

const [other, letter, digit, dash, equals, colon, at, percent, backslash, space, slash, plus] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];

const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) return letter;
  if (/\d/.test(char)) return digit;
  const special: Readonly<Record<string, number>> = {
    '-': dash,
    '=': equals,
    ':': colon,
    '@': at,
    '%': percent,
    '\\': backslash,
    ' ': space,
    '/': slash,
    '+': plus,
  };
  return special[char] ?? other;
});

/** The least that a token has before its first dot. */
const shortestToken = 12;
/** Of numbers of persons and cards. */
const leastDigits = 9;

export function look(text: string): number {
  let signs = 0;
  /** Of the word that is being read; letters, digits, underscores and dashes are one. */
  let start = 0;
  /** Since the last letter or mark. */
  let digits = 0;
  const end = text.length;
  for (let index = 0; index <= end; index++) {
    const code = index < end ? text.charCodeAt(index) : 0;
    const kind = code < 128 ? classes[code] : other;
    if (kind === letter) {
      digits = 0;
      continue;
    }
    if (kind === digit) {
      if (++digits === leastDigits) signs |= sign.digits;
      continue;
    }
    if (kind === dash) {
      if (text.charCodeAt(index - 1) === 45) signs |= sign.dashes;
      continue;
    }
    const length = index - start;
    const long = length >= shortestToken || (code === 46 && length >= 2 && length <= 4);
    if (long && mayBeToken(text, start)) signs |= sign.token;
    if (
      (length === 5 || length === 6) &&
      (kind === space || kind === percent || kind === plus) &&
      isScheme(text, start)
    )
      signs |= sign.scheme;
    start = index + 1;
    if (kind === space) continue;
    digits = 0;
    if (kind === equals) signs |= sign.named;
    else if (kind === colon) {
      if (text.charCodeAt(start) !== 47 || text.charCodeAt(start + 1) !== 47) signs |= sign.named;
      else signs |= sign.url;
    } else if (kind === at) signs |= sign.at;
    else if (kind === slash) signs |= sign.path;
    else if (kind === backslash) {
      signs |= sign.path;
      // An escape is no part of the word that follows it.
      if (isLetter(text.charCodeAt(start))) index = start++;
    } else if (kind === percent && isHex(text.charCodeAt(start)) && isHex(text.charCodeAt(start + 1))) {
      const second = text.charCodeAt(start + 1) | 32;
      if (text.charCodeAt(start) === 51 && (second === 100 || second === 97)) signs |= sign.named;
      index += 2;
      start = index + 1;
    }
  }
  return signs;
}

/** b…r, b…c or d…t. */
function isScheme(text: string, start: number): boolean {
  const first = text.charCodeAt(start) | 32;
  return (first === 98 || first === 100) && /^(?:bearer|basic|digest)/i.test(text.slice(start, start + 6));
}

const isLetter = (code: number): boolean => classes[code] === letter;
const isHex = (code: number): boolean => (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 102);
