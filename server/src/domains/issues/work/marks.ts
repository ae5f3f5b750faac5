/** One's own marks on issues: bookmarks, whether one wants to be told, what one has seen. */
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { SubscriptionReason } from '../../../ports/state/work-tables.ts';
import type { Doing, SubscriptionBefore } from './types.ts';

/** Ids of the issues that are different now. Who bookmarks an issue is told of it. */
export async function bookmarkIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  on: boolean,
): Promise<number[]> {
  const changed: number[] = [];
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = on
      ? await trx
          .insertInto('issue_bookmark')
          .values(chunk.map((id) => ({ issue_id: id, user_id: userId, created_at: nowMs })))
          .onConflict((conflict) => conflict.doNothing())
          .returning('issue_id')
          .execute()
      : await trx
          .deleteFrom('issue_bookmark')
          .where('issue_id', 'in', chunk)
          .where('user_id', '=', userId)
          .returning('issue_id')
          .execute();
    const ids = rows.map((row) => row.issue_id);
    if (on) await follow(trx, { issueIds: ids, userId, nowMs }, 'bookmarked');
    changed.push(...ids);
  }
  return changed;
}

/** Somebody is told of the issues from now on, unless they have said whether they want to be. */
export async function follow(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  reason: SubscriptionReason,
): Promise<void> {
  for (const chunk of chunksOf(issueIds, 500)) {
    await trx
      .insertInto('issue_subscription')
      .values(chunk.map((id) => ({ issue_id: id, user_id: userId, is_active: 1, reason, created_at: nowMs })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** What was there before, null for nothing, of those that are different now. */
export async function subscribeIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  on: boolean,
): Promise<Map<number, SubscriptionBefore | null>> {
  const changed = new Map<number, SubscriptionBefore | null>();
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = await trx
      .selectFrom('issue_subscription')
      .select(['issue_id', 'is_active', 'reason'])
      .where('issue_id', 'in', chunk)
      .where('user_id', '=', userId)
      .execute();
    const known = new Map(rows.map((row) => [row.issue_id, row]));
    const others = chunk.filter((id) => known.get(id)?.is_active !== (on ? 1 : 0));
    await put(
      trx,
      others.map((id) => ({
        issue_id: id,
        user_id: userId,
        is_active: on ? 1 : 0,
        reason: 'manual',
        created_at: nowMs,
      })),
    );
    for (const id of others) {
      const row = known.get(id);
      changed.set(id, row ? { isActive: row.is_active === 1, reason: row.reason } : null);
    }
  }
  return changed;
}

export async function restoreSubscriptionsIn(
  trx: StateTransaction,
  before: ReadonlyMap<number, SubscriptionBefore | null>,
  { userId, nowMs }: Pick<Doing, 'userId' | 'nowMs'>,
): Promise<void> {
  const none = [...before].flatMap(([id, former]) => (former ? [] : [id]));
  if (none.length) {
    await trx.deleteFrom('issue_subscription').where('issue_id', 'in', none).where('user_id', '=', userId).execute();
  }
  await put(
    trx,
    [...before].flatMap(([id, former]) =>
      former
        ? [
            {
              issue_id: id,
              user_id: userId,
              is_active: former.isActive ? 1 : 0,
              reason: former.reason,
              created_at: nowMs,
            },
          ]
        : [],
    ),
  );
}

async function put(
  trx: StateTransaction,
  rows: readonly {
    issue_id: number;
    user_id: string;
    is_active: number;
    reason: SubscriptionReason;
    created_at: number;
  }[],
): Promise<void> {
  if (!rows.length) return;
  await trx
    .insertInto('issue_subscription')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['issue_id', 'user_id']).doUpdateSet((eb) => ({
        is_active: eb.ref('excluded.is_active'),
        reason: eb.ref('excluded.reason'),
      })),
    )
    .execute();
}

/** That somebody has opened the issues, or, with false, that they want them to look as if they had not. */
export async function markSeenIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  seen: boolean,
): Promise<void> {
  for (const chunk of chunksOf(issueIds, 500)) {
    if (seen) {
      await trx
        .insertInto('issue_seen')
        .values(chunk.map((id) => ({ issue_id: id, user_id: userId, seen_at: nowMs })))
        .onConflict((conflict) =>
          conflict.columns(['issue_id', 'user_id']).doUpdateSet((eb) => ({ seen_at: eb.ref('excluded.seen_at') })),
        )
        .execute();
    } else {
      await trx.deleteFrom('issue_seen').where('issue_id', 'in', chunk).where('user_id', '=', userId).execute();
    }
  }
}
