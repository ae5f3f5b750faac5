/** What stands around a notification in a mail, and the page that ends a subscription. */
export const mail = {
  open: 'Open in Culprit',
  settings: 'Notification settings',
  unsubscribe: 'Unsubscribe',
  more: (count: number) => `and ${count} more`,
  toMember: 'You receive this as a member of an organisation on Culprit.',
  toChannel: (name: string) => `Sent to the channel "${name}".`,
  toStranger: 'Someone invited this address to Culprit.',
} as const;

export const subscriptions = {
  kinds: {
    state: 'resolved, archived and returning issues',
    comment: 'comments on issues',
    assigned: 'issues assigned to you',
    mentioned: 'mentions of you',
    report: 'the weekly report',
  } as Readonly<Record<string, string>>,
  channel: (name: string) => `mail from the channel ${name}`,
  mail: (kinds: readonly string[]) => `mail about ${kinds.join(', ')}`,
  receives: (address: string, what: string) => `${address} receives ${what}.`,
  receivesAgain: (address: string, what: string) => `${address} receives ${what} again.`,
  stopped: (address: string, what: string) => `${address} no longer receives ${what}.`,
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'Unsubscribed',
  subscribe: 'Subscribe again',
  subscribed: 'Subscribed',
  settings: 'Notification settings',
  invalid: 'This link is not valid',
  invalidHint: 'Open it from the mail again, or use the link in a newer mail.',
  tooMany: 'Too many requests',
  retry: (seconds: number) => `Try again in ${seconds} seconds.`,
} as const;
