/** What is replaced by placeholders: as in version 1, and ids without a scheme, numbers with separators, more addresses. */
import { firstLines } from '../message.ts';
import { createParameterizer, type Kind } from '../placeholders.ts';
import { endings, kinds as before, mayHold, octet, v6 } from '../v1/parameterize.ts';

const schemes =
  'https?|wss?|ftp|sftp|ssh|git|file|postgres(?:ql)?|mysql|mongodb(?:\\+srv)?|rediss?|amqps?|s3|gs|chrome-extension|moz-extension';
// Names of standards, whose number is part of them.
const standard = '(?<!\\b(?:utf|ucs|sha|http|tls|ssl)[-/])';

const group = '[\\da-fA-F]{1,4}';
// Those that end with an address of version 4 stand in front, because their first part is one as well. None is taken
// out of the path of a class.
const addresses = [
  `(?<![\\w:])(?:(?:${group}:){1,5}|:):(?:${group}:){0,4}(?:${octet}\\.){3}${octet}(?!\\.?\\d)`,
  `(?<![\\d.])(?:${octet}\\.){3}${octet}(?![\\d.])`,
  `(?<![\\w:])(?:${v6.join('|')}|(?:${group}:){1,7}:|::)(?:%\\w{1,20})?(?:/\\d{1,3})?(?![\\w:(])`,
].join('|');
// Without this one, the zone of a compact date would be a number.
const zoned =
  '\\b\\d{4}(?:0\\d|1[0-2])(?:[0-2]\\d|3[01])[T ](?:[01]\\d|2[0-3]):?[0-5]\\d:?[0-5]\\d(?:\\.\\d{1,12})?[+-]\\d\\d:?\\d\\d\\b';
const known = new Map(before.map(({ placeholder, expression }) => [placeholder, expression]));

const changed: Readonly<Record<string, Kind>> = {
  '<url>': { placeholder: '<url>', expression: `\\b(?:${schemes})://[^\\s"'<>)]{1,4000}` },
  '<hostname>': {
    placeholder: '<hostname>',
    expression: `(?<![\\w.@/-])(?:[a-zA-Z\\d-]{1,63}\\.){1,8}(?:${endings}|${endings.toUpperCase()})(?![\\w-])(?!\\.\\w)`,
  },
  '<ip>': { placeholder: '<ip>', expression: addresses },
  '<date>': { placeholder: '<date>', expression: `${zoned}|${known.get('<date>')}` },
  '<swift_txn_id>': {
    placeholder: '<swift_txn_id>',
    expression: '\\btx[\\da-fA-F]{21}-[\\da-fA-F]{10}[\\w-]{0,100}(?![\\w-])',
  },
  '<hex>': { placeholder: '<hex>', expression: `(?<!\\w)-\\d{8,128}\\b|${known.get('<hex>')}` },
  '<duration>': { placeholder: '<duration>', expression: '\\b\\d{1,12}(?:\\.\\d{1,12})?(?:ms|s|us|µs|ns)\\b' },
  '<int>': {
    placeholder: '<int>',
    expression: `(?:(?<!\\w)-)?\\b\\d{1,3}(?:,\\d{3}){1,8}\\b(?!,\\d)|(?:(?<!\\w)-)?${standard}\\b\\d{1,7}\\b`,
  },
};

const jwt: Kind = {
  placeholder: '<jwt>',
  expression: '\\beyJ[\\w-]{10,300}\\.[\\w-]{5,4000}(?:\\.[\\w-]{0,1000})?',
};
const mac: Kind = { placeholder: '<mac>', expression: '(?<![\\w:])(?:[\\da-fA-F]{2}[:-]){5}[\\da-fA-F]{2}(?![\\w:-])' };
const randomId: Kind = { placeholder: '<random_id>', expression: '\\b[A-Za-z\\d]{10,64}\\b', accepts: isRandom };

/** Letters and digits that take turns: `k9Mtd2gDcgG`, a ULID; not `base64encoder` or `Version20`. */
function isRandom(text: string): boolean {
  let turns = 0;
  for (let index = 1; index < text.length; index++) if (isDigit(text, index) !== isDigit(text, index - 1)) turns++;
  return turns >= 4;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

export const kinds: readonly Kind[] = [
  jwt,
  mac,
  ...before.map((kind) => changed[kind.placeholder] ?? kind),
  // Last: what is a number, a hash or a date is said to be that.
  randomId,
];

export const parameterize = createParameterizer(kinds, mayHold);

export function messageValue(text: string): string {
  return parameterize(firstLines(text));
}
