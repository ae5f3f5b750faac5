/** The fields of each kind of channel, and where to find their values. */
import * as m from '../../messages/channel-kinds.ts';
import { names } from '../../messages/channel-words.ts';
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
  /** Has a usual value. */
  readonly optional?: boolean;
  /** Of Slack: for which ways it is. */
  readonly ways?: readonly SlackWay[];
}

/** How Slack is reached; it stands among the values as `way`. */
export type SlackWay = 'app' | 'webhook' | 'bot';

export interface KindFacts {
  readonly name: string;
  /** Where the values below come from, step by step. */
  readonly steps: readonly string[];
  readonly fields: readonly KindField[];
}

const { hints, labels } = m;

const webhookUrl = (placeholder: string, hint: string): KindField => ({
  key: 'url',
  label: labels.webhookUrl,
  hint,
  placeholder,
  secret: true,
});

export const kinds: Readonly<Record<ChannelKind, KindFacts>> = {
  email: {
    name: names.email,
    steps: Object.values(m.emailSteps),
    fields: [
      {
        key: 'to',
        label: labels.to,
        hint: hints.to,
        placeholder: m.addressesExample,
        list: true,
      },
    ],
  },
  slack: {
    name: names.slack,
    steps: Object.values(m.slackSteps),
    fields: [
      { ...webhookUrl('https://hooks.slack.com/services/…', hints.slackUrl), ways: ['webhook'] },
      {
        key: 'token',
        label: labels.token,
        hint: hints.slackToken,
        placeholder: 'xoxb-…',
        secret: true,
        ways: ['bot'],
      },
      {
        key: 'channel',
        label: labels.slackChannel,
        hint: hints.slackChannel,
        placeholder: '#alerts',
        ways: ['app', 'bot'],
      },
    ],
  },
  discord: {
    name: names.discord,
    steps: Object.values(m.discordSteps),
    fields: [webhookUrl('https://discord.com/api/webhooks/…', hints.discordUrl)],
  },
  teams: {
    name: names.teams,
    steps: Object.values(m.teamsSteps),
    fields: [webhookUrl('https://….logic.azure.com/workflows/…', hints.teamsUrl)],
  },
  mattermost: {
    name: names.mattermost,
    steps: Object.values(m.mattermostSteps),
    fields: [webhookUrl('https://chat.example.com/hooks/…', hints.mattermostUrl)],
  },
  telegram: {
    name: names.telegram,
    steps: Object.values(m.telegramSteps),
    fields: [
      { key: 'token', label: labels.token, hint: hints.telegramToken, placeholder: '123456789:AAE…', secret: true },
      { key: 'chat', label: labels.chat, hint: hints.telegramChat, placeholder: '-1001234567890' },
    ],
  },
  pagerduty: {
    name: names.pagerduty,
    steps: Object.values(m.pagerdutySteps),
    fields: [
      { key: 'key', label: labels.integrationKey, hint: hints.pagerdutyKey, placeholder: 'R01…', secret: true },
      {
        key: 'apiUrl',
        label: labels.apiUrl,
        hint: hints.pagerdutyUrl,
        placeholder: 'https://events.pagerduty.com',
        optional: true,
      },
    ],
  },
  opsgenie: {
    name: names.opsgenie,
    steps: Object.values(m.opsgenieSteps),
    fields: [
      { key: 'key', label: labels.apiKey, hint: hints.opsgenieKey, placeholder: '12345678-…', secret: true },
      {
        key: 'apiUrl',
        label: labels.apiUrl,
        hint: hints.opsgenieUrl,
        placeholder: 'https://api.opsgenie.com',
        optional: true,
      },
    ],
  },
  webhook: {
    name: names.webhook,
    steps: Object.values(m.webhookSteps),
    fields: [
      { key: 'url', label: labels.url, hint: hints.webhookUrl, placeholder: 'https://example.com/culprit' },
      { key: 'secret', label: labels.secret, hint: hints.secret, placeholder: 'whsec_…', secret: true },
    ],
  },
};

export const kindNames = Object.entries(kinds).map(([kind, { name }]) => [kind as ChannelKind, name] as const);

type Values = Readonly<Record<string, string>>;

export const wayOf = ({ way }: Values): SlackWay => (way === 'app' || way === 'bot' ? way : 'webhook');

/** Those that there are to fill in. */
export const fieldsOf = (kind: ChannelKind, values: Values): readonly KindField[] =>
  kinds[kind].fields.filter(({ ways }) => !ways || ways.includes(wayOf(values)));

export function stepsOf(kind: ChannelKind, values: Values): readonly string[] {
  if (kind !== 'slack') return kinds[kind].steps;
  const steps = { app: m.slackAppSteps, bot: m.slackBotSteps, webhook: m.slackSteps };
  return Object.values(steps[wayOf(values)]);
}

/** What the form holds, as the API takes it. Empty ones are left out: they stay as they are. */
export function configOf(kind: ChannelKind, values: Values): ChannelRequest['config'] {
  const filled = fieldsOf(kind, values).flatMap(({ key, list }): [string, string | string[]][] => {
    const value = values[key]?.trim() ?? '';
    if (value === '') return [];
    return [[key, list ? value.split(/[\s,;]+/).filter((part) => part !== '') : value]];
  });
  return { ...Object.fromEntries(filled), ...(kind === 'slack' && wayOf(values) === 'app' && { via: 'app' }) };
}

/** What people know the place by: a channel of Slack by its name rather than its id. */
export const shownConfig = ({ type, config }: Channel): string[] =>
  kinds[type].fields.flatMap(({ key }) =>
    key === 'channel' && config['channelName'] !== undefined
      ? `#${[config['channelName']].flat().join(', ')}`
      : [config[key] ?? []].flat(),
  );

/** What the form begins with: what is no secret is shown. */
export function valuesOf(channel: Channel): Values {
  const { type, config } = channel;
  const shown = kinds[type].fields.flatMap(({ key, secret }): [string, string][] => {
    const value = config[key];
    if (secret || value === undefined) return [];
    return [[key, typeof value === 'string' ? value : value.join(', ')]];
  });
  if (type !== 'slack') return Object.fromEntries(shown);
  const way: SlackWay = config['via'] === 'app' ? 'app' : config['token'] === undefined ? 'webhook' : 'bot';
  const name = config['channelName'];
  return { ...Object.fromEntries(shown), way, ...(typeof name === 'string' && { channel: `#${name}` }) };
}

/** The first that must be filled in; undefined when all are, or stay as they are. */
export function missingField(kind: ChannelKind, values: Values, isSaved: boolean): KindField | undefined {
  const isEmpty = ({ key }: KindField): boolean => (values[key]?.trim() ?? '') === '';
  return fieldsOf(kind, values).find((field) => !field.optional && !(isSaved && field.secret) && isEmpty(field));
}

/** A random secret for signatures. */
export function newSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): string {
  return `whsec_${btoa(String.fromCharCode(...random(new Uint8Array(24))))}`;
}
