import type { SearchKey } from './keys.ts';
import type { DataSet, Place } from './types.ts';

export interface Completion {
  /** What is written so far and what a completion takes the place of. */
  readonly replace: Place;
  readonly kind: 'key' | 'value' | 'operator';
  /** Of the value or operator. */
  readonly key?: SearchKey;
  /** What stands before the offset, without quotes. */
  readonly prefix: string;
}

/** What may be completed at an offset of the query. */
export const completionsAt = (query: string, offset: number, _dataSet: DataSet): Completion => ({
  replace: { start: offset, end: offset },
  kind: 'key',
  prefix: query.slice(offset, offset),
});
