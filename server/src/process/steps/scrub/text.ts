/**
 * Sensitive parts inside texts. Every expression is linear: bounded repeats, no nested ones. A text is tried against
 * one cheap expression first; most hold nothing and cost no more than that.
 */
import { isIPv6 } from 'node:net';
import { filtered, type ScrubRules } from './rules.ts';

/**
 * `message` is what people write and read; `bag` the client's own data. `value` names something: addresses of people and
 * machines stay in it; in an `id` digits, too, which ids are made of. `code` is a line of source: names are followed by
 * more code there and not by a secret, unless that is a literal.
 */
export type TextKind = 'bag' | 'message' | 'value' | 'id' | 'code';

/** Longer texts are cut before they are looked at; the step cuts far below this anyway. */
export const maxScannedText = 20_000;

const word = /password|secret|passwd|api[_-]?key|auth|credentials|mysql_pwd|private[_-]?key|token/i;
/** A text that is but one word, and says of itself what it is: `my_password`. In sentences such words tell of errors. */
const password = /^(?=.{0,60}(?:password|passwd|secret))[\w-]{9,64}$/i;
const keyOnly = /^[\w-]{0,40}(?:api|private)[_-]?key[\w-]{0,20}$/i;
// Something of each rule below: a scheme's slashes, an at sign, four digits that may begin a number, a PEM line, a home.
const hint = /:\/\/|@|\d[\d -]{7}|\b[A-Z]{2}\d\d|-----BEGIN|[\\/](?:home|[uU]sers)[\\/]|bearer\s/i;
const numbers = /\d{3}-\d\d-\d{4}|\d[\d -]{13}|[A-Z]{2}\d\d[A-Z\d]{11}/;
const bearerWord = /bearer\s/i;
const home = /[\\/](?:home|[uU]sers)[\\/]/;
const addressHint = /\d\.\d|:[\da-f]{0,4}:/i;

const cards =
  /(?<!\d)(?:3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|(?:4\d{3}|5[1-5]\d{2}|65\d{2}|6011)[ -]?\d{4}[ -]?\d{4}[ -]?\d{4})(?!\d)/g;
const ssn = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g;
const iban =
  /\b(?:AD|AE|AL|AT|AZ|BA|BE|BG|BH|BI|BR|BY|CH|CR|CY|CZ|DE|DJ|DK|DO|EE|EG|ES|FI|FK|FO|FR|GB|GE|GI|GL|GR|GT|HR|HU|IE|IL|IQ|IS|IT|JO|KW|KZ|LB|LC|LI|LT|LU|LV|LY|MC|MD|ME|MK|MN|MR|MT|MU|NI|NL|NO|OM|PK|PL|PS|PT|QA|RO|RS|RU|SA|SC|SD|SE|SI|SK|SM|SO|ST|SV|TL|TN|TR|UA|VA|VG|XK)\d{2}[A-Z\d]{11,30}\b/g;
const pem = /(-----BEGIN[A-Z ]{1,40}(?:KEY|CERTIFICATE)-----)[^-]{0,20000}(?=-----END|$)/g;
const urlPassword = /\b([a-z][a-z\d+.-]{0,30}:\/\/[^\s:@/]{0,200}:)[^\s@/]{1,400}@/gi;
const homes = /([\\/](?:home|[uU]sers)[\\/])[^\\/\s:"']{1,100}/g;
const bearer = /\b(bearer\s{1,10})[^\s'",;)\]}]{4,4000}/gi;
const email = /(?<![\w.+-])[\w.+%-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,6}\.[a-z]{2,24}\b/gi;
const assigned =
  /((?:password|secret|passwd|api[_-]?key|credentials|mysql_pwd|private[_-]?key|(?:access|refresh|id|auth|session|csrf)?[_-]?token)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"',;&)}\]]{1,400}/gi;

const v4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g;
// What looks like one, times of day included; `isIPv6` tells.
const v6 = /(?<![\w:])[\da-f:]{2,39}(?![\w:])/gi;
const hideAddress = (text: string): string => (text.includes(':') && isIPv6(text) ? '[ip]' : text);

/** The text as it may be stored; the same string where nothing was found. */
export function scrubText(text: string, kind: TextKind, rules: ScrubRules): string {
  let safe = text;
  if (rules.defaults) {
    if (kind === 'bag' && (password.test(text) || keyOnly.test(text))) return filtered;
    if (hint.test(text)) safe = replaceAll(text, kind);
    if (word.test(safe)) {
      safe = safe.replace(assigned, (whole: string, name: string, at: number) =>
        kind === 'code' && !isLiteral(name, whole.slice(name.length), safe, at) ? whole : name + filtered,
      );
    }
  }
  const hidesAddresses = rules.removeAddresses && (kind === 'bag' || kind === 'message');
  if (hidesAddresses && addressHint.test(safe)) safe = safe.replace(v4, '[ip]').replace(v6, hideAddress);
  return safe;
}

/** Whether what is assigned is text and no code: it is quoted, stands in the query of a URL, or has letters and digits in one. */
function isLiteral(name: string, value: string, code: string, at: number): boolean {
  if (/["'`]$/.test(name) || /^(?=\D{0,400}\d)[\w+/=-]{8,}$/.test(value)) return true;
  let start = at;
  while (start > 0 && /[\w.-]/.test(code[start - 1] ?? '')) start--;
  return code[start - 1] === '?' || code[start - 1] === '&';
}

function replaceAll(text: string, kind: TextKind): string {
  let safe = text;
  if (kind !== 'id' && numbers.test(safe))
    safe = safe.replace(cards, filtered).replace(ssn, filtered).replace(iban, filtered);
  if (safe.includes('@')) {
    if (safe.includes('://')) safe = safe.replace(urlPassword, `$1${filtered}@`);
    if (kind === 'message') safe = safe.replace(email, '[email]');
  }
  if (safe.includes('-----BEGIN')) safe = safe.replace(pem, `$1\n${filtered}\n`);
  if (bearerWord.test(safe)) safe = safe.replace(bearer, `$1${filtered}`);
  return kind === 'bag' && home.test(safe) ? safe.replace(homes, '$1[user]') : safe;
}
