/**
 * Sensitive parts inside texts. A text is walked over once (`look.ts`), and only the rules that may find something are
 * tried; in most texts that is none. Every rule takes linear time: bounded repeats, no nested ones.
 */
import { isIPv6 } from 'node:net';
import { isCard, isIban } from './check-digits.ts';
import { tokens, webhooks } from './formats.ts';
import { look, sign } from './look.ts';
import { hideNamed } from './named.ts';
import { filtered, type ScrubRules } from './rules.ts';
import { hideSql } from './sql.ts';

/**
 * `message` is what people write and read; `bag` the client's own data. `value` names something: addresses of people and
 * machines stay in it; in an `id` digits, too, which ids are made of. `code` is a line of source: names are followed by
 * more code there and not by a secret, unless that is a literal.
 */
export type TextKind = 'bag' | 'message' | 'value' | 'id' | 'code';

/** Longer texts are cut before they are looked at; the step cuts far below this anyway. */
export const maxScannedText = 20_000;

/** Characters of the longest secret: who reads a text in pieces finds all where pieces overlap by so much. */
export const maxSecretLength = 16_384;

/** A text that is but one word, and says of itself what it is. In sentences such words tell of errors. */
export const password =
  /^(?:(?:my|our|super|top)[_-]?(?:secret[_-]?)?(?:password|passwd|secret)[_-]?[\d!@#$*]{0,8}|(?:password|passwd|secret)[_-]?[\d!@#$*]{1,8})$/i;

/** Of what the expression takes. */
export const longestPassword = 30;

/** Words of SQL that stand between a name and its values; most texts with a quote have none. */
const sql =
  /\binto [\w."`[\\]|\bvalues ?\(|[\w"`\]] (?:in ?\(|i?like |rlike |regexp |is distinct |<> ?|!= ?)["']?|<>'|!='|identified |password '|password to '|key \([\w", ]+\)=\(|failing row /i;

const numbers = /\d{3}-\d\d-\d{4}|\d[\d -]{13}|[A-Z]{2}\d\d[A-Z\d]{11}/;
const home = /[\\/](?:home|[uU]sers)[\\/]/;
const addressHint = /\d\.\d|:[\da-f]{0,4}:/i;

// Not within decimals and hexadecimal ids.
export const cards =
  /(?<!\d|\d\.|\d[a-f]{1,6})(?:3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|(?:4\d{3}|5[1-5]\d{2}|65\d{2}|6011)[ -]?\d{4}[ -]?\d{4}[ -]?\d{4})(?!\d|[a-f]{1,6}\d)/g;
/** Longer and shorter ones, and those of other issuers, of which the check digit tells. */
export const otherCards = /(?<!\d|\d\.|\d[a-f]{1,6}|[\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;
/** Accounts as they are printed, in groups of four. */
export const spacedIban = /(?<!\w)[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3})?(?!\w)/g;
export const ssn = /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g;
export const iban =
  /\b(?:AD|AE|AL|AT|AZ|BA|BE|BG|BH|BI|BR|BY|CH|CR|CY|CZ|DE|DJ|DK|DO|EE|EG|ES|FI|FK|FO|FR|GB|GE|GI|GL|GR|GT|HR|HU|IE|IL|IQ|IS|IT|JO|KW|KZ|LB|LC|LI|LT|LU|LV|LY|MC|MD|ME|MK|MN|MR|MT|MU|NI|NL|NO|OM|PK|PL|PS|PT|QA|RO|RS|RU|SA|SC|SD|SE|SI|SK|SM|SO|ST|SV|TL|TN|TR|UA|VA|VG|XK)\d{2}[A-Z\d]{11,30}\b/g;
const urlPassword = /\b([a-z][a-z\d+.-]{0,30}:\/\/[^\s:@/]{0,200}:)[^\s@/]{1,400}@/gi;
export const homes = /([\\/](?:home|[uU]sers)[\\/])[^\\/\s:"']{1,100}/g;
const schemes = /(?:\b|(?<=\\[nrt]))(bearer|basic)((?:\s|%20|\+){1,10})(?!\[Filtered|\$?\{)([^\s'",;)\]}<>&\\]{4,})/gi;
const digest = /(?:\b|(?<=\\[nrt]))(digest[ \t]{1,4})(?=(?:username|realm|response|nonce)=)[^\n\r]+/gi;
export const email = /(?<![\w.+-])[\w.+%-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,6}\.[a-z]{2,24}\b/gi;

export const v4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g;
// What looks like one, times of day included; `isIPv6` tells.
export const v6 = /(?<![\w:])[\da-f:]{2,39}(?![\w:])/gi;
const hideAddress = (text: string): string => (text.includes(':') && isIPv6(text) ? '[ip]' : text);

/** The text as it may be stored; the same string where nothing was found. */
export function scrubText(text: string, kind: TextKind, rules: ScrubRules): string {
  if (kind !== 'code' && kind !== 'id') return scrubOnce(text, kind, rules);
  const clean = kind === 'code' ? rules.cleanCode : rules.cleanIds;
  if (clean.has(text)) return text;
  const safe = scrubOnce(text, kind, rules);
  if (safe === text) clean.add(text);
  return safe;
}

function scrubOnce(text: string, kind: TextKind, rules: ScrubRules): string {
  let safe = text;
  if (rules.active) {
    const signs = look(text);
    if (signs & sign.named) safe = hideNamed(safe, rules, kind === 'code');
    if (signs & sign.sql && kind !== 'id' && sql.test(safe)) safe = hideSql(safe, rules, kind === 'code');
    if (rules.defaults) {
      if (kind === 'bag' && text.length <= longestPassword && password.test(text)) return filtered;
      // Paths matter to bags only, and nearly every text with a path has nothing else.
      if (signs & (kind === 'bag' ? ~(sign.named | sign.sql) : ~(sign.named | sign.sql | sign.path)))
        safe = hideForms(safe, kind, signs);
    }
  }
  const hidesAddresses = rules.removeAddresses && (kind === 'bag' || kind === 'message');
  if (hidesAddresses && addressHint.test(safe)) safe = safe.replace(v4, '[ip]').replace(v6, hideAddress);
  return safe;
}

/** What tells by its form that it is secret. */
function hideForms(text: string, kind: TextKind, signs: number): string {
  let safe = text;
  if (signs & sign.dashes && safe.includes('-----BEGIN')) safe = hideKeys(safe);
  if (signs & sign.token) safe = safe.replace(tokens, filtered);
  if (signs & sign.scheme) safe = safe.replace(digest, `$1${filtered}`).replace(schemes, hideCredentials);
  if (signs & sign.url) {
    if (signs & sign.at) safe = safe.replace(urlPassword, `$1${filtered}@`);
    if (safe.includes('hooks')) safe = safe.replace(webhooks, `$1${filtered}`);
  }
  if (signs & sign.digits && kind !== 'id' && numbers.test(safe))
    safe = hideChecked(safe.replace(cards, filtered).replace(ssn, filtered).replace(iban, filtered));
  if (signs & sign.at && kind === 'message') safe = safe.replace(email, '[email]');
  return signs & sign.path && kind === 'bag' && home.test(safe) ? safe.replace(homes, '$1[user]') : safe;
}

/** Numbers that only their check digits tell from others. */
const hideChecked = (text: string): string =>
  text
    .replace(otherCards, (found) => (isCard(found) ? filtered : found))
    .replace(spacedIban, (found) => (isIban(found) ? filtered : found));

const keyBegin = /-----BEGIN[A-Z0-9 ]{1,40}(?:KEY|CERTIFICATE)(?: BLOCK)?-----/g;

/** The lines that begin and end a PEM block say what it was. */
function hideKeys(text: string): string {
  let safe = '';
  let done = 0;
  for (const { start, end, line } of keyPlaces(text)) {
    safe += text.slice(done, start) + filtered + line;
    done = end;
  }
  return safe + text.slice(done);
}

/** What stands between the first and the last line of PEM blocks, and the line break behind the first. */
export function keyPlaces(text: string): { readonly start: number; readonly end: number; readonly line: string }[] {
  const places: { start: number; end: number; line: string }[] = [];
  let done = 0;
  for (const match of text.matchAll(keyBegin)) {
    const start = match.index + match[0].length;
    if (match.index < done) continue;
    const most = Math.min(text.length, start + maxSecretLength);
    // Bounded, so that many beginnings without an end take no longer than their length.
    const end = text.slice(start, most).indexOf('-----END');
    done = end < 0 ? most : start + end;
    // A line break, or what stands for one in JSON.
    const line = /^(?:\r?\n|(?:\\+r)?\\+n)/.exec(text.slice(start, start + 12))?.[0] ?? '';
    places.push({ start: Math.min(start + line.length, done), end: done, line });
  }
  return places;
}

/** What follows `Bearer` and `Basic` in sentences. */
const spoken =
  /^(?:(?:tokens?|auth|authentication|authorization|scheme|header|credentials?|challenge|access|was|not|for|from|must|with|expected|required|missing|invalid|and)[.:!?]*$|(?:realm|error|scope|charset)=)/i;

function hideCredentials(whole: string, scheme: string, space: string, value: string): string {
  if (spoken.test(value)) return whole;
  if (/^basic$/i.test(scheme) && !isBasic(value)) return whole;
  return `${scheme}${space}${filtered}`;
}

/** Credentials behind the name of their scheme, and tokens that tell by their form what they are. */
export function credentialPlaces(text: string): { readonly start: number; readonly end: number }[] {
  const places = [...text.matchAll(schemes)].flatMap(
    ({ 0: whole, 1: scheme = '', 2: space = '', 3: value = '', index }) =>
      hideCredentials(whole, scheme, space, value) === whole
        ? []
        : [{ start: index + whole.length - value.length, end: index + whole.length }],
  );
  return [
    ...places,
    ...Array.from(text.matchAll(tokens), ({ 0: found, index }) => ({ start: index, end: index + found.length })),
  ];
}

/** `user:password` in base64; many other words follow "basic". */
function isBasic(value: string): boolean {
  if (!/^[A-Za-z\d+/_%-]{6,}={0,2}$/.test(value)) return false;
  if (value.endsWith('=') || (value.length > 15 && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)))
    return true;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(value.slice(0, 400), 'base64').toString('latin1'));
}
