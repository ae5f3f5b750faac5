/**
 * What is replaced by placeholders in grouping version 1: a change here changes hashes, so it needs a new version.
 */
import { firstLines } from '../message.ts';
import { createParameterizer, type Kind } from '../placeholders.ts';

const h = '[\\da-fA-F]';
export const endings =
  'com|net|org|jp|de|uk|fr|br|it|ru|es|me|gov|pl|ca|au|cn|co|in|nl|edu|info|eu|ch|id|at|kr|cz|mx|be|tv|se|tr|tw|al|ua|ir|vn|' +
  'cl|sk|ly|cc|to|no|fi|us|pt|dk|ar|hu|tk|gr|il|news|ro|my|biz|ie|za|nz|sg|ee|th|io|xyz|pe|bg|hk|rs|lt|link|ph|club|si|site|' +
  'mobi|by|cat|wiki|la|ga|xxx|cf|hr|ng|jobs|online|kz|ug|gq|ae|is|lv|pro|fm|tips|ms|sa|app|dev|ai';
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const clock = '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d{1,12})?)?';
const zone =
  '(?:\\s?(?:Z(?:\\d\\d:\\d\\d)?|[+-]\\d\\d:?\\d\\d|(?:GMT|UTC|[A-Z]{2,4}T)(?:[+-]\\d{1,2}:?(?:\\d\\d)?)?\\b)(?:\\s\\([A-Za-z ]{1,60}\\))?)?';

const dates = [
  `\\b${weekday}[a-z]{0,6},?\\s${month}\\s\\d{1,2}\\s${clock}${zone}(?:\\s\\d{4})?\\b`,
  `\\b${weekday}[a-z]{0,6},?\\s\\d{1,2}[\\s-]${month}[\\s-]\\d{2,4}\\s${clock}(?:\\s[+-]\\d{4}|${zone})`,
  `\\b${weekday}[a-z]{0,6},?\\s${month}\\s\\d{1,2},?\\s\\d{4}(?:\\s${clock}${zone})?`,
  `\\b${month}[a-z]{0,6}\\.?\\s\\d{1,2},?\\s\\d{4}(?:,?\\s${clock}(?:\\s?[aApP][mM])?${zone})?\\b`,
  `\\b\\d{1,2}\\s${month}[a-z]{0,6}\\s\\d{2,4}(?:\\s${clock}${zone})?\\b`,
  `\\b\\d{4}-(?:0\\d|1[0-2])-(?:[0-2]\\d|3[01])(?:[T ]${clock}${zone})?(?!\\d)`,
  `\\b\\d{4}(?:0\\d|1[0-2])(?:[0-2]\\d|3[01])[T ](?:[01]\\d|2[0-3]):?[0-5]\\d:?[0-5]\\d(?:\\.\\d{1,12})?Z?\\b`,
  `\\b\\d{1,2}/\\d{1,2}/\\d{4}(?:,?\\s${clock}(?:\\s?[aApP][mM])?)?\\b`,
  `(?<![\\d:.])${clock}(?:\\s?[aApP][mM])?\\b(?![:\\d])`,
  `\\bdatetime\\.datetime\\([\\d, ]{1,80}\\)`,
];

export const v6 = [
  `(?:${h}{1,4}:){7}${h}{1,4}`,
  `(?:${h}{1,4}:){1,6}:${h}{1,4}`,
  `(?:${h}{1,4}:){1,5}(?::${h}{1,4}){2}`,
  `(?:${h}{1,4}:){1,4}(?::${h}{1,4}){3}`,
  `(?:${h}{1,4}:){1,3}(?::${h}{1,4}){4}`,
  `(?:${h}{1,4}:){1,2}(?::${h}{1,4}){5}`,
  `${h}{1,4}:(?::${h}{1,4}){6}`,
  `:(?::${h}{1,4}){1,7}`,
  `(?:${h}{1,4}:){2,7}:`,
];
export const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const table: readonly (readonly [placeholder: string, expression: string])[] = [
  ['<email>', `(?<![\\w.+%-])[\\w.+%-]{1,64}@[a-zA-Z\\d-]{1,63}(?:\\.[a-zA-Z\\d-]{1,63}){1,6}`],
  ['<url>', `\\b(?:https?|wss?|ftp)://[^\\s"'<>)]{1,4000}`],
  ['<hostname>', `(?<![\\w.@/-])(?:[a-zA-Z\\d-]{1,63}\\.){1,8}(?:${endings})(?![\\w-])(?!\\.\\w)`],
  ['<ip>', `(?<![\\d.])(?:${octet}\\.){3}${octet}(?![\\d.])|(?<![\\w:])(?:${v6.join('|')})(?![\\w:(])`],
  ['<traceparent>', `\\b00-[\\da-f]{32}-[\\da-f]{16}-0[01]\\b|\\b1-[\\da-f]{8}-[\\da-f]{24}\\b`],
  ['<uuid>', `\\b${h}{8}-${h}{4}-${h}{4}-${h}{4}-${h}{12}\\b`],
  ['<sha1>', `\\b${h}{40}\\b`],
  ['<md5>', `\\b${h}{32}\\b`],
  ['<date>', dates.join('|')],
  ['<duration>', `\\b\\d{1,12}(?:\\.\\d{1,12})?(?:ms|s)\\b`],
  ['<swift_txn_id>', `\\btx${h}{21}-${h}{10}(?:\\w{0,20})\\b`],
  ['<hex>', `\\b0[xX]${h}{1,128}\\b|\\b(?:[\\da-f]{8,128}|[\\dA-F]{8,128})\\b`],
  ['<git_sha>', `\\b(?=[a-f]{0,6}\\d)(?=\\d{0,6}[a-f])[\\da-f]{7}\\b`],
  ['<float>', `(?:(?<!\\w)-)?\\b\\d{1,40}\\.\\d{1,40}(?:[eE][+-]?\\d{1,4})?\\b`],
  ['<int>', `(?:(?<!\\w)-)?\\b\\d{1,7}\\b`],
  ['<quoted_str>', `(?<==)'[^'\\n]{0,500}'|(?<==)"[^"\\n]{0,500}"`],
  ['<bool>', `(?<==)(?:true|false|True|False)\\b`],
];

/** In the order in which they are tried at one place. */
export const kinds: readonly Kind[] = table.map(([placeholder, expression]) => ({ placeholder, expression }));

/** What no message without any of it can hold. */
export const mayHold = /[\d@=.:]|[a-f]{8}|[A-F]{8}/;

export const parameterize = createParameterizer(kinds, mayHold);

export function messageValue(text: string): string {
  return parameterize(firstLines(text));
}
