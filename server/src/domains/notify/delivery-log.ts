/** What was delivered, for people to read. */
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { DeliveryTable } from '../../ports/state/notify-tables.ts';
import type { State } from '../../ports/state/state.ts';
import { things } from '../../base/texts/things.ts';
import { enqueue } from './enqueue.ts';
import type { Attempt } from './outbox.ts';
import type { ChannelType, DeliveryState, Notification } from './types.ts';

export interface LoggedDelivery {
  readonly id: number;
  readonly channel: { readonly id: number; readonly name: string; readonly type: ChannelType } | null;
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly email: string | null;
  readonly notification: Notification;
  readonly state: DeliveryState;
  readonly detail: string;
  readonly attempts: readonly Attempt[];
  readonly mergedInto: number | null;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly finishedAt: number | null;
}

export interface LogQuestion {
  readonly organizationId: string;
  readonly channelId?: number | undefined;
  readonly state?: DeliveryState | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The newest first. */
export async function listDeliveries(state: State, question: LogQuestion): Promise<LoggedDelivery[]> {
  const rows = await state.db
    .selectFrom('delivery')
    .leftJoin('channel', 'channel.id', 'delivery.channel_id')
    .leftJoin('user', 'user.id', 'delivery.user_id')
    .selectAll('delivery')
    .select(['channel.name as channel_name', 'channel.type as channel_type'])
    .select(['user.name as user_name', 'user.email as user_email'])
    .where('delivery.organization_id', '=', question.organizationId)
    .$if(question.channelId !== undefined, (query) => query.where('delivery.channel_id', '=', question.channelId ?? 0))
    .$if(question.state !== undefined, (query) => query.where('delivery.state', '=', question.state ?? ''))
    .orderBy('delivery.id', 'desc')
    .offset(question.offset)
    .limit(question.limit)
    .execute();
  return rows.map(toLogged);
}

const maxKeys = 500;

/** By the keys under which they were enqueued; those that the log has forgotten are left out. */
export async function deliveriesByKey(
  state: State,
  organizationId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Pick<LoggedDelivery, 'id' | 'channel' | 'state' | 'detail'>>> {
  const found = new Map<string, Pick<LoggedDelivery, 'id' | 'channel' | 'state' | 'detail'>>();
  for (let from = 0; from < keys.length; from += maxKeys) {
    const rows = await state.db
      .selectFrom('delivery')
      .leftJoin('channel', 'channel.id', 'delivery.channel_id')
      .select(['delivery.id', 'delivery.key', 'delivery.state', 'delivery.detail', 'delivery.channel_id'])
      .select(['channel.name as channel_name', 'channel.type as channel_type'])
      .where('delivery.organization_id', '=', organizationId)
      .where('delivery.key', 'in', keys.slice(from, from + maxKeys))
      .execute();
    for (const row of rows) {
      const { id, key, detail } = row;
      found.set(key, { id, channel: channelOf(row), state: row.state as DeliveryState, detail });
    }
  }
  return found;
}

interface ChannelNames {
  readonly channel_id: number | null;
  readonly channel_name: string | null;
  readonly channel_type: string | null;
}

const channelOf = (row: ChannelNames): LoggedDelivery['channel'] =>
  row.channel_id === null
    ? null
    : { id: row.channel_id, name: row.channel_name ?? '', type: (row.channel_type ?? 'webhook') as ChannelType };

interface Names {
  readonly channel_name: string | null;
  readonly channel_type: string | null;
  readonly user_name: string | null;
  readonly user_email: string | null;
}

const toLogged = (row: Selectable<DeliveryTable> & Names): LoggedDelivery => ({
  id: row.id,
  channel: channelOf(row),
  user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '', email: row.user_email ?? '' },
  email: row.email,
  notification: JSON.parse(row.notification) as Notification,
  state: row.state as DeliveryState,
  detail: row.detail,
  attempts: JSON.parse(row.log) as Attempt[],
  mergedInto: row.merged_into,
  createdAt: Number(row.created_at),
  dueAt: Number(row.due_at),
  finishedAt: row.finished_at === null ? null : Number(row.finished_at),
});

/** Enqueues it once more under a key of its own; returns the new id. Throws when it is not there, or not over yet. */
export async function resendDelivery(state: State, organizationId: string, id: number): Promise<number> {
  return state.transaction(async (trx) => {
    const row = await trx
      .selectFrom('delivery')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new CodedError('NOT_FOUND', [things.delivery(id)]);
    if (row.finished_at === null) throw new CodedError('DELIVERY_UNDER_WAY');
    const { n } = await trx
      .selectFrom('delivery')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('organization_id', '=', organizationId)
      .where('key', 'like', `resend:${id}:%`)
      .executeTakeFirstOrThrow();
    const key = `resend:${id}:${Number(n) + 1}`;
    const to =
      row.channel_id !== null
        ? { channelId: row.channel_id }
        : row.user_id !== null
          ? { userId: row.user_id }
          : { email: row.email ?? '' };
    await enqueue(trx, { key, organizationId, to, notification: JSON.parse(row.notification) as Notification });
    const made = await trx
      .selectFrom('delivery')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    return made.id;
  });
}
