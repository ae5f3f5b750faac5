/** What a form of each kind of channel asks for, and where one finds it. */
import type { Channel, ChannelRequest } from './queries.ts';

export type ChannelKind = Channel['type'];

export interface KindField {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly placeholder: string;
  /** Never shown again once it is saved. */
  readonly secret?: boolean;
  /** Addresses, separated by commas or lines. */
  readonly list?: boolean;
  /** Has a usual value, or is only needed for one way of several. */
  readonly optional?: boolean;
}

export interface KindFacts {
  readonly name: string;
  /** Where the values below come from, step by step. */
  readonly steps: readonly string[];
  readonly fields: readonly KindField[];
}

const webhookUrl = (placeholder: string, hint: string): KindField => ({
  key: 'url',
  label: 'Webhook address',
  hint,
  placeholder,
  secret: true,
});

export const kinds: Readonly<Record<ChannelKind, KindFacts>> = {
  email: {
    name: 'E-mail',
    steps: ['One message goes to all of these addresses. Mail about one issue stays in one thread.'],
    fields: [
      {
        key: 'to',
        label: 'Addresses',
        hint: 'Separated by commas or lines; at most 50.',
        placeholder: 'ops@example.com, dev@example.com',
        list: true,
      },
    ],
  },
  slack: {
    name: 'Slack',
    steps: [
      'At api.slack.com/apps, create an app for your workspace.',
      'Under “Incoming Webhooks”, switch them on, add one to a channel and copy its address.',
      'Or, to post in several channels with one app: give it the bot scope chat:write, install it, invite it to the channel, and use its token.',
    ],
    fields: [
      {
        ...webhookUrl('https://hooks.slack.com/services/…', 'Of an incoming webhook. Leave it empty to use a bot.'),
        optional: true,
      },
      {
        key: 'token',
        label: 'Bot token',
        hint: 'Instead of a webhook.',
        placeholder: 'xoxb-…',
        secret: true,
        optional: true,
      },
      {
        key: 'channel',
        label: 'Slack channel',
        hint: 'Of the bot: its id, or #name.',
        placeholder: '#alerts',
        optional: true,
      },
    ],
  },
  discord: {
    name: 'Discord',
    steps: [
      'In Discord, open the settings of the channel and choose Integrations, Webhooks.',
      'Make a new webhook and copy its address.',
    ],
    fields: [webhookUrl('https://discord.com/api/webhooks/…', 'Anyone who has it can post there.')],
  },
  teams: {
    name: 'Microsoft Teams',
    steps: [
      'In Teams, open the menu of the channel and choose Workflows.',
      'Pick “Send webhook alerts to a channel” and save it.',
      'Copy the address that the workflow shows.',
    ],
    fields: [webhookUrl('https://….logic.azure.com/workflows/…', 'Of the workflow.')],
  },
  mattermost: {
    name: 'Mattermost',
    steps: [
      'In Mattermost, open Integrations, Incoming Webhooks and add one for the channel.',
      'Copy its address. If the server has no public address, the owner of this installation allows it with CULPRIT_OUTBOUND_ALLOW.',
    ],
    fields: [webhookUrl('https://chat.example.com/hooks/…', 'Of the incoming webhook.')],
  },
  telegram: {
    name: 'Telegram',
    steps: [
      'Write to @BotFather, send /newbot and copy the token.',
      'Add the bot to the group or channel, and write one message there.',
      'Open https://api.telegram.org/bot<token>/getUpdates: the number is “chat”: {“id”: …}.',
    ],
    fields: [
      { key: 'token', label: 'Bot token', hint: 'From BotFather.', placeholder: '123456789:AAE…', secret: true },
      { key: 'chat', label: 'Chat', hint: 'Its number, or @name of a public channel.', placeholder: '-1001234567890' },
    ],
  },
  pagerduty: {
    name: 'PagerDuty',
    steps: [
      'In PagerDuty, open the service and choose Integrations, Add an integration, Events API V2.',
      'Copy the integration key. Alerts are resolved there when they are resolved here.',
    ],
    fields: [
      { key: 'key', label: 'Integration key', hint: '32 letters and digits.', placeholder: 'R01…', secret: true },
      {
        key: 'apiUrl',
        label: 'Address of the API',
        hint: 'For the service region of the EU: https://events.eu.pagerduty.com',
        placeholder: 'https://events.pagerduty.com',
        optional: true,
      },
    ],
  },
  opsgenie: {
    name: 'Opsgenie',
    steps: [
      'In Opsgenie, open Settings, Integrations and add an API integration that may create and close alerts.',
      'Copy its key.',
    ],
    fields: [
      { key: 'key', label: 'API key', hint: 'Of the integration.', placeholder: '12345678-…', secret: true },
      {
        key: 'apiUrl',
        label: 'Address of the API',
        hint: 'For the EU: https://api.eu.opsgenie.com',
        placeholder: 'https://api.opsgenie.com',
        optional: true,
      },
    ],
  },
  webhook: {
    name: 'Webhook',
    steps: [
      'A POST with JSON, signed as Standard Webhooks describe it: webhook-signature is HMAC-SHA256 over “id.timestamp.body”.',
      'Answer with 2xx within 15 seconds. The same Idempotency-Key may come again after a failure.',
    ],
    fields: [
      {
        key: 'url',
        label: 'Address',
        hint: 'https, or http where the owner allows it.',
        placeholder: 'https://example.com/culprit',
      },
      {
        key: 'secret',
        label: 'Signing secret',
        hint: 'Copy it to the receiver now: it is not shown again.',
        placeholder: 'whsec_…',
        secret: true,
      },
    ],
  },
};

export const kindNames = Object.entries(kinds).map(([kind, { name }]) => [kind as ChannelKind, name] as const);

type Values = Readonly<Record<string, string>>;

/** What the form holds, as the API takes it. Empty ones are left out: they stay as they are. */
export function configOf(kind: ChannelKind, values: Values): ChannelRequest['config'] {
  const filled = kinds[kind].fields.flatMap(({ key, list }): [string, string | string[]][] => {
    const value = values[key]?.trim() ?? '';
    if (value === '') return [];
    return [[key, list ? value.split(/[\s,;]+/).filter((part) => part !== '') : value]];
  });
  return Object.fromEntries(filled);
}

/** What the form begins with: what is no secret is shown. */
export function valuesOf(channel: Channel): Values {
  const shown = kinds[channel.type].fields.flatMap(({ key, secret }): [string, string][] => {
    const value = channel.config[key];
    if (secret || value === undefined) return [];
    return [[key, typeof value === 'string' ? value : value.join(', ')]];
  });
  return Object.fromEntries(shown);
}

/** The first that must be filled in; undefined when all are, or stay as they are. */
export function missingField(kind: ChannelKind, values: Values, isSaved: boolean): KindField | undefined {
  const isEmpty = ({ key }: KindField): boolean => (values[key]?.trim() ?? '') === '';
  const wanted = kinds[kind].fields.find((field) => !field.optional && !(isSaved && field.secret) && isEmpty(field));
  if (wanted || kind !== 'slack' || isSaved) return wanted;
  const [url, token, channel] = kinds.slack.fields;
  if (url && token && isEmpty(url) && isEmpty(token)) return url;
  return channel && token && !isEmpty(token) && isEmpty(channel) ? channel : undefined;
}

/** A secret that nobody has to invent, for signatures. */
export function newSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): string {
  return `whsec_${btoa(String.fromCharCode(...random(new Uint8Array(24))))}`;
}
