/** Searches of alert rules, read as those of the API are. */
import type { ReadSearch } from '../alerts/index.ts';
import type { Events } from '../events/events.ts';
import type { State } from '../state/state.ts';
import { readNamedSearch } from './scope.ts';

export const searchOfRules =
  (stores: { readonly state: State; readonly events: Events }): ReadSearch =>
  (query, scope) =>
    readNamedSearch(stores, query, scope);
