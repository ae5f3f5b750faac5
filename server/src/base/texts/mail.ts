/** What stands around a notification in a mail, and the page that ends a subscription. */
export const mail = {
  open: 'Open in Culprit',
  settings: 'Notification settings',
  unsubscribe: 'Unsubscribe',
  more: (count: number) => `and ${count} more`,
  toMember: 'You receive this as a member of an organisation on Culprit.',
  toChannel: (name: string) => `Sent to the channel "${name}".`,
  toStranger: 'Someone invited this address to Culprit.',
  toAccount: 'Sent for the account with this address on Culprit.',
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

/** Mails about somebody's own account. */
export const accountMails = {
  reset: {
    title: 'Reset your Culprit password',
    text: 'Open the link to choose a new password. It works once, for 30 minutes. If you did not ask for it, ignore this mail: your password stays as it is.',
  },
  confirmEmail: (email: string) => ({
    title: 'Confirm your email address',
    text: `Open the link to use ${email} for your Culprit account. It works once, for 30 minutes. If you did not ask for it, ignore this mail.`,
  }),
  emailChanged: (email: string) => ({
    title: 'The email address of your Culprit account changed',
    text: `It is ${email} now. If you did not change it, ask an owner of your organisation to end this account's access.`,
  }),
  passwordChanged: {
    title: 'The password of your Culprit account changed',
    text: 'Other sessions were signed out. If you did not change it, reset the password now, or ask an owner of your organisation.',
  },
  twoFactorOn: {
    title: 'Two-factor authentication is on for your Culprit account',
    text: 'Signing in needs a code from your authenticator app from now on. Other sessions were signed out. If you did not turn it on, ask an owner of your organisation.',
  },
  twoFactorOff: {
    title: 'Two-factor authentication is off for your Culprit account',
    text: 'Signing in no longer needs a code. Other sessions were signed out. If you did not turn it off, change your password now, or ask an owner of your organisation.',
  },
  recoveryCodesRenewed: {
    title: 'New recovery codes for your Culprit account',
    text: 'The former codes no longer work. If you did not create new ones, change your password now, or ask an owner of your organisation.',
  },
  passkeyAdded: (name: string) => ({
    title: 'A passkey was added to your Culprit account',
    text: `It is called "${name}", and signs in without a password. If you did not add it, delete it in My account.`,
  }),
  passkeyRemoved: (name: string) => ({
    title: 'A passkey was deleted from your Culprit account',
    text: `"${name}" no longer signs in. If you did not delete it, change your password now, or ask an owner of your organisation.`,
  }),
  recovered: {
    title: 'Someone signed in to your Culprit account with a recovery link',
    text: 'The link was made on the server, and a new password was set. If you did not ask for it, ask the people who run the server.',
  },
} as const;

/** Stands in the place of whoever deleted their account. */
export const deletedUser = 'Deleted user';
