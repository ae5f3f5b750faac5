/** What notifications to people say, and what became of deliveries. */
import { estimated, type Interval, number, percentage, plural, utcDay } from './intl.ts';

/** Of an issue, for people who follow it: `passive` where no person did it. */
export const activity = {
  set_resolved: { passive: '% was resolved', active: 'resolved %' },
  set_resolved_in_release: { passive: '% was resolved in a release', active: 'resolved % in a release' },
  set_resolved_by_commit: { passive: '% was resolved by a commit', active: 'resolved % by a commit' },
  set_unresolved: { passive: '% was reopened', active: 'reopened %' },
  set_archived: { passive: '% was archived', active: 'archived %' },
  set_regression: { passive: '% regressed', active: 'marked % as regressed' },
  set_escalating: { passive: '% is escalating', active: 'marked % as escalating' },
  archived_condition_met: { passive: '% returned from the archive', active: 'returned % from the archive' },
  note: { passive: 'A new comment on %', active: 'commented on %' },
  assigned: { passive: '% was assigned to you', active: 'assigned % to you' },
} as const;

export const sections = {
  issue_alert: 'Alerts',
  metric_alert: 'Alerts',
  assigned: 'Assigned to you',
  mentioned: 'Mentions',
  comment: 'Comments',
  state: 'Changes',
  digest: 'Earlier',
  report: 'Reports',
  invitation: 'Invitations',
  account: 'Accounts',
  token: 'API tokens',
  backup: 'Backups',
  quota: 'Quotas',
  webhook: 'Webhooks',
  test: 'Tests',
} as const;

export const notifications = {
  untitled: 'Notification',
  more: (count: number) => `and ${number(count)} more`,
  updates: (shortId: string, count: number) => `${shortId}: ${plural(count, 'update')}`,
  several: (count: number) => plural(count, 'notification'),
  bulkAssigned: (actor: string, count: number) => `${actor} assigned ${plural(count, 'issue')} to you`,
  mentioned: (actor: string, shortId: string) => `${actor} mentioned you in ${shortId}`,
  testTitle: (channel: string) => `Test of the channel "${channel}"`,
  testText: 'This is a test from Culprit. No action is needed.',
} as const;

export const facts = {
  issue: 'Issue',
  culprit: 'Culprit',
  events: 'Events',
  users: 'Users',
  threshold: 'Threshold',
  project: 'Project',
  environment: 'Environment',
  release: 'Release',
  rule: 'Rule',
} as const;

/** Of an issue alert the word before its title; none for what has no grade. */
export const severities = { info: '', warning: 'Warning', critical: 'Critical', resolved: 'Resolved' } as const;

export const tokenExpiry = {
  title: (name: string, expiresAt: number) => `The API token "${name}" expires on ${utcDay(expiresAt)}`,
  scimTitle: (name: string, expiresAt: number) => `The SCIM token "${name}" expires on ${utcDay(expiresAt)}`,
  text: 'Programs with this token then stop working. Create a new token, replace this one, then delete it.',
  expires: 'Expires',
  token: 'Token',
  scope: 'For',
  builds: (organization: string) => `builds of ${organization}`,
  you: (organization: string) => `you, in ${organization}`,
  service: (organization: string) => `a service account of ${organization}`,
  directory: (organization: string) => `provisioning of ${organization}`,
  lastUsed: 'Last used',
  never: 'never',
} as const;

export const report = {
  title: (organization: string, week: string) => `${organization}: week of ${week}`,
  frequent: 'Most frequent',
  frequency: (events: number, interval: Interval | undefined, users: number) =>
    `${estimated(events, interval, 'event')}${users > 0 ? `, ${plural(users, 'user')}` : ''}`,
  change: (share: number) => ` (${share >= 0 ? '+' : ''}${percentage(share, 0)})`,
  newIssues: 'New issues',
  regressed: 'Regressed',
  errors: 'Errors',
  regressions: 'Regressions',
  crashFree: 'Crash-free sessions',
  partOf: (heading: string, shown: number, count: number) => `${heading} (${shown} of ${number(count)})`,
} as const;

/** Why a delivery was not sent, waits or failed: after its state in the log of deliveries. */
export const deliveries = {
  interrupted: 'the server stopped during delivery. It may have arrived and is not sent again',
  noMail: 'no mail server is configured (CULPRIT_SMTP_URL)',
  turnedOff: 'turned off in their notification settings',
  quietHours: 'held for quiet hours',
  unsubscribed: 'all recipients unsubscribed',
  muted: 'all recipients muted the rule',
  noMember: 'the recipient is no longer a member',
  noAccess: 'the recipient cannot see the project',
  channelDeleted: 'the channel was deleted',
  channelOff: 'the channel is off',
  superseded: 'replaced by a later message',
  gaveUp: (why: string) => `gave up after a day: ${why}`,
  redirected: (location: string) => `the receiver redirects${location && ` to ${location}`}. Use that address`,
  gatewayTimeout: 'a gateway timed out before the receiver responded',
  status: (status: number, reason = '') => `the receiver responded with ${status}${reason && `: ${reason}`}`,
  telegramLimit: 'Telegram is rate limiting',
  linkSealed: 'the key for its link is missing. Invite them again',
  stopped: 'Culprit stopped, and retries after the restart',
  someRefused: (addresses: string, why: string) => `rejected for ${addresses}: ${why}`,
  noAddress: 'the channel has no address',
  unknown: 'it could not be sent',
} as const;

export const lostSecrets = (names: readonly string[]): string =>
  `${names.join(' and ')}: the key that sealed it is missing. Enter it again`;
