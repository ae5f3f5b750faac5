/** Incoming webhooks of the organisation, and what they received. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type IncomingWebhook = Schemas['IncomingWebhook'];

/** What is sent comes while somebody sets it up. */
const againMs = 5_000;

const list = '/api/0/organizations/{org}/incoming-webhooks/';
const one = '/api/0/organizations/{org}/incoming-webhooks/{webhook}/';

export const incomingQuery = (org: string) =>
  queryOptions({
    queryKey: ['incoming-webhooks', org],
    queryFn: ({ signal }) => api.get(list, { params: { path: { org } }, signal }),
    refetchInterval: againMs,
  });

export const incomingDeliveriesQuery = (org: string, webhook: string) =>
  queryOptions({
    queryKey: ['incoming-webhooks', org, webhook],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/incoming-webhooks/{webhook}/deliveries/', {
        params: { path: { org, webhook } },
        signal,
      }),
    refetchInterval: againMs,
  });

export const createIncoming = (
  org: string,
  body: Schemas['IncomingWebhookRequest'],
): Promise<Schemas['NewIncomingWebhook']> => api.post(list, { params: { path: { org } }, body });

export const changeIncoming = (
  org: string,
  webhook: string,
  body: Schemas['IncomingWebhookUpdate'],
): Promise<IncomingWebhook> => api.put(one, { params: { path: { org, webhook } }, body });

export const deleteIncoming = (org: string, webhook: string): Promise<unknown> =>
  api.delete(one, { params: { path: { org, webhook } } });

/** Creates one, or takes the one that the provider made. */
export const setIncomingSecret = (org: string, webhook: string, secret?: string): Promise<Schemas['IncomingSecret']> =>
  api.post('/api/0/organizations/{org}/incoming-webhooks/{webhook}/secret/', {
    params: { path: { org, webhook } },
    body: secret === undefined ? {} : { secret },
  });
