/** What is replaced by placeholders: as in version 1, and ids without a scheme, numbers with separators, more addresses. */
import { firstLines } from '../message.ts';
import { createParameterizer, type Kind } from '../placeholders.ts';
import { kinds as before, mayHold } from '../v1/parameterize.ts';

const schemes =
  'https?|wss?|ftp|sftp|ssh|git|file|postgres(?:ql)?|mysql|mongodb(?:\\+srv)?|rediss?|amqps?|s3|gs|chrome-extension|moz-extension';
// Names of standards, whose number is part of them.
const standard = '(?<!\\b(?:utf|ucs|sha|http|tls|ssl)[-/])';

const changed: Readonly<Record<string, Kind>> = {
  '<url>': { placeholder: '<url>', expression: `\\b(?:${schemes})://[^\\s"'<>)]{1,4000}` },
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

const kinds: readonly Kind[] = [
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
