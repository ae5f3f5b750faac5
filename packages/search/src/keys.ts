/** The keys of each data set: one table drives reading, validation, completion and, by `place`, the server's SQL. */
import type { DataSet } from './types.ts';

/** Of what is compared: durations in ms, sizes in bytes, percentages as fractions. `rate` and `integer` are numbers. */
export type KeyType =
  | 'text'
  | 'number'
  | 'integer'
  | 'rate'
  | 'duration'
  | 'size'
  | 'percentage'
  | 'date'
  | 'boolean'
  | 'version'
  /** One of the values named with the key, and no other. */
  | 'choice';

/** Fields of issues, which the state store and the counts of an issue's life answer. */
export type IssueField =
  | 'is'
  | 'first_seen'
  | 'last_seen'
  | 'times_seen'
  | 'user_count'
  | 'first_release'
  | 'id'
  | 'short_id'
  | 'type'
  | 'category'
  | 'priority'
  | 'assigned'
  | 'assigned_or_suggested'
  | 'bookmarks'
  | 'subscribed';

/** Where the value is. Only what builds queries reads it. */
export type KeyPlace =
  | { readonly kind: 'issue'; readonly field: IssueField }
  /** Slug (`name`) or id of the project of a row. */
  | { readonly kind: 'project'; readonly by: 'name' | 'id' }
  /** Text. Ids are in lower case without hyphens, digests without what Next.js appends. */
  | { readonly kind: 'column'; readonly column: string; readonly format?: 'id' | 'digest' | 'level' }
  /** Number; `divisor` leads from the column to the base unit, `absent` is what stands for none. */
  | { readonly kind: 'number'; readonly column: string; readonly divisor?: number; readonly absent?: number }
  | { readonly kind: 'boolean'; readonly column: string; readonly inverse?: boolean }
  | { readonly kind: 'time'; readonly column: string; readonly precision: 'ms' | 'us'; readonly to?: 'hour' | 'day' }
  | { readonly kind: 'array'; readonly column: string }
  /** `tags` of events, attributes of spans: text and numbers of one name. */
  | { readonly kind: 'tag'; readonly tag: string; readonly as: 'text' | 'number' | 'boolean' }
  /** JSON path in the payload of an event. */
  | { readonly kind: 'path'; readonly path: readonly string[] }
  /** Of the release: package@version+build. */
  | { readonly kind: 'release'; readonly part: 'version' | 'package' | 'build' }
  /** Free text, who was affected, and whether it was handled as the tag says it. */
  | { readonly kind: 'message' | 'user' | 'handled-tag' };

export interface SearchKey {
  readonly name: string;
  readonly type: KeyType;
  /** `row`: of an event or a span. */
  readonly scope: 'issue' | 'row';
  /** A line for completion. */
  readonly description: string;
  /** The only ones for `choice`, else those worth offering. */
  readonly values?: readonly string[];
  readonly sortable?: boolean;
  readonly place: KeyPlace;
}

export const keysOf = (_dataSet: DataSet): readonly SearchKey[] => [];

/** A name that is in no table is a tag. */
export const findKey = (name: string, _dataSet: DataSet): SearchKey => ({
  name,
  type: 'text',
  scope: 'row',
  description: '',
  place: { kind: 'tag', tag: name, as: 'text' },
});
