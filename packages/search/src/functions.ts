/** Aggregates over rows: `count()`, `p95(span.duration)`, `count_if(level, equals, error)`. */
import type { KeyType, SearchKey } from './keys.ts';
import type { DataSet, SearchProblem } from './types.ts';

export interface FunctionParameter {
  readonly name: string;
  /** `number`: a numeric key. `key`: any. `constant`: a number. `value`: a text to compare with. */
  readonly takes: 'key' | 'number' | 'constant' | 'operator' | 'value';
  /** What is taken when it is left out; without it, it must be given. */
  readonly fallback?: string;
}

export interface FunctionKey {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  /** `argument`: as its first argument. */
  readonly type: KeyType | 'argument';
}

export type FunctionArgument =
  | { readonly kind: 'key'; readonly key: SearchKey }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'text'; readonly text: string };

export type Unit = 'millisecond' | 'byte' | '1/second' | '1/minute' | null;

interface FieldBase {
  /** Canonical: `p95(span.duration)`. */
  readonly name: string;
  readonly type: KeyType;
  readonly unit: Unit;
}

export interface KeyField extends FieldBase {
  readonly kind: 'key';
  readonly key: SearchKey;
}

export interface FunctionField extends FieldBase {
  readonly kind: 'function';
  readonly scope: 'aggregate';
  readonly key: FunctionKey;
  readonly args: readonly FunctionArgument[];
}

/** A column of Explore. */
export type Field = KeyField | FunctionField;

export const functionsOf = (_dataSet: DataSet): readonly FunctionKey[] => [];

/** `level`, `tags[x]`, `count()`, `p95(span.duration)`; the problem's place is within the text. */
export function parseField(text: string, _dataSet: DataSet): Field | SearchProblem {
  return { code: 'invalid-key', message: `"${text}" is no key`, at: text, start: 0, end: text.length };
}
