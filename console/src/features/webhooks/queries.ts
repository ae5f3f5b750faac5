/** Webhooks of the organisation, and what was sent to them. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Webhook = Schemas['Webhook'];
export type WebhookEvent = Webhook['events'][number];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookAttempt = Schemas['WebhookAttempt'];

/** Deliveries come and go while somebody looks. */
const againMs = 5_000;

const list = '/api/0/organizations/{org}/webhooks/';
const one = '/api/0/organizations/{org}/webhooks/{webhook}/';

export const webhooksQuery = (org: string) =>
  queryOptions({
    queryKey: ['webhooks', org],
    queryFn: ({ signal }) => api.get(list, { params: { path: { org } }, signal }),
    refetchInterval: againMs,
  });

export const webhookDeliveriesQuery = (org: string, webhook: string, failedOnly: boolean) =>
  queryOptions({
    queryKey: ['webhooks', org, webhook, failedOnly],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/webhooks/{webhook}/deliveries/', {
        params: { path: { org, webhook }, query: failedOnly ? { state: 'failed' } : {} },
        signal,
      }),
    refetchInterval: againMs,
  });

export const createWebhook = (org: string, body: Schemas['WebhookRequest']): Promise<Schemas['NewWebhook']> =>
  api.post(list, { params: { path: { org } }, body });

export const changeWebhook = (org: string, webhook: string, body: Schemas['WebhookUpdate']): Promise<Webhook> =>
  api.put(one, { params: { path: { org, webhook } }, body });

export const deleteWebhook = (org: string, webhook: string): Promise<unknown> =>
  api.delete(one, { params: { path: { org, webhook } } });

export const rotateSecret = (org: string, webhook: string): Promise<Schemas['WebhookSecret']> =>
  api.post('/api/0/organizations/{org}/webhooks/{webhook}/secret/', { params: { path: { org, webhook } } });

export const testWebhook = (org: string, webhook: string): Promise<WebhookAttempt> =>
  api.post('/api/0/organizations/{org}/webhooks/{webhook}/test/', { params: { path: { org, webhook } } });

export const replayDelivery = (org: string, webhook: string, delivery: string): Promise<unknown> =>
  api.post('/api/0/organizations/{org}/webhooks/{webhook}/deliveries/{delivery}/replay/', {
    params: { path: { org, webhook, delivery } },
  });

export const replayFailed = (org: string, webhook: string): Promise<Schemas['WebhookReplay']> =>
  api.post('/api/0/organizations/{org}/webhooks/{webhook}/replay/', { params: { path: { org, webhook } } });
