/** Why a call to another server failed: a webhook, a chat, a pager. The log of deliveries and tests of channels show it. */
export const outbound = {
  notResolved: 'the host name was not resolved in time',
  noResponse: (seconds: number) => `no response within ${seconds} s`,
  cutOff: (reason: string) => `the connection failed before the response: ${reason}`,
  noConnection: (seconds: number) => `no connection within ${seconds} s`,
  atHost: (host: string, reason: string) => `${host}: ${reason}`,
  notPublic: (address: string) => `connected to ${address}, which is not a public address`,
  private: (host: string, address: string) =>
    `${host}${address === host ? '' : ` leads to ${address}, which`} is not a public address. The administrator can allow it with CULPRIT_OUTBOUND_ALLOW`,
  none: 'outgoing calls are off (CULPRIT_OUTBOUND_ALLOW=none)',
  invalid: 'the address is not valid',
  protocol: (protocol: string) => `the address starts with ${protocol}, expected http: or https:`,
  credentials: 'the address contains a user name or password',
  unknownHost: (host: string) => `the host ${host} does not exist`,
  unresolved: (host: string, code: string) => `the host ${host} could not be resolved: ${code || 'unknown'}`,
  notAllowed: (entry: string) => `"${entry}" is not an address, network or host name`,
  otherKey: 'the secret was sealed with another key; enter it again',
} as const;

/** What the fields of a channel expect. */
export const channels = {
  address: 'is not a mail address',
  noAddress: 'needs at least one address',
  tooManyAddresses: (max: number) => `must have at most ${max} addresses`,
  characters: 'contains invalid characters',
  slackAddress: 'use one of these: the Slack app, the address of an incoming webhook, or a bot token',
  slackChannel: 'choose a channel',
  telegramToken: 'must look like 123456789:AAE…, as shown by BotFather',
  telegramChat: 'must be a number such as -1001234567890, or @name of a public channel',
  signature: 'must be whsec_ and at least 16 bytes in base64',
  enterAgain: (secret: string, changed: string) => `${secret}: enter it again, because ${changed} changed`,
  noRecipients: 'no recipients: all addresses unsubscribed',
  allUnsubscribed: 'to: all addresses are unsubscribed',
  notAvailable: 'notifications are not available',
} as const;
