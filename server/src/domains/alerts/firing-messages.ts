/** What became of the messages in which firings were told. */
import { deliveriesByKey, type LoggedDelivery } from '../notify/index.ts';
import type { State } from '../../ports/state/state.ts';
import { messageKey } from './message-key.ts';
import { notifiedBefore } from './rules.ts';
import type { Firing } from './types.ts';

export type FiringMessage = Pick<LoggedDelivery, 'id' | 'channel' | 'state' | 'detail'>;

/** A message that began so many firings before the page is not found any more. */
const maxBefore = 100;

/**
 * Of one rule's firings, by their id; none of those that were not told, and none once the log of deliveries has forgotten them.
 * A message is named by its first firing, and tells all until the next message begins.
 */
export async function messagesOf(
  state: State,
  {
    organizationId,
    ruleId,
    firings,
    channelIds,
  }: {
    readonly organizationId: string;
    readonly ruleId: number;
    readonly firings: readonly Pick<Firing, 'id' | 'state'>[];
    readonly channelIds: readonly number[];
  },
): Promise<ReadonlyMap<number, readonly FiringMessage[]>> {
  const notified = firings
    .filter((one) => one.state === 'told')
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  const [earliest] = notified;
  if (earliest === undefined) return new Map();
  const before = await notifiedBefore(state, { ruleId, before: earliest, limit: maxBefore });
  const begins = [...before, ...notified].toSorted((a, b) => a - b);
  const keys = begins.flatMap((id) => channelIds.map((channelId) => messageKey(id, channelId)));
  const byKey = await deliveriesByKey(state, organizationId, keys);
  const found = new Map<number, readonly FiringMessage[]>();
  const wanted = new Set(notified);
  let latest: readonly FiringMessage[] = [];
  for (const id of begins) {
    const begun = channelIds.flatMap((channelId) => byKey.get(messageKey(id, channelId)) ?? []);
    if (begun.length) latest = begun;
    if (wanted.has(id)) found.set(id, latest);
  }
  return found;
}
