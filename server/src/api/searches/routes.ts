/** Saved and recent searches. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { namingSeenOnly } from '../../domains/named-search/index.ts';
import * as searches from '../../domains/saved-searches/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { noteSearch } from '../shared/tellable.ts';
import { iso } from '../shared/read.ts';

export function searchRoutes(api: Api): void {
  const { state } = api.deps;

  const searcherOf = ({ membership, identity }: Caller): searches.Searcher => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
  });

  const savedOf = async (caller: Caller, id: string): Promise<searches.SavedSearch> => {
    const found = /^\d{1,9}$/.test(id)
      ? await searches.findSavedSearch(state, searcherOf(caller), Number(id))
      : undefined;
    if (!found || !(await namingSeenOnly(state, caller.membership))(found)) {
      throw new CodedError('NOT_FOUND', [things.savedSearch(id)]);
    }
    return found;
  };

  implement(api, contract.listSearches, async ({ caller, query }) => {
    const isSeen = await namingSeenOnly(state, caller.membership);
    const all = await searches.listSavedSearches(state, searcherOf(caller), query.type);
    return all.filter(isSeen).map((one) => toSaved(one, caller));
  });

  implement(api, contract.createSearch, async ({ caller, body: { isPinned, ...fields }, recorded }) => {
    const input = { ...fields, pinned: isPinned };
    const id = await recorded(async (inside, note) => {
      const made = await searches.saveSearch(inside, searcherOf(caller), input, Date.now());
      noteSearch(note, 'search', undefined, { ...fields, id: made });
      return made;
    });
    return toSaved(await savedOf(caller, String(id)), caller);
  });

  implement(api, contract.updateSearch, async ({ caller, params, body: { isPinned, ...change }, recorded }) => {
    const saved = await savedOf(caller, params.id);
    if (Object.keys(change).length > 0 && !mayChange(saved, caller)) throw new CodedError('PERMISSION_DENIED');
    const changed = await recorded(async (inside, note) => {
      const fields = { ...change, pinned: isPinned };
      await searches.changeSavedSearch(inside, searcherOf(caller), saved.id, fields, Date.now());
      const after = await searches.findSavedSearch(inside, searcherOf(caller), saved.id);
      if (after) noteSearch(note, 'search', saved, after);
      return after;
    });
    return toSaved(changed ?? (await savedOf(caller, params.id)), caller);
  });

  implement(api, contract.deleteSearch, async ({ caller, params, recorded }) => {
    const saved = await savedOf(caller, params.id);
    if (!mayChange(saved, caller)) throw new CodedError('PERMISSION_DENIED');
    await recorded(async (inside, note) => {
      await searches.removeSavedSearch(inside, searcherOf(caller), saved.id);
      noteSearch(note, 'search', saved, undefined);
    });
  });

  implement(api, contract.listRecentSearches, async ({ caller, query }) => {
    const searcher = searcherOf(caller);
    return (await searches.listRecentSearches(state, searcher, query.type)).map((one) => ({
      id: String(one.id),
      organizationId: searcher.organizationId,
      type: one.type,
      query: one.query,
      lastSeen: iso(one.lastUsedAt),
      dateCreated: iso(one.createdAt),
    }));
  });

  implement(api, contract.noteRecentSearch, async ({ caller, body }) =>
    searches.noteRecentSearch(state, searcherOf(caller), body, Date.now()),
  );
}

interface Caller {
  readonly membership: Membership;
  readonly identity: { readonly userId: string };
}

/** Who made it, and administrators where it is shared. */
const mayChange = ({ owner }: searches.SavedSearch, { membership, identity }: Caller): boolean =>
  owner.id === identity.userId || membership.scopes.includes('event:admin');

function toSaved(saved: searches.SavedSearch, caller: Caller): z.output<typeof contract.SavedSearch> {
  const { id, type, name, query, sort, visibility, owner } = saved;
  return {
    id: String(id),
    type,
    name,
    query,
    sort,
    visibility,
    state: saved.state as Record<string, unknown> | null,
    isPinned: saved.pinned,
    owner,
    canChange: mayChange(saved, caller),
    dateCreated: iso(saved.createdAt),
  };
}
