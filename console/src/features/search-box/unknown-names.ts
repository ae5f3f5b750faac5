/** Names in a query that are no field and look like one. They are searched for as tags all the same. Pure. */
import { type DataSet, similarKeys } from '@culprit/search';
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
    const message = `No field is called "${name}"; it is looked for among the tags`;
    return [{ name, message, suggestions, start: from, end: from + name.length }];
  });
}
