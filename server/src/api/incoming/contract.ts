/** Webhooks that hosts of code and of sites send here, of which releases and deploys are made. */
import { z } from 'zod';
import { invalid } from '../../base/texts/validation.ts';
import { incomingProviders, ruleProblem } from '../../domains/incoming/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery } from '../shared/schemas.ts';

const tag = 'Webhooks';
const list = '/organizations/:org/incoming-webhooks/';
const one = `${list}:webhook/`;

const name = z.string().trim().min(1, invalid.empty).max(100);
const rule = z
  .string()
  .trim()
  .min(1, invalid.empty)
  .max(200)
  .superRefine((text, context) => {
    const message = ruleProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .describe('`{commit}` is the SHA, `{tag}` the tag, `{version}` the tag without a leading v.');
const match = z
  .string()
  .trim()
  .min(1, invalid.empty)
  .max(200)
  .describe('Repository such as `acme/shop`, or name or ID of a site; `*` for all.');
const environments = z.array(z.string().trim().min(1, invalid.empty).max(64)).max(20);
const secret = z.string().trim().min(8).max(200);

const Mapping = z
  .object({
    match,
    projects: z.array(z.object({ id: z.string(), slug: z.string() })),
    version: rule,
    environments: environments.describe('Deploys to others are ignored; empty: none is.'),
  })
  .meta({ id: 'IncomingMapping' });

const MappingRequest = z
  .object({
    match,
    projects: z.array(z.string().max(64)).min(1).max(100).describe('Slugs or IDs.'),
    version: rule,
    environments: environments.default([]),
  })
  .meta({ id: 'IncomingMappingRequest' });
const mappings = z.array(MappingRequest).max(100);

const Delivery = z
  .object({
    id: z.string(),
    delivery: z.string().describe('ID that the provider gave it; empty for none.'),
    event: z.string(),
    result: z.enum(['taken', 'ignored', 'refused']),
    detail: z.string().describe('What was done, or why nothing was.'),
    dateReceived: dateTime(),
  })
  .meta({ id: 'IncomingDelivery' });

const Webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.enum(incomingProviders),
    url: z.string().describe('Where the provider sends to.'),
    mappings: z.array(Mapping),
    enabled: z.boolean(),
    hasSecret: z.boolean().describe('Without one, all requests are refused.'),
    formerSecretUntil: dateTime('Until when the previous secret is accepted as well.').nullable(),
    last: Delivery.nullable().describe('The last delivery with a valid signature.'),
    refusal: z.string().describe('Why a later request was not accepted; empty for none.'),
    dateRefused: dateTime().nullable(),
    dateCreated: dateTime(),
  })
  .meta({ id: 'IncomingWebhook' });

const NewWebhook = Webhook.extend({
  secret: z.string().nullable().describe('Shown this once; null if the provider makes it.'),
}).meta({ id: 'NewIncomingWebhook' });

const params = orgParams.extend({ webhook: z.string().max(16) });

export const listIncomingWebhooks = endpoint({
  method: 'GET',
  url: list,
  id: 'listIncomingWebhooks',
  tag,
  summary: 'List incoming webhooks of an organisation',
  access: 'org:write',
  params: orgParams,
  response: z.array(Webhook).describe('By name.'),
});

export const createIncomingWebhook = endpoint({
  method: 'POST',
  url: list,
  id: 'createIncomingWebhook',
  tag,
  summary: 'Create an incoming webhook',
  description:
    'The response has the secret, which is not shown again. Vercel makes its own: set it afterwards, as the new secret.',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({ name, provider: z.enum(incomingProviders), mappings, enabled: z.boolean().default(true) })
    .meta({ id: 'IncomingWebhookRequest' }),
  status: 201,
  response: NewWebhook,
});

export const updateIncomingWebhook = endpoint({
  method: 'PUT',
  url: one,
  id: 'updateIncomingWebhook',
  tag,
  summary: 'Update an incoming webhook; omitted fields stay',
  access: 'org:write',
  params,
  body: z.object({ name, mappings, enabled: z.boolean() }).partial().meta({ id: 'IncomingWebhookUpdate' }),
  response: Webhook,
});

export const deleteIncomingWebhook = endpoint({
  method: 'DELETE',
  url: one,
  id: 'deleteIncomingWebhook',
  tag,
  summary: 'Delete an incoming webhook',
  description: 'Releases and deploys that it made stay.',
  access: 'org:write',
  params,
  status: 204,
});

export const rotateIncomingWebhookSecret = endpoint({
  method: 'POST',
  url: `${one}secret/`,
  id: 'rotateIncomingWebhookSecret',
  tag,
  summary: 'Create or set the secret of an incoming webhook',
  description: 'The previous secret is accepted for another 24 hours.',
  access: 'org:write',
  params,
  body: z
    .object({ secret: secret.optional().describe('Secret that the provider made.') })
    .meta({ id: 'IncomingSecretRequest' }),
  response: z.object({ secret: z.string() }).meta({ id: 'IncomingSecret' }),
});

export const listIncomingDeliveries = endpoint({
  method: 'GET',
  url: `${one}deliveries/`,
  id: 'listIncomingDeliveries',
  tag,
  summary: 'List what an incoming webhook received, newest first',
  description: 'Kept for 30 days, at most 1,000 of a webhook. Requests without a valid signature are not listed.',
  access: 'org:write',
  params,
  query: z.object(pageQuery),
  response: z.array(Delivery),
});
