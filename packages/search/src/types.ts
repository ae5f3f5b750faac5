/**
 * What a search query consists of once it is read. Offsets are UTF-16 units of the query.
 *
 * A query is read into two forms at once: `items`, as it was written, which tokens, chips and printing are made of; and
 * `root`, the tree that filters are made of.
 */
import type { FunctionField } from './functions.ts';
import type { KeyType, SearchKey } from './keys.ts';
import type { Because } from './reasons.ts';

export type DataSet = 'issues' | 'events' | 'spans';

export interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** An amount as written with its unit, and what it comes to in the base unit. */
interface Measured {
  readonly comparison: Comparison;
  readonly amount: number;
  /** As written, in lower case; '' where there was none. */
  readonly unit: string;
}

export type SearchValue =
  /** `wildcard`: holds an unescaped `*`; the text still has the backslashes of escaped ones. */
  | { readonly type: 'text'; readonly text: string; readonly quoted: boolean; readonly wildcard: boolean }
  /** `key:[a, b]`: one of them, taken as they are. */
  | { readonly type: 'list'; readonly values: readonly string[] }
  | { readonly type: 'number'; readonly comparison: Comparison; readonly number: number }
  | { readonly type: 'numbers'; readonly values: readonly number[] }
  | (Measured & { readonly type: 'duration'; readonly ms: number })
  | (Measured & { readonly type: 'size'; readonly bytes: number })
  /** `5%` is 0.05. */
  | (Measured & { readonly type: 'percentage'; readonly fraction: number })
  /** Semantic version, compared by its order; `1.2.*` has a wildcard. */
  | { readonly type: 'version'; readonly comparison: Comparison; readonly text: string; readonly wildcard: boolean }
  /** From `fromMs` up to but not with `untilMs`; either may be infinite. ms since the epoch. */
  | {
      readonly type: 'date';
      readonly comparison: Comparison | undefined;
      readonly fromMs: number;
      readonly untilMs: number;
    }
  /** `-`: within that time up to now; `+`: longer ago than that. */
  | { readonly type: 'age'; readonly sign: '-' | '+'; readonly amount: number; readonly unit: 'm' | 'h' | 'd' | 'w' }
  | { readonly type: 'boolean'; readonly value: boolean };

export type SearchTerm =
  | (Place & {
      readonly kind: 'filter';
      /** As written, without quotes: `level`, `tags[x]`, `p95(span.duration)`. */
      readonly name: string;
      readonly key: SearchKey | FunctionField;
      readonly negated: boolean;
      readonly value: SearchValue;
      /** Where the value stands, operator included. */
      readonly valuePlace: Place;
    })
  | (Place & {
      readonly kind: 'has';
      /** Of the key that is asked for. */
      readonly name: string;
      readonly key: SearchKey;
      readonly negated: boolean;
    })
  | (Place & { readonly kind: 'text'; readonly text: string; readonly quoted: boolean });

export type SearchItem =
  | SearchTerm
  | (Place & { readonly kind: 'operator'; readonly operator: 'and' | 'or' })
  | (Place & { readonly kind: 'group'; readonly items: readonly SearchItem[] });

/** At least two nodes stand under `and` and `or`. Negation stands at terms alone. */
export type SearchNode = SearchTerm | { readonly kind: 'and' | 'or'; readonly nodes: readonly SearchNode[] };

export interface SearchProblem extends Place, Because {
  readonly code: ProblemCode;
  /** The key (or text) that it is about, as written. */
  readonly at: string;
  /** What the marked place may be replaced with, best first. */
  readonly suggestions?: readonly string[];
}

export type ProblemCode =
  | 'syntax'
  | 'must-be-quoted'
  | 'filter-must-have-value'
  | 'empty-value-in-list-not-allowed'
  | 'list-not-allowed'
  | 'invalid-boolean'
  | 'invalid-number'
  | 'invalid-duration'
  | 'invalid-file-size'
  | 'invalid-percentage'
  | 'invalid-date-format'
  | 'invalid-version'
  | 'invalid-key'
  | 'invalid-function'
  | 'wildcard-not-allowed'
  | 'free-text-not-allowed'
  | 'negation-not-allowed'
  | 'logic-and-not-allowed'
  | 'logic-or-not-allowed'
  | 'aggregates-may-not-be-ored'
  | 'unknown-value'
  | 'too-long'
  | 'too-many-terms'
  | 'too-deep';

export interface ParsedSearch {
  readonly dataSet: DataSet;
  readonly items: readonly SearchItem[];
  /** Undefined: everything. */
  readonly root: SearchNode | undefined;
  /** When there is any, the query is not to be run: what is left of it means something else. */
  readonly problems: readonly SearchProblem[];
}

/** What a place of use does not allow, over what its data set knows. */
export interface ParseOptions {
  readonly disallowWildcard?: boolean;
  readonly disallowFreeText?: boolean;
  readonly disallowNegation?: boolean;
  readonly disallowedLogicalOperators?: readonly ('AND' | 'OR')[];
  /** When given, other keys than these are refused; those of `has:` as well. */
  readonly allowedKeys?: readonly string[];
  /** Keys with a type of their own here. */
  readonly keyTypes?: Readonly<Record<string, KeyType>>;
  /** Texts that are compared in order here, as those of releases are. */
  readonly orderedKeys?: readonly string[];
  /** Keys and functions of the other data sets are read by their types as well, where they would be refused. */
  readonly anyDataSet?: boolean;
}
