export { checkConfig, maskConfig } from './channel-config.ts';
export { createVault, lostSecret, type OpenedConfig, sealStored, type Vault } from './vault.ts';
export {
  changeChannel,
  type Channel,
  type ChannelFields,
  createChannel,
  findChannel,
  listChannels,
  type ListedChannel,
  removeChannel,
} from './channel-store.ts';
export { pagerTypes, type SlackAccess } from './channels/index.ts';
export { slackApiUrl, slackErrorIn } from './channels/slack.ts';
export {
  referenceIn,
  type SlackAction,
  slackActions,
  slackAppMessage,
  type SlackIssueState,
  type SlackMessage,
  type SlackReference,
} from './channels/slack-message.ts';
export { retryAfterMs } from './channels/retry-after.ts';
export { deliveriesByKey, type LoggedDelivery, listDeliveries, resendDelivery } from './delivery-log.ts';
export { nextAttemptMs } from './backoff.ts';
export { enqueue } from './enqueue.ts';
export { existingChannels } from './existing.ts';
export { endIncidents } from './incidents.ts';
export { checkSmtp, parseMailSettings } from './mail/index.ts';
export { activityBookmark } from './followers.ts';
export { createNotifier, type Notifier } from './notifier.ts';
export { createRounds } from './rounds.ts';
export { changePersonalSettings, getPersonalSettings, type PersonalSettings } from './settings.ts';
export { unsubscribePath } from './send.ts';
export { resubscribe, type Subscription, unsubscribe } from './subscription.ts';
export { escapeHtml, escapeSlack } from './text.ts';
export { linkedIn, toldBy } from './told.ts';
export type { ChannelType, Delivery, Notification, NotificationIssue, Recipient, Severity } from './types.ts';
