import type { DataSet, ParsedSearch, ParseOptions } from './types.ts';

/** Reads a query. Never throws; every problem has its place, and reading goes on after it. */
export function parseSearch(query: string, dataSet: DataSet = 'issues', _options: ParseOptions = {}): ParsedSearch {
  const text = query.trim();
  const root = text ? ({ kind: 'text', text, quoted: false, start: 0, end: query.length } as const) : undefined;
  return { dataSet, items: root ? [root] : [], root, problems: [] };
}
