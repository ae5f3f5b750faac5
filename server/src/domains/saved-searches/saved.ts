/** Searches that people gave a name: their own, and those that are shared in the organisation. */
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { SavedSearchTable } from '../../ports/state/search-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { SavedSearch, Searcher, SearchFields, SearchType } from './types.ts';

/** Of one person in one organisation. */
const maxSaved = 200;

/** Own ones and shared ones, by name. */
export async function listSavedSearches(
  state: State,
  searcher: Searcher,
  type: SearchType | undefined,
): Promise<SavedSearch[]> {
  let query = visibleTo(state.db, searcher);
  if (type) query = query.where('saved_search.type', '=', type);
  const found = (await query.execute()).map(toSaved);
  // Neither database orders names as people do, nor both alike.
  return found.toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

/** Undefined where there is none that this person can see. */
export async function findSavedSearch(state: State, searcher: Searcher, id: number): Promise<SavedSearch | undefined> {
  const row = await visibleTo(state.db, searcher).where('saved_search.id', '=', id).executeTakeFirst();
  return row && toSaved(row);
}

/** Returns its id. Throws `SEARCHES_FULL`. */
export async function saveSearch(
  state: State,
  searcher: Searcher,
  fields: SearchFields,
  nowMs: number,
): Promise<number> {
  const { pinned, state: kept, ...columns } = fields;
  return state.transaction(async (trx) => {
    const { count } = await trx
      .selectFrom('saved_search')
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .where('organization_id', '=', searcher.organizationId)
      .where('user_id', '=', searcher.userId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxSaved) throw new CodedError('SEARCHES_FULL', [maxSaved]);
    const { id } = await trx
      .insertInto('saved_search')
      .values({
        organization_id: searcher.organizationId,
        user_id: searcher.userId,
        ...columns,
        state: toText(kept),
        created_at: nowMs,
        updated_at: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setPinned(trx, searcher, id, pinned, nowMs);
    return id;
  });
}

/** What is left out stays. Whether the person may change more than the pin is for the caller to know. */
export async function changeSavedSearch(
  state: State,
  searcher: Searcher,
  id: number,
  change: Partial<Omit<SearchFields, 'type'>>,
  nowMs: number,
): Promise<void> {
  const { pinned, state: kept, ...columns } = change;
  await state.transaction(async (trx) => {
    if (kept !== undefined || Object.values(columns).some((value) => value !== undefined)) {
      await trx
        .updateTable('saved_search')
        .set({ ...columns, ...(kept !== undefined && { state: toText(kept) }), updated_at: nowMs })
        .where('id', '=', id)
        .where('organization_id', '=', searcher.organizationId)
        .execute();
    }
    if (pinned !== undefined) await setPinned(trx, searcher, id, pinned, nowMs);
  });
}

export async function removeSavedSearch(state: State, { organizationId }: Searcher, id: number): Promise<void> {
  await state.db
    .deleteFrom('saved_search')
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .execute();
}

async function setPinned(
  trx: StateTransaction,
  { userId }: Searcher,
  id: number,
  pinned: boolean,
  nowMs: number,
): Promise<void> {
  if (pinned) {
    await trx
      .insertInto('saved_search_pin')
      .values({ saved_search_id: id, user_id: userId, created_at: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await trx.deleteFrom('saved_search_pin').where('saved_search_id', '=', id).where('user_id', '=', userId).execute();
}

function visibleTo(db: State['db'], { organizationId, userId }: Searcher) {
  return db
    .selectFrom('saved_search')
    .innerJoin('user', 'user.id', 'saved_search.user_id')
    .leftJoin('saved_search_pin as pin', (join) =>
      join.onRef('pin.saved_search_id', '=', 'saved_search.id').on('pin.user_id', '=', userId),
    )
    .selectAll('saved_search')
    .select(['user.name as owner_name', 'pin.created_at as pinned_at'])
    .where('saved_search.organization_id', '=', organizationId)
    .where((eb) =>
      eb.or([eb('saved_search.user_id', '=', userId), eb('saved_search.visibility', '=', 'organization')]),
    );
}

type Row = Selectable<SavedSearchTable> & { readonly owner_name: string; readonly pinned_at: number | null };

function toSaved(row: Row): SavedSearch {
  const { id, type, name, query, sort, visibility } = row;
  return {
    id,
    type,
    name,
    query,
    sort,
    visibility,
    state: row.state === null ? null : (JSON.parse(row.state) as unknown),
    pinned: row.pinned_at !== null,
    owner: { id: row.user_id, name: row.owner_name },
    createdAt: Number(row.created_at),
  };
}

const toText = (state: unknown): string | null => (state === null ? null : JSON.stringify(state));
