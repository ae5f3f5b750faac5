/** What the indexer and its thread say to each other. */
import type { BlobsOptions } from '../../../ports/blobs/open.ts';
import type { StateOptions } from '../../../ports/state/open.ts';

export interface IndexingSetup {
  readonly state: StateOptions;
  readonly blobs: BlobsOptions;
  /** Float64Array with the slots of `progressSlots`. */
  readonly progress: SharedArrayBuffer;
}

/** What the thread is at, for when it dies or does not come back. */
export const progressSlots = {
  /** Which pair of script and map, counted from 1; 0 for none. */
  pair: 0,
  /** When it was begun, by `steadyMs`. */
  since: 1,
  count: 2,
} as const;

export interface ToIndexing {
  readonly kind: 'bundle';
  readonly bundleId: number;
  /** Which has claimed the bundle. */
  readonly node: string;
  /** Pairs whose map is not to be read, counted from 1, with the reason in words. */
  readonly skip: ReadonlyMap<number, string>;
}

/** A bundle whose artifacts are there to be used. */
export interface IndexedBundle {
  readonly bundleId: number;
  readonly organizationId: string;
  readonly projectIds: readonly number[];
  /** Lower-case UUIDs with hyphens. */
  readonly debugIds: readonly string[];
  /** '' for none. */
  readonly release: string;
  /** '' for none. */
  readonly dist: string;
}

export type FromIndexing =
  /** `bundle` is undefined where it was refused, or is not there any more. */
  | { readonly kind: 'done'; readonly bundle: IndexedBundle | undefined }
  /** Something other than the bundle is at fault; `expected` when it has a code. */
  | { readonly kind: 'failed'; readonly stack: string; readonly expected: boolean };
