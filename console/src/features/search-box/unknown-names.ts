/** Names in a query that resemble a field and are none. They are searched as tags. Pure. */
import { type DataSet, similarKeys } from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import type { ShownProblem } from './Problems.tsx';
import type { Token } from './tokens.ts';

export interface UnknownName extends ShownProblem {
  readonly name: string;
}

export function unknownNames(tokens: readonly Token[], dataSet: DataSet): UnknownName[] {
  return tokens.flatMap(({ kind, text, start, nameLength }) => {
    const [, not = '', name] = /^(!?)([\w.-]+):/.exec(text) ?? [];
    if (kind !== 'filter' || !name || not.length + name.length + 1 > nameLength) return [];
    const suggestions = similarKeys(name, dataSet);
    if (suggestions.length === 0) return [];
    const from = start + not.length;
    return [{ name, message: m.unknownField({ name }), suggestions, start: from, end: from + name.length }];
  });
}
