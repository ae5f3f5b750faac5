/** Pagers keep an incident open until they are told that it is over. */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { pagerTypes } from './channels/index.ts';
import { enqueue } from './enqueue.ts';
import type { Notification } from './types.ts';

interface Ending {
  readonly organizationId: string;
  /** Undefined: any that was told of it. */
  readonly channelIds?: readonly number[] | undefined;
  /** With the severity `resolved`, and the group key of what is over. */
  readonly notification: Notification;
}

/** Those whose last word on the matter was of an alarm get this one, once. Returns how many. */
export async function endIncidents(trx: StateTransaction | State['db'], ending: Ending): Promise<number> {
  const { organizationId, channelIds, notification } = ending;
  if (channelIds?.length === 0) return 0;
  const pagers = await trx
    .selectFrom('channel')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('type', 'in', pagerTypes)
    .$if(channelIds !== undefined, (query) => query.where('id', 'in', [...(channelIds ?? [])]))
    .execute();
  let count = 0;
  for (const { id: channelId } of pagers) {
    const last = await trx
      .selectFrom('delivery')
      .select(['key', 'severity'])
      .where('organization_id', '=', organizationId)
      .where('channel_id', '=', channelId)
      .where('group_key', '=', notification.groupKey)
      .where('state', 'not in', ['skipped', 'failed'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!last || last.severity === 'resolved') continue;
    if (await enqueue(trx, { key: `${last.key}:over`, organizationId, to: { channelId }, notification })) count += 1;
  }
  return count;
}
