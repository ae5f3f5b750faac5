/** How the caller wants to be told, and whether mail can be sent at all. */
import { z } from 'zod';
import { QuietHours, timeZone } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const Reach = z
  .enum(['all', 'mine', 'none'])
  .describe('all: every issue of the organisation. mine: assigned or subscribed issues. none.');

const Switch = z.enum(['mine', 'none']);

const settings = {
  state: Reach.describe('An issue is resolved, archived, regressed or escalating.'),
  comment: Reach,
  assigned: Switch.describe('An issue is assigned to you.'),
  mentioned: Switch,
  report: z.boolean().describe('The weekly report, on Mondays at nine.'),
  timeZone: timeZone.describe('IANA time zone name.'),
  quietHours: QuietHours.nullable(),
  projects: z
    .record(z.string().regex(/^\d{1,9}$/), Reach)
    .refine((value) => Object.keys(value).length <= 500, invalid.fewer(500, 'projects'))
    .describe('By project ID: overrides for states and comments.'),
};

export const NotificationSettings = z.object(settings).meta({ id: 'NotificationSettings' });

export const getNotificationSettings = endpoint({
  method: 'GET',
  url: '/organizations/:org/notification-settings/',
  id: 'getNotificationSettings',
  tag: 'Notifications',
  summary: 'Get your notification settings',
  access: 'org:read',
  params: orgParams,
  response: NotificationSettings,
});

export const updateNotificationSettings = endpoint({
  method: 'PUT',
  url: '/organizations/:org/notification-settings/',
  id: 'updateNotificationSettings',
  tag: 'Notifications',
  summary: 'Update your notification settings; omitted fields stay',
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
  summary: 'Check whether this installation can send mail',
  access: 'org:read',
  params: orgParams,
  response: z
    .object({
      configured: z.boolean(),
      from: z.string().describe('The sender; empty if mail is off.'),
      setting: z.string().describe('Setting that turns mail on.'),
    })
    .meta({ id: 'MailStatus' }),
});
