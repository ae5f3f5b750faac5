/** Values by the type of their key. */
import type { KeyType } from './keys.ts';
import type { Comparison, SearchValue } from './types.ts';
import {
  hasWildcard,
  readBoolean,
  readDate,
  readDuration,
  readNumber,
  readPercentage,
  readSize,
  readVersion,
} from './values.ts';

/** Types that are compared; of the others an operator is part of the text. */
export const isComparable = (type: KeyType): boolean => type !== 'text' && type !== 'choice' && type !== 'boolean';

/** Undefined when the text does not fit the type. */
export function readTyped(
  type: KeyType,
  text: string,
  quoted: boolean,
  comparison: Comparison | undefined,
): SearchValue | undefined {
  const equal = comparison ?? '=';
  switch (type) {
    case 'number':
    case 'integer':
    case 'rate': {
      const number = readNumber(text);
      return number === undefined ? undefined : { type: 'number', comparison: equal, number };
    }
    case 'duration':
      return readDuration(text, equal);
    case 'size':
      return readSize(text, equal);
    case 'percentage':
      return readPercentage(text, equal);
    case 'date':
      return readDate(text, comparison);
    case 'boolean': {
      const value = readBoolean(text);
      return value === undefined ? undefined : { type: 'boolean', value };
    }
    case 'version':
      return readVersion(text, equal);
    case 'choice':
      return { type: 'text', text, quoted, wildcard: false };
    case 'text':
      return { type: 'text', text, quoted, wildcard: hasWildcard(text) };
  }
}

/** Any of them: amounts in the base unit. Undefined where one does not fit, or the type takes no lists. */
export function readListed(
  type: KeyType,
  list: readonly string[],
  comparison: Comparison | undefined,
): SearchValue | undefined {
  if (comparison !== undefined && comparison !== '=') return undefined;
  if (type === 'text') return { type: 'list', values: list };
  if (type === 'version') {
    const fit = list.every((text) => !hasWildcard(text) && readVersion(text, '='));
    return fit ? { type: 'list', values: list } : undefined;
  }
  const values = list.map((text) => baseAmount(type, text)).filter((number) => number !== undefined);
  return values.length === list.length ? { type: 'numbers', values } : undefined;
}

function baseAmount(type: KeyType, text: string): number | undefined {
  const value = readTyped(type, text, false, undefined);
  switch (value?.type) {
    case 'number':
      return value.number;
    case 'duration':
      return value.ms;
    case 'size':
      return value.bytes;
    case 'percentage':
      return value.fraction;
    default:
      return undefined;
  }
}
