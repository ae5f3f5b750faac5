export { checkConfig, maskConfig } from './channel-config.ts';
export { createVault, lostSecret, type OpenedConfig, sealStored, type Vault } from './vault.ts';
export {
  changeChannel,
  type Channel,
  type ChannelFields,
  createChannel,
  findChannel,
  listChannels,
  removeChannel,
} from './channel-store.ts';
export { pagerTypes } from './channels/index.ts';
export { deliveriesByKey, type LoggedDelivery, listDeliveries, resendDelivery } from './delivery-log.ts';
export { enqueue } from './enqueue.ts';
export { existingChannels } from './existing.ts';
export { checkSmtp, parseMailSettings } from './mail/index.ts';
export { type Notifier, openNotifier } from './notifier.ts';
export { createRounds } from './rounds.ts';
export { changePersonalSettings, getPersonalSettings, type PersonalSettings } from './settings.ts';
export type { ChannelType, Delivery, Notification, NotificationIssue, Recipient, Severity } from './types.ts';
