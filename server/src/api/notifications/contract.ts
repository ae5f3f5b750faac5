/** How the caller wants to be told, and whether mail can be sent at all. */
import { z } from 'zod';
import { QuietHours, timeZone } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams } from '../shared/schemas.ts';

const Reach = z
  .enum(['all', 'mine', 'none'])
  .describe('all: every issue of the organisation; mine: those that the caller is assigned or subscribed to; none.');

const Switch = z.enum(['mine', 'none']);

const settings = {
  state: Reach.describe('When an issue is resolved, archived, comes back or escalates.'),
  comment: Reach,
  assigned: Switch.describe('When an issue is given to the caller.'),
  mentioned: Switch,
  report: z.boolean().describe('On Mondays at nine: what the week was like.'),
  timeZone: timeZone.describe('IANA name.'),
  quietHours: QuietHours.nullable(),
  projects: z
    .record(z.string().regex(/^\d{1,9}$/), Reach)
    .refine((value) => Object.keys(value).length <= 500, 'at most 500 projects')
    .describe('By project id: what holds for states and comments there instead.'),
};

export const NotificationSettings = z.object(settings).meta({ id: 'NotificationSettings' });

export const getNotificationSettings = endpoint({
  method: 'GET',
  url: '/organizations/:org/notification-settings/',
  id: 'getNotificationSettings',
  tag: 'Notifications',
  summary: 'How the caller is told',
  access: 'org:read',
  params: orgParams,
  response: NotificationSettings,
});

export const updateNotificationSettings = endpoint({
  method: 'PUT',
  url: '/organizations/:org/notification-settings/',
  id: 'updateNotificationSettings',
  tag: 'Notifications',
  summary: 'Change how the caller is told; what is left out stays',
  access: 'org:read',
  params: orgParams,
  body: z.object(settings).partial().meta({ id: 'NotificationSettingsUpdate' }),
  response: NotificationSettings,
});

export const getMailStatus = endpoint({
  method: 'GET',
  url: '/organizations/:org/mail/',
  id: 'getMailStatus',
  tag: 'Notifications',
  summary: 'Whether this installation can send mail',
  access: 'org:read',
  params: orgParams,
  response: z
    .object({
      configured: z.boolean(),
      from: z.string().describe('The sender; empty where there is none.'),
      setting: z.string().describe('The setting that makes it possible.'),
    })
    .meta({ id: 'MailStatus' }),
});
