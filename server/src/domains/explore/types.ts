/** Questions about events and spans, as Explore takes them. */
import type { Field, SearchNode } from '@culprit/search';
import type { Events } from '../../ports/events/events.ts';
import type { ExactRange } from '../../base/time-range.ts';
import type { State } from '../../ports/state/state.ts';
import type { Sample } from './estimate/sample.ts';

export interface ExploreStores {
  readonly state: State;
  readonly events: Events;
}

/** `transactions`: spans that are the root of a service. */
export type ExploreDataSet = 'errors' | 'spans' | 'transactions';

export interface ExploreProject {
  readonly id: number;
  readonly slug: string;
}

/** Whose events, of which time. */
export interface ExploreScope {
  readonly dataSet: ExploreDataSet;
  readonly projects: readonly ExploreProject[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly range: ExactRange;
  /** What relative times in the query count from, ms since the epoch. */
  readonly nowMs: number;
  /** What `release:latest` means; undefined where no query says it. */
  readonly latestReleases?: readonly string[] | undefined;
  /** Only rows of these stretches; undefined: all. */
  readonly sample?: Sample | undefined;
}

/** A query as two trees: what rows must fulfil, and what groups of them. */
export interface ReadQuery {
  readonly rows: SearchNode | undefined;
  readonly groups: SearchNode | undefined;
}

/** A column of an answer. */
export interface Column {
  /** As it was asked for, which is its name in the answer. */
  readonly text: string;
  readonly field: Field;
}

export interface SortBy {
  readonly field: Field;
  readonly descending: boolean;
}

export interface TableQuestion extends ExploreScope {
  readonly query: ReadQuery;
  readonly columns: readonly Column[];
  readonly sort: readonly SortBy[];
  /** A row is a group rather than an event. */
  readonly isGrouped: boolean;
}

/** A value of a row of an answer. */
export type Cell = string | number | boolean | null | readonly (string | number)[];
export type Row = Readonly<Record<string, Cell>>;
