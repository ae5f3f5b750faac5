/** What rules of a type look for, each in time that follows the length of the text: repeats are bounded, none is nested. */
import { isIPv4, isIPv6 } from 'node:net';
import { isCard, isIban } from '../check-digits.ts';
import { isSecretName } from '../names.ts';
import { namedPlaces } from '../named.ts';
import { scrubRules } from '../rules.ts';
import {
  cards,
  credentialPlaces,
  email,
  homes,
  iban,
  keyPlaces,
  longestPassword,
  otherCards,
  password,
  spacedIban,
  ssn,
  v4,
  v6,
} from '../text.ts';
import type { Range } from './chunks.ts';

export type FormName =
  | 'ip'
  | 'email'
  | 'creditcard'
  | 'iban'
  | 'imei'
  | 'mac'
  | 'uuid'
  | 'pemkey'
  | 'url_auth'
  | 'us_ssn'
  | 'userpath'
  | 'bearer'
  | 'password';

interface Form {
  find(text: string): Range[];
  /** Whether a value is one by its key. */
  key?(name: string): boolean;
}

const imei = /(?<![\w-])\d{2}-?\d{6}-?\d{6}-?\d{1,2}(?![\w-])/g;
const mac = /(?<![\w:-])(?:[\da-f]{2}[:-]){5}[\da-f]{2}(?![\w:-])/gi;
const uuid = /(?<!\w)[a-z\d]{8}-?[a-z\d]{4}-?[a-z\d]{4}-?[a-z\d]{4}-?[a-z\d]{12}(?!\w)/gi;
/** The second group is what goes. */
const urlAuth = /(?<![\w+.-])((?:[a-z\d+-]{1,30}:)?\/\/)([\w%.~-]{1,200}(?::[^\s@/]{0,400})?)(?=@)/gi;
const bearer = /(?<!\w)bearer\s{1,10}\S{1,4096}/gi;
/** Not by words alone: what Relay takes, too. */
const passwordKey =
  /password|secret|passwd|api[-_]?key|auth|credentials|mysql_pwd|private[-_]?key|token|^otp$|^two[-_]factor$/i;

const all =
  (expression: RegExp, isOne?: (text: string) => boolean) =>
  (text: string): Range[] =>
    [...text.matchAll(expression)].flatMap(({ 0: found, index }) =>
      !isOne || isOne(found) ? [{ start: index, end: index + found.length }] : [],
    );

/** What follows the first group. */
const behindFirst =
  (expression: RegExp) =>
  (text: string): Range[] =>
    [...text.matchAll(expression)].map(({ 0: found, 1: first = '', index }) => ({
      start: index + first.length,
      end: index + found.length,
    }));

const addresses = (text: string): Range[] =>
  merged([...all(v4, isIPv4)(text), ...all(v6, (found) => found.includes(':') && isIPv6(found))(text)]);

/** In order, without those that lie within another. */
export function merged(ranges: Range[]): Range[] {
  let end = 0;
  return ranges
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((range) => {
      if (range.start < end) return false;
      end = range.end;
      return true;
    });
}

/** The built-in list, whatever the project has switched off. */
const everything = scrubRules({
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
});

/** Without cookies that hold no session, which stay as they are. */
const namedValues = (text: string): Range[] =>
  namedPlaces(text, everything, false).filter(({ start, end, text: safe }) => text.slice(start, end) !== safe);

/** The line breaks around stay. */
const keyLines = (text: string): Range[] =>
  keyPlaces(text).flatMap(({ start, end, line }) => {
    const last = line !== '' && text.endsWith(line, end) ? end - line.length : end;
    return last > start ? [{ start, end: last }] : [];
  });

export const forms: Readonly<Record<FormName, Form>> = {
  ip: { find: addresses },
  email: { find: all(email) },
  creditcard: { find: (text) => merged([...all(cards)(text), ...all(otherCards, isCard)(text)]) },
  iban: { find: (text) => merged([...all(iban)(text), ...all(spacedIban, isIban)(text)]) },
  imei: { find: all(imei) },
  mac: { find: all(mac) },
  uuid: { find: all(uuid) },
  pemkey: { find: keyLines },
  url_auth: { find: behindFirst(urlAuth) },
  us_ssn: { find: all(ssn) },
  userpath: { find: behindFirst(homes) },
  bearer: { find: all(bearer) },
  password: {
    key: (name) => passwordKey.test(name) || isSecretName(name),
    find: (text) =>
      text.length <= longestPassword && password.test(text)
        ? [{ start: 0, end: text.length }]
        : merged([...namedValues(text), ...credentialPlaces(text)]),
  },
};
