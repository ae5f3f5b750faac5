/** Values of search terms held against one text or number. */
import type { SearchValue } from '@culprit/search';

export const unescaped = (text: string): string => text.replaceAll('\\*', '*');

/** Exactly, as one of a list, or by wildcards; upper and lower case differ. */
export function matchesText(value: SearchValue, text: string): boolean {
  if (value.type === 'list') return value.values.includes(text);
  if (value.type !== 'text') return false;
  if (!value.wildcard) return unescaped(value.text) === text;
  const parts = partsOf(value.text);
  return parts.every((part) => part === '') ? text !== '' : matchesParts(parts, text);
}

/** What stands between the stars, the escaped ones as themselves. */
const partsOf = (pattern: string): string[] => pattern.split(/(?<!\\)\*+/).map(unescaped);

/** What stands between the stars of a pattern and is not empty. */
export const literalParts = (pattern: string): string[] => partsOf(pattern).filter((part) => part !== '');

/** Whether the text begins with the first part, ends with the last and has the others between in their order. */
function matchesParts(parts: readonly string[], text: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

export function comparesWith(value: SearchValue, count: number): boolean {
  if (value.type === 'numbers') return value.values.includes(count);
  if (value.type !== 'number') return false;
  switch (value.comparison) {
    case '>':
      return count > value.number;
    case '>=':
      return count >= value.number;
    case '<':
      return count < value.number;
    case '<=':
      return count <= value.number;
    case '=':
      return count === value.number;
  }
}
