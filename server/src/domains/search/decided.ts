/**
 * Conditions that can be decided here rather than by the database: those on columns of few values. Many questions about the
 * same rows are then one reading of these, grouped by such columns, which costs a twentieth of as many conditions in SQL.
 */
import { isLikeParts } from './text.ts';
import type { UnionPart } from './union.ts';

/** A version of a program, a level, …: an issue has few of each. */
const fewValued = ['environment', 'level', 'platform', 'release'] as const;
type FewValued = (typeof fewValued)[number];

export interface Decided {
  readonly columns: readonly FewValued[];
  holds(valueOf: (column: FewValued) => string): boolean;
}

/** Those by which rows have to be grouped. */
export const columnsOf = (decided: readonly Decided[]): readonly FewValued[] =>
  fewValued.filter((column) => decided.some(({ columns }) => columns.includes(column)));

/** As an array of texts. */
export const arrayOf = (columns: readonly FewValued[]): string =>
  columns.length ? `[${columns.map((column) => `toString(${column})`).join(', ')}]` : 'emptyArrayString()';

/** Which of them hold, by index, where the columns have these values; many rows have the same. */
export function deciderOf(
  decided: readonly Decided[],
  columns: readonly FewValued[],
): (values: readonly string[]) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (values) => {
    const key = values.join('\0');
    const answer =
      known.get(key) ??
      [...decided.keys()].filter((index) => decided[index]?.holds((column) => values[columns.indexOf(column)] ?? ''));
    known.set(key, answer);
    return answer;
  };
}

interface Comparison {
  readonly column: FewValued;
  accepts(value: string): boolean;
}

const everything = '1';

/** Undefined where any of the condition is of another kind. */
export function decidedHere({ sql, params }: UnionPart): Decided | undefined {
  const comparisons: Comparison[] = [];
  for (const condition of sql === everything ? [] : sql.split(' AND ')) {
    const comparison = readComparison(condition, params);
    if (!comparison) return undefined;
    comparisons.push(comparison);
  }
  return {
    columns: [...new Set(comparisons.map(({ column }) => column))],
    holds: (valueOf) => comparisons.every(({ column, accepts }) => accepts(valueOf(column))),
  };
}

// A bracket that is closed in another part of the text leaves one that is no comparison.
const comparison = new RegExp(
  String.raw`^(\()?(${fewValued.join('|')}) (=|LIKE|IN) \{(\w+):(?:String|Array\(String\))\}(\))?$`,
);

function readComparison(condition: string, params: UnionPart['params']): Comparison | undefined {
  const [, open = '', column, operator, name = '', close = ''] = comparison.exec(condition) ?? [];
  if (column === undefined || open.length !== close.length) return undefined;
  const value = params[name];
  const accepts = acceptsOf(operator, value);
  return accepts && { column: column as FewValued, accepts };
}

function acceptsOf(operator: string | undefined, value: unknown): Comparison['accepts'] | undefined {
  if (operator === 'IN') return Array.isArray(value) ? (text) => value.includes(text) : undefined;
  if (typeof value !== 'string') return undefined;
  return operator === 'LIKE' ? likeOf(value) : (text) => text === value;
}

/** Undefined for a pattern with a sign for one character alone, which no search has. */
function likeOf(pattern: string): Comparison['accepts'] | undefined {
  const parts = [''];
  for (const [sign] of pattern.matchAll(/\\[%_\\]|[\s\S]/gu)) {
    if (sign === '_') return undefined;
    if (sign === '%') parts.push('');
    else parts[parts.length - 1] += sign.length === 2 && sign.startsWith('\\') ? sign.slice(1) : sign;
  }
  return (text) => isLikeParts(text, parts);
}
