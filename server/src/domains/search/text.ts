/** Texts as conditions: the same, like a pattern, containing. */
import { hasWildcard, wildcardParts } from '@culprit/search';
import type { Bind } from './binding.ts';

const escapeLike = (text: string): string => text.replaceAll(/[%_\\]/g, '\\$&');

/** A LIKE pattern of a text with stars; all else stands for itself. */
export const likePattern = (text: string): string => wildcardParts(text).map(escapeLike).join('%');

/** A text without its stars' backslashes. */
export const plain = (text: string): string => text.replaceAll('\\*', '*');

/** Of an expression that gives text, '' where absent. A star alone asks whether there is any. */
export function matches(expression: string, text: string, wildcard: boolean, bind: Bind): string {
  if (!wildcard) return `${expression} = ${bind('String', plain(text))}`;
  const pattern = likePattern(text);
  return pattern === '%' ? `${expression} != ''` : `${expression} LIKE ${bind('String', pattern)}`;
}

/** ASCII can be searched ignoring case several times faster than all of Unicode. */
const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/**
 * A condition on text that looks for words, ignoring case, from an expression that gives the text. `stars`: whether an
 * unescaped star stands for anything.
 */
export function containing(text: string, stars: boolean, bind: Bind): (expression: string) => string {
  if (stars && hasWildcard(text)) {
    const pattern = bind('String', likePattern(`*${text}*`));
    return (expression) => `${expression} ILIKE ${pattern}`;
  }
  const needle = stars ? plain(text) : text;
  const placeholder = bind('String', needle);
  const position = isAscii(needle) ? 'positionCaseInsensitive' : 'positionCaseInsensitiveUTF8';
  return (expression) => `${position}(${expression}, ${placeholder}) > 0`;
}

export const either = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`;

export const isLike = (text: string, pattern: string): boolean => isLikeParts(text, wildcardParts(pattern));

/**
 * Whether anything stands between the parts, in time that grows with both lengths and not with their product of stars: as
 * the database decides LIKE.
 */
export function isLikeParts(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
