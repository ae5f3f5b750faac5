/** Channels of organisations. */
import type { Selectable } from 'kysely';
import type { ChannelTable } from '../../ports/state/notify-tables.ts';
import type { State } from '../../ports/state/state.ts';
import { channels as texts } from '../../base/texts/outbound.ts';
import { type ChannelConfig, checkConfig } from './channel-config.ts';
import { type OptOut, optOutsOf } from './subscription.ts';
import type { ChannelType, QuietHours } from './types.ts';
import type { Vault } from './vault.ts';

export interface Channel {
  readonly id: number;
  readonly organizationId: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly enabled: boolean;
  /** With its secrets sealed. */
  readonly config: ChannelConfig;
  readonly quietHours: QuietHours | null;
  readonly createdAt: number;
  readonly failingSince: number | null;
  /** What the last failure was; '' while deliveries arrive. */
  readonly problem: string;
  readonly lastSentAt: number | null;
  readonly health: ChannelHealth;
}

/** With the addresses of its list that left it by themselves. */
export interface ListedChannel extends Channel {
  readonly unsubscribed: readonly OptOut[];
}

/** `broken`: refused for good, or nothing has arrived for an hour and several attempts. */
export type ChannelHealth = 'unused' | 'ok' | 'failing' | 'broken';

export interface ChannelFields {
  readonly name: string;
  readonly config: ChannelConfig;
  readonly quietHours: QuietHours | null;
  readonly enabled: boolean;
}

const brokenAfterMs = 3_600_000;
const brokenAfterFailures = 5;
/** Marks a problem that no further attempt mends. */
export const refusedForGood = 'refused: ';

export async function listChannels(state: State, organizationId: string, nowMs = Date.now()): Promise<ListedChannel[]> {
  const rows = await state.db
    .selectFrom('channel')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return withOptOuts(
    state,
    rows.map((row) => toChannel(row, nowMs)),
  );
}

export async function findChannel(
  state: State,
  organizationId: string,
  id: number,
  nowMs = Date.now(),
): Promise<ListedChannel | undefined> {
  const row = await state.db
    .selectFrom('channel')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  const [channel] = row ? await withOptOuts(state, [toChannel(row, nowMs)]) : [];
  return channel;
}

async function withOptOuts(state: State, channels: readonly Channel[]): Promise<ListedChannel[]> {
  const optOuts = await optOutsOf(
    state.db,
    channels.filter(({ type }) => type === 'email').map(({ id }) => id),
  );
  return channels.map((channel) => {
    const listed = new Set([channel.config['to'] ?? []].flat().map((address) => address.toLowerCase()));
    const unsubscribed = (optOuts.get(channel.id) ?? []).filter(({ address }) => listed.has(address));
    if (unsubscribed.length === 0 || unsubscribed.length < listed.size) return { ...channel, unsubscribed };
    return {
      ...channel,
      unsubscribed,
      health: 'broken',
      problem: texts.noRecipients,
      failingSince: unsubscribed.at(-1)?.at ?? null,
    };
  });
}

export interface ChannelStores {
  readonly state: State;
  readonly vault: Vault;
}

/** Returns its id. Throws `INPUT_INVALID` for a configuration that its type cannot use. */
export async function createChannel(
  { state, vault }: ChannelStores,
  organizationId: string,
  { type, name, config, quietHours, enabled }: ChannelFields & { readonly type: ChannelType },
  nowMs: number,
): Promise<number> {
  const { id } = await state.db
    .insertInto('channel')
    .values({
      organization_id: organizationId,
      type,
      name,
      config: JSON.stringify(vault.sealConfig({ organizationId, type }, checkConfig(type, config))),
      quiet_hours: quietHours && JSON.stringify(quietHours),
      enabled: enabled ? 1 : 0,
      created_at: nowMs,
      updated_at: nowMs,
      failing_since: null,
      failures: 0,
      problem: '',
      hold_until: null,
      last_sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What is left out stays. A changed configuration starts with a clean slate. */
export async function changeChannel(
  { state, vault }: ChannelStores,
  channel: Channel,
  { name, config, quietHours, enabled }: Partial<ChannelFields>,
  nowMs: number,
): Promise<void> {
  const changed = config && checkConfig(channel.type, config, vault.openConfig(channel, channel.config).config);
  await state.db
    .updateTable('channel')
    .set({
      updated_at: nowMs,
      ...(name !== undefined && { name }),
      ...(quietHours !== undefined && { quiet_hours: quietHours && JSON.stringify(quietHours) }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...(changed && {
        config: JSON.stringify(vault.sealConfig(channel, changed)),
        failing_since: null,
        failures: 0,
        problem: '',
        hold_until: null,
      }),
    })
    .where('id', '=', channel.id)
    .execute();
}

export async function removeChannel(state: State, channelId: number): Promise<void> {
  await state.db.deleteFrom('channel').where('id', '=', channelId).execute();
}

export function toChannel(row: Selectable<ChannelTable>, nowMs: number): Channel {
  const failingSince = row.failing_since === null ? null : Number(row.failing_since);
  const lastSentAt = row.last_sent_at === null ? null : Number(row.last_sent_at);
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as ChannelType,
    name: row.name,
    enabled: row.enabled === 1,
    config: JSON.parse(row.config) as ChannelConfig,
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
    createdAt: Number(row.created_at),
    failingSince,
    problem: row.problem.replace(refusedForGood, ''),
    lastSentAt,
    health: healthOf({ failingSince, lastSentAt, failures: row.failures, problem: row.problem, nowMs }),
  };
}

function healthOf(facts: {
  readonly failingSince: number | null;
  readonly lastSentAt: number | null;
  readonly failures: number;
  readonly problem: string;
  readonly nowMs: number;
}): ChannelHealth {
  const { failingSince, lastSentAt, failures, problem, nowMs } = facts;
  if (failingSince === null) return lastSentAt === null ? 'unused' : 'ok';
  const isLong = nowMs - failingSince >= brokenAfterMs && failures >= brokenAfterFailures;
  return isLong || problem.startsWith(refusedForGood) ? 'broken' : 'failing';
}
