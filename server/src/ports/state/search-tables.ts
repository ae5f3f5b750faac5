/** Tables of saved and recent searches. */
import type { Generated } from 'kysely';

/** What a search is of: the list of issues, or Explore. */
export type SearchType = 'issues' | 'explore';

/** A search that somebody gave a name. */
export interface SavedSearchTable {
  id: Generated<number>;
  organization_id: string;
  /** Who made it. */
  user_id: string;
  type: SearchType;
  name: string;
  query: string;
  /** '' for the order that the page has by itself. */
  sort: string;
  /** owner: for who made it; organization: for all members. */
  visibility: 'owner' | 'organization';
  /** JSON of what else the page needs to show the same; null for nothing. */
  state: string | null;
  created_at: number;
  updated_at: number;
}

/** Whose tabs a saved search is among. */
export interface SavedSearchPinTable {
  saved_search_id: number;
  user_id: string;
  created_at: number;
}

/** A search that somebody ran. One per person, organisation, type and text. */
export interface RecentSearchTable {
  id: Generated<number>;
  organization_id: string;
  user_id: string;
  type: SearchType;
  query: string;
  /** Of the text, hex, because the text itself is too long to be part of a key. */
  query_hash: string;
  created_at: number;
  last_used_at: number;
}

export interface SearchTables {
  saved_search: SavedSearchTable;
  saved_search_pin: SavedSearchPinTable;
  recent_search: RecentSearchTable;
}
