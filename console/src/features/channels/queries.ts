/** Channels of the organisation, what went to them, and whether mail can be sent. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Channel = Schemas['Channel'];
export type ChannelRequest = Schemas['ChannelRequest'];
export type ChannelTest = Schemas['ChannelTest'];
export type Delivery = Schemas['Delivery'];
export type QuietHours = Schemas['QuietHours'];
export type MailStatus = Schemas['MailStatus'];

export const channelsQuery = (org: string) =>
  queryOptions({
    queryKey: ['channels', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/channels/', { params: { path: { org } }, signal }),
  });

/** The newest first; asked again every few seconds while something is under way. */
export const deliveriesQuery = (org: string, channel: string | undefined) =>
  queryOptions({
    queryKey: ['channels', org, 'deliveries', channel ?? ''],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/deliveries/', {
        params: { path: { org }, query: { limit: 50, ...(channel !== undefined && { channel }) } },
        signal,
      }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'waiting' || state === 'sending') ? 5_000 : false,
  });

export const mailQuery = (org: string) =>
  queryOptions({
    queryKey: ['channels', org, 'mail'],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/mail/', { params: { path: { org } }, signal }),
  });

/** Makes one, or changes that with `id`, whose type stays. */
export function saveChannel(org: string, { type, ...fields }: ChannelRequest, id?: string): Promise<Channel> {
  return id === undefined
    ? api.post('/api/0/organizations/{org}/channels/', { params: { path: { org } }, body: { type, ...fields } })
    : api.put('/api/0/organizations/{org}/channels/{id}/', { params: { path: { org, id } }, body: fields });
}

export function deleteChannel(org: string, id: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/channels/{id}/', { params: { path: { org, id } } });
}

/** Oneself alone. */
export function resubscribe(org: string, id: string): Promise<Channel> {
  return api.post('/api/0/organizations/{org}/channels/{id}/subscription/', { params: { path: { org, id } } });
}

export function testChannel(org: string, id: string): Promise<ChannelTest> {
  return api.post('/api/0/organizations/{org}/channels/{id}/test/', { params: { path: { org, id } } });
}

/** As it stands in the form; with `id`, secrets that were left empty are those of that channel. */
export function testUnsavedChannel(
  org: string,
  body: Pick<ChannelRequest, 'type' | 'config'> & { readonly id?: string },
): Promise<ChannelTest> {
  return api.post('/api/0/organizations/{org}/channels/test/', { params: { path: { org } }, body });
}

export function resendDelivery(org: string, id: string): Promise<unknown> {
  return api.post('/api/0/organizations/{org}/deliveries/{id}/resend/', { params: { path: { org, id } } });
}
