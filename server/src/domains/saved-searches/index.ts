export { listRecentSearches, noteRecentSearch } from './recent.ts';
export { changeSavedSearch, findSavedSearch, listSavedSearches, removeSavedSearch, saveSearch } from './saved.ts';
export type { RecentSearch, SavedSearch, Searcher, SearchFields, SearchType } from './types.ts';
