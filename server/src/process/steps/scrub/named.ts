/**
 * Values by their names: `name=value`, `name: value`, `"name":"value"`, `'name' => 'value'`; so parameters of URLs,
 * forms, settings, headers, and JSON within texts. Each `=` and `:` is looked at once, its name backwards and its value
 * forwards, so that time follows the length whatever the text.
 */
import { filtered, type ScrubRules } from './rules.ts';
import { isCookieHeader, isParameterName } from './names.ts';
import { isStandIn } from './values.ts';
import { lineAt, type Range, skipSpace, valueAt } from './value-range.ts';

export interface Name {
  readonly text: string;
  readonly start: number;
  /** Whether it stands in the query of a URL, or in a form. */
  readonly parameter: boolean;
}

const maxName = 80;
/** White space between the name and the mark. */
const maxSpace = 3;
const shortestName = 3;

const equals = 61;
const colon = 58;
const inName = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.$-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** `literals`: in source code, only what is quoted or stands in a URL is a value. */
export function hideNamed(text: string, rules: ScrubRules, literals: boolean): string {
  let safe = '';
  let done = 0;
  for (const place of namedPlaces(text, rules, literals)) {
    safe += text.slice(done, place.start) + place.text;
    done = place.end;
  }
  return done === 0 ? text : safe + text.slice(done);
}

const noPlaces: readonly Hidden[] = [];

/** In order, apart from each other. */
export function namedPlaces(text: string, rules: ScrubRules, literals: boolean): readonly Hidden[] {
  let places: Hidden[] | undefined;
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at);
    if (mark !== equals && mark !== colon && mark !== 37) continue;
    const after = markEnd(text, at, mark);
    if (after < 0) continue;
    const first = skipSpace(text, after);
    const name = nameBefore(text, at, done);
    if (!name || (literals && !isText(text, name, first, mark))) continue;
    const found = hidden(text, name, first, mark, rules);
    if (!found) continue;
    (places ??= []).push(found);
    done = found.end;
    at = done - 1;
  }
  return places ?? noPlaces;
}

/** Where the value may begin; -1 for what stands between no name and value: `==`, `::`, `://`. */
function markEnd(text: string, at: number, mark: number): number {
  const next = text.charCodeAt(at + 1);
  if (mark === equals) {
    if (next === equals || text.charCodeAt(at - 1) === equals) return -1;
    return next === 62 ? at + 2 : at + 1;
  }
  if (mark === colon) {
    if (next === colon || next === equals || text.charCodeAt(at - 1) === colon) return -1;
    return next === 47 && text.charCodeAt(at + 2) === 47 ? -1 : at + 1;
  }
  // `%3D` and `%3A`: a URL within a URL.
  const second = text.charCodeAt(at + 2) | 32;
  return next === 51 && (second === 100 || second === 97) ? at + 3 : -1;
}

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;
/** Letters and digits in one, and no call: shell scripts and settings have no quotes. */
const mixed = /(?=[^\d\s]{0,80}\d)[\w+/=%-]{8,}(?![\w+/=%.(-])/y;

/** Whether a value in source code is text, and no code. */
function isLiteral(text: string, at: number): boolean {
  if (isQuote(text.charCodeAt(at)) || text[at] === '[' || text[at] === '\\') return true;
  mixed.lastIndex = at;
  return mixed.test(text);
}

/** Whether a value in source code may be one: a literal, a parameter of a URL, or `name=value` within quotes. */
const isText = (text: string, name: Name, first: number, mark: number): boolean =>
  name.parameter || isLiteral(text, first) || (mark === equals && isQuoted(text, name.start));

/** Lines of source are not longer. */
const maxLine = 512;

/** Whether quotes are open there, and closed later. */
function isQuoted(text: string, at: number): boolean {
  let open = 0;
  for (let place = Math.max(0, at - maxLine); place < at; place++) {
    const code = text.charCodeAt(place);
    if (code === 92) place++;
    else if (open === 0 ? isQuote(code) : code === open) open = open === 0 ? code : 0;
  }
  return open !== 0 && text.indexOf(String.fromCharCode(open), at) > 0;
}

function nameBefore(text: string, at: number, from: number): Name | undefined {
  let end = at;
  while (end > from && at - end < maxSpace && text.charCodeAt(end - 1) === 32) end--;
  if (text.charCodeAt(end - 1) === colon) end--;
  if (text.charCodeAt(end - 1) === 93) end--;
  else if (text.charCodeAt(end - 3) === 37 && /^%5d$/i.test(text.slice(end - 3, end))) end -= 3;
  if (isQuote(text.charCodeAt(end - 1))) {
    end--;
    while (end > from && at - end < 8 && text.charCodeAt(end - 1) === 92) end--;
  }
  const least = Math.max(from, end - maxName);
  let start = end;
  while (start > least && inName[text.charCodeAt(start - 1)] === 1) start--;
  if (end - start < shortestName) return undefined;
  const before = text.charCodeAt(start - 1);
  if (before === 37 || before === 92) return escapedName(text, start, end, before);
  // `?`, `&`, `#`, `;`
  // `//user:` begins an address; what follows is a port, or the matter of the rule for addresses.
  if (before === 47 && text.charCodeAt(start - 2) === 47) return undefined;
  const parameter = before === 63 || before === 38 || before === 35 || before === 59;
  return { text: text.slice(start, end), start, parameter };
}

/** `%26token`, `\u0026token`, `\ntoken`: the escape is no part of the name. */
function escapedName(text: string, start: number, end: number, before: number): Name | undefined {
  const sent = text.slice(start, end);
  const escape = (before === 37 ? /^(?:26|3[fF]|[\da-fA-F]{2})/ : /^(?:u[\da-fA-F]{4}|[nrt])/).exec(sent)?.[0] ?? '';
  const parameter = /^(?:26|3f|u0026|u003f)$/i.test(escape);
  if (sent.length - escape.length < shortestName) return undefined;
  return { text: sent.slice(escape.length), start: start + escape.length, parameter };
}

interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function hidden(text: string, name: Name, first: number, mark: number, rules: ScrubRules): Hidden | undefined {
  if (isCookieHeader(name.text)) return hiddenCookies(text, first, rules);
  const kind = rules.key(name.text);
  if (kind === 'safe') return undefined;
  const signature = kind === 'plain' && name.parameter && isParameterName(name.text);
  if (kind === 'plain' && !signature && !isOfTwoWords(text, name, rules)) return undefined;
  if (kind === 'sensitive' && /set[_-]?cookie2?$/i.test(name.text)) return whole(lineAt(text, first));
  const range = valueAt(text, first, name);
  if (!range || range.certain) return whole(range);
  const value = text.slice(range.start, range.end);
  if (signature && rules.parameter(name.text, value) !== 'sensitive') return undefined;
  return isStandIn(value, { text, name, range, colon: mark === colon }) ? undefined : whole(range);
}

const whole = (range: Range | undefined): Hidden | undefined => range && { ...range, text: filtered };

/** `API key: …`, `session id=…`. */
function isOfTwoWords(text: string, name: Name, rules: ScrubRules): boolean {
  if (name.text.length > 6 || !/^(?:key|keys|phrase|string|id|code)$/i.test(name.text)) return false;
  const word = /([A-Za-z]{3,12})[ -]$/.exec(text.slice(Math.max(0, name.start - 13), name.start))?.[1];
  return word !== undefined && rules.key(`${word}_${name.text}`) === 'sensitive';
}

const cookie = /\[?[bru]?\\{0,8}["'`]?[\w.-]{1,80}=/iy;

/** Those that hold no session stay; nothing else is looked for in them. */
function hiddenCookies(text: string, first: number, rules: ScrubRules): Hidden | undefined {
  cookie.lastIndex = first;
  const range = cookie.test(text) ? lineAt(text, first) : undefined;
  return range && { ...range, text: scrubCookies(text.slice(range.start, range.end), rules) };
}

/** `a=1; b=2`: cookies that hold a session lose their value. */
export function scrubCookies(text: string, rules: ScrubRules): string {
  const cookies = text.split(';').map((part) => {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    return at >= 0 && at < part.length - 1 && rules.cookie(name) === 'sensitive'
      ? `${part.slice(0, at)}=${filtered}`
      : part;
  });
  return cookies.join(';');
}
