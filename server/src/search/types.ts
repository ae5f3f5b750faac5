/** What a search query consists of once it is read. Offsets are UTF-16 units of the query. */
import type { SearchKey } from './keys.ts';

export interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

export const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
export type Unit = keyof typeof units;

export type SearchValue =
  /** `wildcard`: holds an unescaped `*`, the text still has its backslashes. */
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean; readonly wildcard: boolean }
  | { readonly type: 'list'; readonly values: readonly string[] }
  | { readonly type: 'number'; readonly comparison: Comparison; readonly number: number }
  | { readonly type: 'numbers'; readonly values: readonly number[] }
  /** From `fromMs` up to but not with `untilMs`; either may be infinite. ms since the epoch. */
  | { readonly type: 'date'; readonly fromMs: number; readonly untilMs: number }
  /** `-`: within that time up to now; `+`: longer ago than that. */
  | { readonly type: 'age'; readonly sign: '-' | '+'; readonly amount: number; readonly unit: Unit }
  | { readonly type: 'boolean'; readonly value: boolean };

export type SearchTerm =
  | (Place & {
      readonly kind: 'filter';
      /** As written, without quotes. */
      readonly name: string;
      readonly key: SearchKey;
      readonly negated: boolean;
      readonly value: SearchValue;
    })
  | (Place & { readonly kind: 'has'; readonly name: string; readonly key: SearchKey; readonly negated: boolean })
  | (Place & { readonly kind: 'text'; readonly text: string; readonly quoted: boolean });

export type ProblemCode =
  | 'syntax'
  | 'must-be-quoted'
  | 'filter-must-have-value'
  | 'empty-value-in-list-not-allowed'
  | 'list-not-allowed'
  | 'invalid-boolean'
  | 'invalid-number'
  | 'invalid-date-format'
  | 'unknown-value'
  | 'not-supported'
  | 'too-long'
  | 'too-many-terms';

export interface SearchProblem extends Place {
  readonly code: ProblemCode;
  /** In words, naming the key. */
  readonly message: string;
}

export interface ParsedSearch {
  readonly terms: readonly SearchTerm[];
  /** When there is any, the query is not to be run: what is left of it means something else. */
  readonly problems: readonly SearchProblem[];
}
