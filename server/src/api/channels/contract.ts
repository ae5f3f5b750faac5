/** Channels, and what was delivered to them and to people. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const ChannelKind = z
  .enum(['email', 'slack', 'discord', 'teams', 'mattermost', 'telegram', 'pagerduty', 'opsgenie', 'webhook'])
  .describe('teams means Microsoft Teams.');

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, invalid.clock);

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return true;
  } catch {
    return false;
  }
};

export const timeZone = z.string().max(100).refine(isTimeZone, invalid.timeZone);

export const QuietHours = z
  .object({
    timeZone: timeZone.describe('IANA time zone name.'),
    from: clock.describe('HH:MM in the time zone.'),
    until: clock.describe('If not later than from: on the next day.'),
    days: z.array(z.int().min(0).max(6)).max(7).describe('Days on which quiet hours start; 0 is Sunday.'),
    criticalPasses: z.boolean().describe('Whether critical notifications are still sent.'),
  })
  .meta({ id: 'QuietHours' });

const configValue = z.union([z.string().max(4000), z.array(z.string().max(320)).max(50)]);

const config = z
  .record(z.string().max(40), configValue)
  .describe(
    'email: to (list); slack: url, or token and channel, or via: app and channel; discord, teams, mattermost: url; telegram: token, chat; pagerduty: key; opsgenie: key, apiUrl; webhook: url, secret. Omitted fields stay.',
  );

const name = z.string().trim().min(1, invalid.empty).max(100);

export const Channel = z
  .object({
    id: z.string(),
    type: ChannelKind,
    name: z.string(),
    enabled: z.boolean(),
    config: z.record(z.string(), configValue).describe('Secrets show their last characters only.'),
    quietHours: QuietHours.nullable(),
    health: z
      .enum(['unused', 'ok', 'failing', 'broken'])
      .describe('broken: rejected permanently, or no delivery for an hour.'),
    problem: z.string().describe('Reason of the last failure; empty while deliveries arrive.'),
    failingSince: dateTime().nullable(),
    lastSent: dateTime().nullable(),
    unsubscribed: z
      .array(z.object({ address: z.string(), at: dateTime() }))
      .describe('Unsubscribed addresses of an email channel. They get no mail, and only they can subscribe again.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'Channel' });

export const listChannels = endpoint({
  method: 'GET',
  url: '/organizations/:org/channels/',
  id: 'listChannels',
  tag: 'Channels',
  summary: 'List channels of an organisation',
  access: 'org:read',
  params: orgParams,
  response: z.array(Channel).describe('By name.'),
});

export const createChannel = endpoint({
  method: 'POST',
  url: '/organizations/:org/channels/',
  id: 'createChannel',
  tag: 'Channels',
  summary: 'Make a channel',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({
      type: ChannelKind,
      name,
      config,
      quietHours: QuietHours.nullable().default(null),
      enabled: z.boolean().default(true),
    })
    .meta({ id: 'ChannelRequest' }),
  status: 201,
  response: Channel,
});

const idParams = orgParams.extend({ id: z.string().max(20) });

export const updateChannel = endpoint({
  method: 'PUT',
  url: '/organizations/:org/channels/:id/',
  id: 'updateChannel',
  tag: 'Channels',
  summary: 'Update a channel; omitted fields stay',
  description: 'If the address changes, send its secrets again.',
  access: 'org:write',
  params: idParams,
  body: z
    .object({ name, config, quietHours: QuietHours.nullable(), enabled: z.boolean() })
    .partial()
    .meta({ id: 'ChannelUpdate' }),
  response: Channel,
});

export const deleteChannel = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/channels/:id/',
  id: 'deleteChannel',
  tag: 'Channels',
  summary: 'Delete a channel with its log',
  access: 'org:write',
  params: idParams,
  status: 204,
});

export const resubscribeToChannel = endpoint({
  method: 'POST',
  url: '/organizations/:org/channels/:id/subscription/',
  id: 'resubscribeToChannel',
  tag: 'Channels',
  summary: 'Subscribe again to an email channel',
  description: "For the caller's own address only. Other addresses use the link in their mail.",
  access: 'org:read',
  tokenAccess: 'org:write',
  params: idParams,
  response: Channel,
});

const TestResult = z
  .object({
    state: z.enum(['sent', 'failed', 'uncertain']),
    status: z.int().nullable().describe('Status of the receiver; null if it did not respond.'),
    answer: z.string().describe("Start of the receiver's response."),
    detail: z.string().describe('What failed, as text; empty if nothing did.'),
    durationMs: z.int(),
  })
  .meta({ id: 'ChannelTest' });

export const testChannel = endpoint({
  method: 'POST',
  url: '/organizations/:org/channels/:id/test/',
  id: 'testChannel',
  tag: 'Channels',
  summary: 'Send a test message to a channel and wait for the result',
  access: 'org:write',
  params: idParams,
  response: TestResult,
});

export const testUnsavedChannel = endpoint({
  method: 'POST',
  url: '/organizations/:org/channels/test/',
  id: 'testUnsavedChannel',
  tag: 'Channels',
  summary: 'Send a test message to an unsaved or changed channel',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({
      type: ChannelKind,
      config,
      id: z.string().max(20).optional().describe('Channel whose secrets apply if the request has none.'),
    })
    .meta({ id: 'ChannelTestRequest' }),
  response: TestResult,
});

export const deliveryStates = ['waiting', 'sending', 'sent', 'merged', 'failed', 'uncertain', 'skipped'] as const;

const DeliveryStates = z.enum(deliveryStates);

export const Delivery = z
  .object({
    id: z.string(),
    channel: z.object({ id: z.string(), name: z.string(), type: ChannelKind }).nullable(),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    email: z.string().nullable().describe('For people who are not members, such as invited ones.'),
    kind: z.string(),
    severity: z.enum(['info', 'warning', 'critical', 'resolved']),
    title: z.string(),
    url: z.string(),
    state: DeliveryStates.describe(
      'merged: part of another delivery. uncertain: it may have arrived; sending again may duplicate it. skipped: no recipient, or no way to send it.',
    ),
    detail: z.string().describe('Reason of the state; empty if there is none.'),
    attempts: z.array(
      z.object({
        at: dateTime(),
        outcome: z.enum(['sent', 'retry', 'failed', 'uncertain']),
        status: z.int().nullable(),
        answer: z.string().describe('Start of the response.'),
        durationMs: z.int(),
      }),
    ),
    mergedInto: z.string().nullable(),
    dateCreated: dateTime(),
    due: dateTime('When the next attempt is or was due.'),
    finished: dateTime().nullable(),
  })
  .meta({ id: 'Delivery' });

export const listDeliveries = endpoint({
  method: 'GET',
  url: '/organizations/:org/deliveries/',
  id: 'listDeliveries',
  tag: 'Channels',
  summary: 'List deliveries, newest first',
  description: 'Kept for 30 days.',
  access: 'org:read',
  params: orgParams,
  query: z.object({
    channel: z.string().max(20).optional().describe('Channel ID; omit for all deliveries, including mail to people.'),
    state: DeliveryStates.optional(),
    ...pageQuery,
  }),
  response: z.array(Delivery),
});

export const resendDelivery = endpoint({
  method: 'POST',
  url: '/organizations/:org/deliveries/:id/resend/',
  id: 'resendDelivery',
  tag: 'Channels',
  summary: 'Send a finished delivery again as a new one',
  description: 'Only for finished deliveries.',
  access: 'org:write',
  params: idParams,
  status: 202,
  response: z.object({ id: z.string() }),
});
