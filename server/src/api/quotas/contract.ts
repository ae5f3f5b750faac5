/** Quotas of organisations, projects and keys, and what was used of them. */
import { z } from 'zod';
import { quotaCategories, quotaPeriods, quotaScopes } from '../../base/quotas.ts';
import { timeZone } from '../channels/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const tag = 'Quotas';
const url = '/organizations/:org/quotas/';

const category = z.enum(quotaCategories);
const period = z.enum(quotaPeriods).describe('A month is one of the time zone of the organisation.');
const amount = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('Items that are accepted per period; of attachments, decompressed bytes. 0: none.');
const hard = z.boolean().describe('Whether what exceeds the quota is dropped. If not, the quota only notifies.');
const used = z.int().describe('Items, or bytes of attachments, that were accepted in the current period.');
const channelIds = z
  .array(z.string())
  .max(50)
  .describe('Channels that are notified, besides owners and admins by mail.');

const Quota = z
  .object({
    id: z.string(),
    scope: z.enum(quotaScopes),
    project: z
      .object({ id: z.string(), slug: z.string(), name: z.string() })
      .nullable()
      .describe('null: all projects together.'),
    key: z.object({ id: z.string(), label: z.string() }).nullable().describe('null: all keys together.'),
    category,
    period,
    amount,
    hard,
    used,
    start: dateTime('Start of the current period.'),
    end: dateTime('End of the current period.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'Quota' });

const QuotaSettings = z.object({ timeZone: timeZone.describe('IANA time zone name.'), channelIds }).meta({
  id: 'QuotaSettings',
});

export const listQuotas = endpoint({
  method: 'GET',
  url,
  id: 'listQuotas',
  tag,
  summary: 'List quotas of an organisation, its projects and keys, and how much is used',
  access: 'project:read',
  params: orgParams,
  response: QuotaSettings.extend({
    month: z.object({ start: dateTime(), end: dateTime() }).describe('The current month of the organisation.'),
    used: z
      .array(z.object({ category, used }))
      .describe('What was accepted in the current month, of all categories, with or without a quota.'),
    quotas: z.array(Quota),
  }).meta({ id: 'Quotas' }),
});

export const createQuota = endpoint({
  method: 'POST',
  url,
  id: 'createQuota',
  tag,
  summary: 'Create a quota',
  description: 'Without a project it is for the whole organisation. What was used in the current month counts.',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({
      project: z.string().max(64).optional().describe('Slug or ID.'),
      key: z.string().max(64).optional().describe('ID of a key of the project, or its public part.'),
      category,
      period,
      amount,
      hard: hard.default(true),
    })
    .meta({ id: 'QuotaRequest' }),
  status: 201,
  response: Quota,
});

export const updateQuota = endpoint({
  method: 'PUT',
  url: `${url}:quota/`,
  id: 'updateQuota',
  tag,
  summary: 'Change a quota; omitted fields stay',
  access: 'org:write',
  params: orgParams.extend({ quota: z.string().max(16) }),
  body: z.object({ amount: amount.optional(), hard: hard.optional() }).meta({ id: 'QuotaUpdate' }),
  response: Quota,
});

export const deleteQuota = endpoint({
  method: 'DELETE',
  url: `${url}:quota/`,
  id: 'deleteQuota',
  tag,
  summary: 'Delete a quota',
  access: 'org:write',
  params: orgParams.extend({ quota: z.string().max(16) }),
  status: 204,
});

export const updateQuotaSettings = endpoint({
  method: 'PUT',
  url: '/organizations/:org/quota-settings/',
  id: 'updateQuotaSettings',
  tag,
  summary: 'Set the time zone of months, and the channels that are notified; omitted fields stay',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({ timeZone: timeZone.optional(), channelIds: channelIds.optional() })
    .meta({ id: 'QuotaSettingsUpdate' }),
  response: QuotaSettings,
});
