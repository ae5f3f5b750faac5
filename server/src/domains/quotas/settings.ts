/** In whose months an organisation counts, and which channels are told. */
import type { State, StateTransaction } from '../../ports/state/state.ts';

export interface QuotaSettings {
  /** IANA name. */
  readonly timeZone: string;
  /** Channels that are told, beside owners and admins by mail. */
  readonly channelIds: readonly number[];
}

type Db = State['db'] | StateTransaction;

export async function quotaSettings({ db }: { db: Db }, organizationId: string): Promise<QuotaSettings> {
  const row = await db
    .selectFrom('organization_setting')
    .select(['time_zone', 'quota_channels'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return toQuotaSettings(row ?? { time_zone: null, quota_channels: null });
}

export const toQuotaSettings = (row: {
  readonly time_zone: string | null;
  readonly quota_channels: string | null;
}): QuotaSettings => ({
  timeZone: row.time_zone ?? 'UTC',
  channelIds: JSON.parse(row.quota_channels ?? '[]') as number[],
});

/** What is undefined stays. */
export async function changeQuotaSettings(
  { db }: { db: Db },
  organizationId: string,
  { timeZone, channelIds }: { readonly [K in keyof QuotaSettings]?: QuotaSettings[K] | undefined },
): Promise<void> {
  const row = {
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(channelIds && { quota_channels: JSON.stringify(channelIds) }),
  };
  if (Object.keys(row).length === 0) return;
  await db
    .insertInto('organization_setting')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
}
