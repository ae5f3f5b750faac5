import type { KeyType } from '@culprit/search';
import type { TimeRange } from '../../base/time-range.ts';
import type { RowSet } from './sample.ts';

/** Which rows are asked about. */
export interface FieldScope {
  readonly set: RowSet;
  readonly projectIds: readonly number[];
  readonly environments: readonly string[];
  readonly range: TimeRange;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** Something that a search can name. */
export interface DataField {
  /** As it is written in a search, before it is quoted. */
  readonly key: string;
  readonly kind: 'tag' | 'field' | 'measurement' | 'function';
  readonly type: KeyType;
  readonly description: string;
  /** Rows that have it, among those looked at; undefined where nobody counted. */
  readonly total: number | undefined;
}

export interface FieldValue {
  readonly value: string;
  /** Rows among those looked at. */
  readonly count: number;
  /** Ms since the epoch. */
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export interface FieldValues {
  readonly values: readonly FieldValue[];
  /** True when the counts are of a sample. */
  readonly sampled: boolean;
}
