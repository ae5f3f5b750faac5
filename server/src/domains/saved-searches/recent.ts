/** The searches that a person ran last, each once. */
import { createHash } from 'node:crypto';
import type { State } from '../../ports/state/state.ts';
import type { RecentSearch, Searcher, SearchType } from './types.ts';

/** Of one person, organisation and type. */
const maxRecent = 20;

/** The latest first. */
export async function listRecentSearches(state: State, searcher: Searcher, type: SearchType): Promise<RecentSearch[]> {
  const rows = await ofSearcher(state, searcher, type).limit(maxRecent).execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    query: row.query,
    createdAt: Number(row.created_at),
    lastUsedAt: Number(row.last_used_at),
  }));
}

/** Notes that it was run now; the oldest beyond what is kept are forgotten. */
export async function noteRecentSearch(
  state: State,
  searcher: Searcher,
  { type, query }: { readonly type: SearchType; readonly query: string },
  nowMs: number,
): Promise<void> {
  await state.transaction(async (trx) => {
    const [last] = await ofSearcher({ db: trx }, searcher, type).limit(1).execute();
    // Two of one millisecond have an order as well.
    const usedAt = last && last.query !== query ? Math.max(nowMs, Number(last.last_used_at) + 1) : nowMs;
    await trx
      .insertInto('recent_search')
      .values({
        organization_id: searcher.organizationId,
        user_id: searcher.userId,
        type,
        query,
        query_hash: createHash('sha256').update(query).digest('hex'),
        created_at: nowMs,
        last_used_at: usedAt,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'user_id', 'type', 'query_hash']).doUpdateSet({ last_used_at: usedAt }),
      )
      .execute();
    const beyond = await ofSearcher({ db: trx }, searcher, type).offset(maxRecent).limit(maxRecent).execute();
    if (beyond.length === 0) return;
    const ids = beyond.map((row) => row.id);
    await trx.deleteFrom('recent_search').where('id', 'in', ids).execute();
  });
}

function ofSearcher({ db }: Pick<State, 'db'>, { organizationId, userId }: Searcher, type: SearchType) {
  return db
    .selectFrom('recent_search')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc');
}
