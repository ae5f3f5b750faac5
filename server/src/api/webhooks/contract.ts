/** Webhooks of organisations, and what was sent to them. */
import { z } from 'zod';
import { readTarget } from '../../base/outbound/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { webhookEvents } from '../../domains/webhooks/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery } from '../shared/schemas.ts';

const tag = 'Webhooks';
const list = '/organizations/:org/webhooks/';
const one = `${list}:webhook/`;

const url = z
  .string()
  .trim()
  .min(1, invalid.required)
  .max(2000)
  .superRefine((text, context) => {
    try {
      readTarget(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : invalid.required });
    }
  });
const name = z.string().trim().min(1, invalid.empty).max(100);
const events = z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length);
const projects = z.array(z.string().max(64)).max(100).describe('Slugs or IDs; empty: all projects.');

const Webhook = z
  .object({
    id: z.string(),
    uuid: z.string().describe('`installation.uuid` of what is sent.'),
    name: z.string(),
    url: z.string(),
    projects: z.array(z.object({ id: z.string(), slug: z.string() })).describe('Empty: all projects.'),
    events,
    enabled: z.boolean(),
    dateDisabled: dateTime('When it was disabled because it kept failing.').nullable(),
    problem: z.string().describe('Reason of the last failure; empty while deliveries arrive.'),
    failingSince: dateTime().nullable(),
    lastSent: dateTime().nullable(),
    dropped: z.int().describe('Deliveries that found no room in the queue since it was enabled.'),
    formerSecretUntil: dateTime('Until when the previous secret signs as well.').nullable(),
    dateCreated: dateTime(),
  })
  .meta({ id: 'Webhook' });

const NewWebhook = Webhook.extend({
  secret: z.string().describe('Shown this once. Signs all that is sent.'),
}).meta({ id: 'NewWebhook' });

const attempt = {
  date: dateTime(),
  status: z.int().nullable().describe('null: no answer.'),
  durationMs: z.int(),
  answer: z.string().describe('Beginning of the response.'),
  problem: z.string().describe('Why it did not arrive; empty if it did.'),
};

const state = z.enum(['waiting', 'sent', 'failed']);

const Delivery = z
  .object({
    id: z.string(),
    uuid: z.string().describe('`webhook-id`: the same each time it is sent.'),
    event: z.string(),
    resource: z.string().describe('`Sentry-Hook-Resource`.'),
    state,
    detail: z.string().describe('Why the last attempt failed.'),
    attempts: z.array(z.object(attempt)).describe('The last 10.'),
    body: z.string().describe('The request, as it is sent.'),
    dateCreated: dateTime(),
    dateDue: dateTime('Next attempt.').nullable(),
    dateFinished: dateTime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

const params = orgParams.extend({ webhook: z.string().max(16) });

export const listWebhooks = endpoint({
  method: 'GET',
  url: list,
  id: 'listWebhooks',
  tag,
  summary: 'List webhooks of an organisation',
  access: 'org:write',
  params: orgParams,
  response: z.array(Webhook).describe('By name.'),
});

export const createWebhook = endpoint({
  method: 'POST',
  url: list,
  id: 'createWebhook',
  tag,
  summary: 'Create a webhook',
  description: 'The response has the secret, which is not shown again.',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({ name, url, events, projects: projects.default([]), enabled: z.boolean().default(true) })
    .meta({ id: 'WebhookRequest' }),
  status: 201,
  response: NewWebhook,
});

export const updateWebhook = endpoint({
  method: 'PUT',
  url: one,
  id: 'updateWebhook',
  tag,
  summary: 'Update a webhook; omitted fields stay',
  description: 'What happened while it was disabled is not sent.',
  access: 'org:write',
  params,
  body: z.object({ name, url, events, projects, enabled: z.boolean() }).partial().meta({ id: 'WebhookUpdate' }),
  response: Webhook,
});

export const deleteWebhook = endpoint({
  method: 'DELETE',
  url: one,
  id: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook with its deliveries',
  access: 'org:write',
  params,
  status: 204,
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  url: `${one}secret/`,
  id: 'rotateWebhookSecret',
  tag,
  summary: 'Create a new secret',
  description: 'For 24 hours, `webhook-signature` has a signature of the previous secret as well.',
  access: 'org:write',
  params,
  response: z.object({ secret: z.string() }).meta({ id: 'WebhookSecret' }),
});

export const testWebhook = endpoint({
  method: 'POST',
  url: `${one}test/`,
  id: 'testWebhook',
  tag,
  summary: 'Send a test',
  description: 'Resource `installation`, action `created`. Sent immediately, and not listed.',
  access: 'org:write',
  params,
  response: z.object(attempt).meta({ id: 'WebhookAttempt' }),
});

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  url: `${one}deliveries/`,
  id: 'listWebhookDeliveries',
  tag,
  summary: 'List deliveries of a webhook, newest first',
  description: 'Finished ones are kept for 30 days, at most 10,000 of a webhook.',
  access: 'org:write',
  params,
  query: z.object({ state: state.optional(), ...pageQuery }),
  response: z.array(Delivery),
});

export const replayWebhookDelivery = endpoint({
  method: 'POST',
  url: `${one}deliveries/:delivery/replay/`,
  id: 'replayWebhookDelivery',
  tag,
  summary: 'Send a finished delivery again, under the same ID',
  access: 'org:write',
  params: params.extend({ delivery: z.string().max(16) }),
  status: 202,
  response: Delivery,
});

export const replayFailedWebhookDeliveries = endpoint({
  method: 'POST',
  url: `${one}replay/`,
  id: 'replayFailedWebhookDeliveries',
  tag,
  summary: 'Send all failed deliveries of a webhook again',
  access: 'org:write',
  params,
  status: 202,
  response: z.object({ count: z.int() }).meta({ id: 'WebhookReplay' }),
});
