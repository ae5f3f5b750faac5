import type { SearchType } from '../../ports/state/search-tables.ts';

export type { SearchType } from '../../ports/state/search-tables.ts';
export type Visibility = 'owner' | 'organization';

/** Who asks, and where. */
export interface Searcher {
  readonly organizationId: string;
  readonly userId: string;
}

/** A search with a name, as one person sees it. Times are ms since the epoch. */
export interface SavedSearch {
  readonly id: number;
  readonly type: SearchType;
  readonly name: string;
  readonly query: string;
  /** '' for the order that the page has by itself. */
  readonly sort: string;
  readonly visibility: Visibility;
  readonly state: unknown;
  /** Whether it is among the tabs of who asks. */
  readonly pinned: boolean;
  readonly owner: { readonly id: string; readonly name: string };
  readonly createdAt: number;
}

export interface SearchFields {
  readonly type: SearchType;
  readonly name: string;
  readonly query: string;
  readonly sort: string;
  readonly visibility: Visibility;
  /** What else the page needs to show the same; anything that is JSON. Null for nothing. */
  readonly state: unknown;
  readonly pinned: boolean;
}

export interface RecentSearch {
  readonly id: number;
  readonly type: SearchType;
  readonly query: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}
