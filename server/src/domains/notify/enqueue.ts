/** The way in: what is to be told is written down in the transaction in which it happened. */
import { unclaimed } from '../../ports/state/claims.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Delivery, Recipient } from './types.ts';

/** Of a key; longer ones would not fit every database's index. */
const maxKey = 200;

/**
 * Writes the delivery into the outbox; it is sent once `trx` has committed and it is due. Enqueuing the same key again
 * changes nothing. False when it was there.
 */
export async function enqueue(trx: StateTransaction | State['db'], delivery: Delivery): Promise<boolean> {
  const { key, organizationId, to, notification, notBefore, batch } = delivery;
  if (key === '' || key.length > maxKey) throw new RangeError(`a delivery's key has 1 to ${maxKey} characters: ${key}`);
  const now = Date.now();
  const recipient = columnsOf(to);
  let dueAt = Math.max(now, notBefore ?? 0);
  if (batch) {
    const first = await trx
      .selectFrom('delivery')
      .select('due_at')
      .where('organization_id', '=', organizationId)
      .where('channel_id', recipient.channel_id === null ? 'is' : '=', recipient.channel_id)
      .where('user_id', recipient.user_id === null ? 'is' : '=', recipient.user_id)
      .where('email', recipient.email === null ? 'is' : '=', recipient.email)
      .where('batch', '=', batch.name)
      .where('state', '=', 'waiting')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    dueAt = first ? Number(first.due_at) : Math.max(dueAt, now + batch.waitMs);
  }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('delivery')
    .values({
      organization_id: organizationId,
      key,
      ...recipient,
      kind: notification.kind,
      severity: notification.severity,
      group_key: notification.groupKey,
      notification: JSON.stringify(notification),
      batch: batch?.name ?? null,
      state: 'waiting',
      merged_into: null,
      ...unclaimed(dueAt),
      committed_at: null,
      log: '[]',
      detail: '',
      created_at: now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

function columnsOf(to: Recipient): { channel_id: number | null; user_id: string | null; email: string | null } {
  return {
    channel_id: 'channelId' in to ? to.channelId : null,
    user_id: 'userId' in to ? to.userId : null,
    email: 'email' in to ? to.email : null,
  };
}
