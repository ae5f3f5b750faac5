/**
 * What one mail is a subscription to, and how whoever reads it ends that: by the link in the mail, signed out, at once (RFC 8058).
 *
 * A link is for an address and a kind of mail: the address in a channel, or the kinds that a member is told of. Addresses
 * that left a channel stay in its list and get nothing. They alone come back: by the same link, or signed in with an
 * account of that address. Who manages the channel sees them, and can only take them off the list.
 */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { changePersonalSettings, getPersonalSettings, type PersonalSettings } from './settings.ts';
import type { NotificationKind } from './types.ts';

const personalKinds = ['state', 'comment', 'assigned', 'mentioned', 'report'] as const;

type PersonalKind = (typeof personalKinds)[number];

export type Subscription =
  | { readonly to: 'channel'; readonly channelId: number; readonly name: string; readonly address: string }
  | {
      readonly to: 'member';
      readonly userId: string;
      readonly organizationId: string;
      readonly address: string;
      readonly kinds: readonly PersonalKind[];
    };

/** Those that a member can end. Invitations, and that a token expires, are no subscriptions. */
export const personalKindsOf = (kinds: readonly NotificationKind[]): PersonalKind[] =>
  personalKinds.filter((kind) => kinds.includes(kind));

/** Ends it. Doing so again, or for what is gone, changes nothing. */
export async function unsubscribe(state: State, subscription: Subscription, nowMs: number): Promise<void> {
  if (subscription.to === 'channel') {
    const { channelId, address } = subscription;
    await state.transaction(async (trx) => {
      const channel = await trx.selectFrom('channel').select('id').where('id', '=', channelId).executeTakeFirst();
      if (!channel) return;
      await trx
        .insertInto('mail_opt_out')
        .values({ channel_id: channelId, address: address.toLowerCase(), at: nowMs })
        .onConflict((conflict) => conflict.columns(['channel_id', 'address']).doNothing())
        .execute();
    });
    return;
  }
  const { userId, organizationId, address, kinds } = subscription;
  const member = await state.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('user.email')
    .where('member.userId', '=', userId)
    .where('member.organizationId', '=', organizationId)
    .executeTakeFirst();
  // Who has another address by now is not whom the mail was for.
  if (member?.email.toLowerCase() !== address.toLowerCase()) return;
  const settings = await getPersonalSettings(state.db, { userId, organizationId });
  await changePersonalSettings(state, { userId, organizationId }, withoutKinds(settings, kinds), nowMs);
}

/** Takes back that an address left a channel. */
export async function resubscribe(state: State, channelId: number, address: string): Promise<void> {
  await state.db
    .deleteFrom('mail_opt_out')
    .where('channel_id', '=', channelId)
    .where('address', '=', address.toLowerCase())
    .execute();
}

/** Pure. What a project has of its own is taken away where it would still send them. */
function withoutKinds(
  { projects }: PersonalSettings,
  kinds: readonly PersonalKind[],
): { -readonly [Key in keyof PersonalSettings]?: PersonalSettings[Key] } {
  const change: ReturnType<typeof withoutKinds> = {};
  for (const kind of kinds) {
    if (kind === 'report') change.report = false;
    else change[kind] = 'none';
  }
  if (change.state ?? change.comment) {
    change.projects = Object.fromEntries(Object.entries(projects).filter(([, reach]) => reach === 'none'));
  }
  return change;
}

export interface OptOut {
  /** Lower case. */
  readonly address: string;
  readonly at: number;
}

/** Those who left, by channel, the first first. */
export async function optOutsOf(
  db: State['db'] | StateTransaction,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, readonly OptOut[]>> {
  if (!channelIds.length) return new Map();
  const rows = await db
    .selectFrom('mail_opt_out')
    .selectAll()
    .where('channel_id', 'in', channelIds)
    .orderBy('at')
    .orderBy('address')
    .execute();
  const left = rows.map((row) => ({ channelId: row.channel_id, address: row.address, at: Number(row.at) }));
  return Map.groupBy(left, ({ channelId }) => channelId);
}
