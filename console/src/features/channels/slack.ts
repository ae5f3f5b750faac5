/** The Slack app of the organisation, and the channels of its workspace. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type SlackSetup = Schemas['SlackSetup'];
export type SlackApp = Schemas['SlackApp'];
type SlackChannel = Schemas['SlackChannels']['channels'][number];

export const slackQuery = (org: string) =>
  queryOptions({
    queryKey: ['slack', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/slack/', { params: { path: { org } }, signal }),
  });

/** What Slack lists is asked for once while a form is open: it allows few of these requests. */
export const slackChannelsQuery = (org: string) =>
  infiniteQueryOptions({
    queryKey: ['slack', org, 'channels'],
    queryFn: ({ signal, pageParam }) =>
      api.get('/api/0/organizations/{org}/slack/channels/', {
        params: { path: { org }, query: { cursor: pageParam } },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor || undefined,
    staleTime: 300_000,
    retry: false,
  });

/** Undefined fields stay as they are. */
export function connectSlack(
  org: string,
  body: { readonly token?: string | undefined; readonly signingSecret?: string | undefined },
): Promise<SlackApp> {
  return api.put('/api/0/organizations/{org}/slack/', { params: { path: { org } }, body });
}

export function disconnectSlack(org: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/slack/', { params: { path: { org } } });
}

/** What somebody typed, with the id where it is in the list: names change, ids do not. */
export function namedChannel(
  typed: string,
  listed: readonly SlackChannel[],
): { readonly channel: string; readonly channelName?: string } {
  const name = typed.trim().replace(/^#/, '');
  const found = listed.find((one) => one.name === name || one.id === name);
  return found ? { channel: found.id, channelName: found.name } : { channel: typed.trim() };
}
