/** The keys of each data set: one table drives reading, validation, completion and, by `place`, the server's SQL. */
import { keyTable, measurement, nowhereKeys } from './key-table.ts';
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
  /**
   * Text. Ids are in lower case without hyphens, digests without what Next.js appends, levels as Sentry calls them.
   * `ofSegment`: absent in spans that are no transactions.
   */
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly format?: 'id' | 'digest' | 'level';
      readonly ofSegment?: true;
    }
  /** Number; `divisor` leads from the column to the base unit, `absent` is what stands for none. */
  | {
      readonly kind: 'number';
      readonly column: string;
      readonly divisor: number;
      readonly absent?: number;
      readonly ofSegment?: true;
    }
  | { readonly kind: 'boolean'; readonly column: string; readonly inverse?: true }
  | { readonly kind: 'time'; readonly column: string; readonly precision: 'ms' | 'us'; readonly to?: 'hour' | 'day' }
  | { readonly kind: 'array'; readonly column: string }
  /** `tags` of events, attributes of spans: text and numbers of one name. */
  | { readonly kind: 'tag'; readonly tag: string; readonly as: 'text' | 'number' | 'boolean' }
  /** JSON path in an event, among its facts; with `tag` only where the event has no such tag. */
  | { readonly kind: 'path'; readonly path: readonly string[]; readonly tag?: string }
  /** Header of the request of an event, in lower case. */
  | { readonly kind: 'header'; readonly header: string }
  /** Feature flag that was evaluated before the event. */
  | { readonly kind: 'flag'; readonly flag: string }
  /** Of the release: package@version+build. */
  | { readonly kind: 'release'; readonly part: 'version' | 'package' | 'build' }
  /** Free text, who was affected, and whether it was handled as the tag says it. */
  | { readonly kind: 'message' | 'user' | 'handled-tag' }
  /** Of another data set, or not known to this program: never to be run. */
  | { readonly kind: 'nowhere' };

export interface SearchKey {
  readonly name: string;
  readonly type: KeyType;
  /** `row`: of an event or a span. */
  readonly scope: 'issue' | 'row';
  /** The only ones for `choice`, else those worth offering. */
  readonly values?: readonly string[];
  readonly sortable?: boolean;
  /** Text that is compared as versions and numbers are where an operator stands before it. */
  readonly ordered?: true;
  readonly place: KeyPlace;
}

const byName = (keys: readonly SearchKey[]): ReadonlyMap<string, SearchKey> =>
  new Map(keys.map((key) => [key.name, key]));

const tables = {
  issues: byName(keyTable.issues),
  events: byName(keyTable.events),
  spans: byName(keyTable.spans),
} as const;
const nowhere = byName(nowhereKeys);

export const keysOf = (dataSet: DataSet): readonly SearchKey[] => keyTable[dataSet];

/** Of contexts whose fields are no tags; the dotted name leads into the payload. */
const contexts =
  /^(?:app|browser|cloud_resource|culture|device|gpu|memory_info|monitor|nel|os|otel|react|replay|response|runtime|state|threadpool_info|trace|unity|unreal)\.[^.]/;

/** Of their names the pipeline makes tags, so that the payload need not be read. */
const derived = /^(?:(?:browser|os|runtime)\.name|device\.(?:family|class))$/;

const tagKey = (name: string, tag: string, as: 'text' | 'number' | 'boolean'): SearchKey => ({
  name,
  type: as,
  scope: 'row',
  sortable: true,
  place: { kind: 'tag', tag, as },
});

const asTypes = { string: 'text', number: 'number', boolean: 'boolean' } as const;

/**
 * The key of a name as written. `tags[x]` is the tag `x` even where `x` is a key of its own. A name that is in no table
 * is a field of a context, or else a tag of events and an attribute of spans.
 */
export function findKey(name: string, dataSet: DataSet): SearchKey {
  const known = tables[dataSet].get(name);
  if (known) return known;
  const [, tag, as = 'string'] = /^tags\[\s*([^\],]+?)\s*(?:,\s*(string|number|boolean)\s*)?\]$/.exec(name) ?? [];
  if (tag !== undefined) return tagKey(name, tag, asTypes[as as keyof typeof asTypes]);
  const flag = /^flags\["(.+)"\]$/s.exec(name)?.[1];
  if (flag !== undefined) return { ...tagKey(name, '', 'text'), place: { kind: 'flag', flag } };
  if (name.startsWith('measurements.')) return measurement(name, name.slice('measurements.'.length));
  if (dataSet !== 'spans') {
    const path = name.split('.');
    if (/^contexts\.[^.]/.test(name)) return { ...tagKey(name, '', 'text'), place: { kind: 'path', path } };
    if (contexts.test(name) && !derived.test(name)) {
      return { ...tagKey(name, '', 'text'), place: { kind: 'path', path: ['contexts', ...path], tag: name } };
    }
  }
  return tagKey(name, name, 'text');
}

/** A key of this name that another data set has and this one does not: mistaken for a tag it would find nothing. */
export function findElsewhere(name: string, dataSet: DataSet): SearchKey | undefined {
  if (tables[dataSet].has(name)) return undefined;
  if (name.startsWith('measurements.')) return dataSet === 'spans' ? undefined : findKey(name, 'spans');
  // Texts of other data sets may be somebody's tags, and are then found as such.
  return (
    nowhere.get(name) ??
    [tables.issues.get(name), tables.spans.get(name)].find(
      (key) => key && (key.scope === 'issue' || key.type !== 'text'),
    )
  );
}

/** Whether the table has it, so that it is no tag, attribute or context. */
export const isKnown = (name: string, dataSet: DataSet): boolean => tables[dataSet].has(name);
