/**
 * What is replaced by placeholders: in messages as in version 2; in the text of an error, which has what somebody typed
 * in the middle of it, quoted text, paths, codes and printed values as well.
 */
import { platformFamily } from '../../family.ts';
import { firstLines } from '../message.ts';
import { createParameterizer, type Kind } from '../placeholders.ts';
import { kinds as before, messageValue } from '../v2/parameterize.ts';

export { messageValue };

const quoted: Kind = {
  placeholder: '<quoted_str>',
  expression: [
    '"(?:[^"\\\\\\n]|\\\\.){0,500}"',
    // An apostrophe stands within a word or at its end.
    "(?<![\\w)\\]>])'[^'\\n]{0,500}'(?!\\w)",
    '“[^”\\n]{0,500}”',
    '«[^»\\n]{0,500}»',
  ].join('|'),
};
/** `ParseIntError { kind: InvalidDigit }`: which error it is stands before it. */
const printed: Kind = { placeholder: '{...}', expression: '\\{[^{}\\n]{0,500}\\}' };
const path: Kind = {
  placeholder: '<path>',
  expression: '(?<![\\w.:/\\\\<>)-])(?:[A-Za-z]:[\\\\/]|~?/)[\\w.@+-]{1,100}(?:[\\\\/][\\w.@+-]{1,100}){1,40}[\\\\/]?',
};
/** `A-1`, `ORD-2024-17`. */
const code: Kind = { placeholder: '<code>', expression: '\\b(?!(?:UTF|SHA|ISO|CVE)-)[A-Z]{1,6}(?:-\\d{1,12}){1,4}\\b' };

const kinds: readonly Kind[] = [quoted, printed, path, code, ...before];

const parameterize = createParameterizer(kinds, /[\d@=.:"'“«/\\{]|[a-f]{8}|[A-F]{8}/);

/** What is left of a text where nothing is said but placeholders. */
const noWords = /<\w{1,30}>|[^\p{L}]/gu;

export function errorValue(text: string, platform: string): string {
  if (platformFamily(platform) === 'javascript') return messageValue(text);
  const lines = firstLines(text);
  const value = parameterize(lines);
  // A text that is one quotation is all that is known.
  return value === lines || value.replace(noWords, '') !== '' ? value : messageValue(text);
}
