/** Groups as one number each: which of those that have a series a row is in. */
import type { Bind } from '../search/index.ts';
import type { Stored } from './cells.ts';

/** SQL of the index of the group, or -1. Values are compared as text, lists element by element, and what is missing with what is missing. */
export function partOf(keys: readonly string[], groups: readonly (readonly Stored[])[], bind: Bind): string {
  const branches = groups.map((values, index) => {
    const equal = keys.map((key, at) => {
      const value = values[at] ?? null;
      if (value === null) return `isNull(${key})`;
      return Array.isArray(value)
        ? `arrayMap(one -> toString(one), ${key}) = ${bind('Array(String)', value.map(String))}`
        : `ifNull(toString(${key}) = ${bind('String', textOf(value))}, 0)`;
    });
    return `${equal.join(' AND ')}, ${index}`;
  });
  return `multiIf(${branches.join(', ')}, -1)`;
}

const textOf = (value: Stored): string => (typeof value === 'boolean' ? String(Number(value)) : String(value));
