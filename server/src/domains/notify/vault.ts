/** What of channels and of messages must not be read in the state store: sealed on its way in, opened to be sent or masked. */
import { bareText, type Box, isSealedText, textBox } from '../../base/secrets/index.ts';
import type { State } from '../../ports/state/state.ts';
import { type ChannelConfig, secretsOfChannel } from './channel-config.ts';
import type { Subscription } from './subscription.ts';
import type { ChannelType, Notification } from './types.ts';
import * as texts from '../../base/texts/notifications.ts';

export interface ChannelPlace {
  readonly organizationId: string;
  readonly type: ChannelType;
}

export interface OpenedConfig {
  readonly config: ChannelConfig;
  /** Secrets that do not open: sealed with a key that is gone. They are left out. */
  readonly lost: readonly string[];
}

export interface Vault {
  sealConfig(place: ChannelPlace, config: ChannelConfig): ChannelConfig;
  openConfig(place: ChannelPlace, config: ChannelConfig): OpenedConfig;
  /** With its link sealed, where that makes whoever has it a member, or lets them into an account. */
  sealLink(notification: Notification): Notification;
  /** As it stands in the link of a mail: whoever has it can end that mail, and make no other link. */
  sealSubscription(subscription: Subscription): string;
  /** Undefined for what was not sealed here. */
  openSubscription(sealed: string): Subscription | undefined;
  /** Undefined where the link does not open. */
  openLink(notification: Notification): Notification | undefined;
}

export const lostSecret = (lost: readonly string[]): string => texts.lostSecrets(lost);

export function createVault(box: Box): Vault {
  const texts = textBox(box);
  const placeOf = ({ organizationId, type }: ChannelPlace, key: string): string =>
    `channel ${organizationId} ${type} ${key}`;
  return {
    sealConfig(place, config) {
      const sealed = secretsIn(place.type, config).map(([key, value]) => [key, texts.seal(value, placeOf(place, key))]);
      return { ...config, ...Object.fromEntries(sealed) };
    },
    openConfig(place, config) {
      const opened: Record<string, ChannelConfig[string]> = { ...config };
      const lost: string[] = [];
      for (const [key, value] of secretsIn(place.type, config)) {
        if (!isSealedText(value)) continue;
        const text = texts.open(value, placeOf(place, key));
        if (text === undefined) {
          lost.push(key);
          delete opened[key];
        } else opened[key] = text;
      }
      return { config: opened, lost };
    },
    sealSubscription: (subscription) => bareText(texts.seal(JSON.stringify(subscription), subscriptionPlace)),
    openSubscription(sealed) {
      const text = texts.open(sealed, subscriptionPlace);
      return text === undefined ? undefined : (JSON.parse(text) as Subscription);
    },
    sealLink: (notification) =>
      isKey(notification)
        ? { ...notification, url: texts.seal(notification.url, notification.groupKey) }
        : notification,
    openLink(notification) {
      if (!isKey(notification) || !isSealedText(notification.url)) return notification;
      const url = texts.open(notification.url, notification.groupKey);
      return url === undefined ? undefined : { ...notification, url };
    },
  };
}

const isKey = ({ kind }: Notification): boolean => kind === 'invitation' || kind === 'account';

const subscriptionPlace = 'subscription of a mail';

const secretsIn = (type: ChannelType, config: ChannelConfig): [key: string, value: string][] =>
  secretsOfChannel(type).flatMap((key) => {
    const value = config[key];
    return typeof value === 'string' && value !== '' ? [[key, value] as [string, string]] : [];
  });

/** Seals what an earlier version stored in the clear. */
export async function sealStored(state: State, vault: Vault): Promise<void> {
  await state.transaction(async (trx) => {
    for (const row of await trx.selectFrom('channel').select(['id', 'organization_id', 'type', 'config']).execute()) {
      const place = { organizationId: row.organization_id, type: row.type as ChannelType };
      const config = JSON.parse(row.config) as ChannelConfig;
      const clear = Object.fromEntries(secretsIn(place.type, config).filter(([, value]) => !isSealedText(value)));
      if (Object.keys(clear).length === 0) continue;
      const sealed = JSON.stringify({ ...config, ...vault.sealConfig(place, clear) });
      await trx.updateTable('channel').set({ config: sealed }).where('id', '=', row.id).execute();
    }
    const invitations = await trx
      .selectFrom('delivery')
      .select(['id', 'notification'])
      .where('kind', '=', 'invitation')
      .execute();
    for (const { id, notification } of invitations) {
      const stored = JSON.parse(notification) as Notification;
      if (isSealedText(stored.url)) continue;
      const sealed = JSON.stringify(vault.sealLink(stored));
      await trx.updateTable('delivery').set({ notification: sealed }).where('id', '=', id).execute();
    }
  });
}
