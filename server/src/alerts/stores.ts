/** What alerts read from, and what they are given. */
import type { Events } from '../events/events.ts';
import type { Reduced } from '../issues/index.ts';
import type { State } from '../state/state.ts';

export interface AlertStores {
  readonly state: State;
  readonly events: Events;
}

export interface SearchScope {
  readonly organizationId: string;
  /** Who is meant by `me`: who made the rule. */
  readonly userId?: string | undefined;
  readonly projectIds: readonly number[];
  readonly environments: readonly string[];
  readonly nowMs: number;
}

/** Reads a search of issues, with what names in it stand for. Throws a `CodedError` for one that cannot be read. */
export type ReadSearch = (query: string, scope: SearchScope) => Promise<Reduced | undefined>;
