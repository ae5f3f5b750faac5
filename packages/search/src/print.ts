import type { SearchItem } from './types.ts';

/** The query that reads as these items. */
export const printSearch = (items: readonly SearchItem[]): string =>
  items.map((item) => (item.kind === 'text' ? item.text : '')).join(' ');

/** The term that finds exactly this value of a key, both quoted where they must be. */
export const termText = (key: string, value: string): string => `${key}:"${value}"`;
