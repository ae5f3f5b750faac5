/** Channels of a workspace, for people to choose from. */
import { z } from 'zod';
import type { SlackAccess } from '../notify/index.ts';
import { callSlack, type SlackTools } from './api.ts';

export interface Conversation {
  readonly id: string;
  /** Without the #. */
  readonly name: string;
  readonly isPrivate: boolean;
  /** Whether the app is in it. */
  readonly isMember: boolean;
}

export interface Conversations {
  readonly channels: readonly Conversation[];
  /** Of the next page; '' for none. */
  readonly nextCursor: string;
}

/** As Slack asks for at most. */
const pageSize = '200';

const Listed = z.object({
  channels: z.array(
    z.object({
      id: z.string().max(40),
      name: z.string().max(200).default(''),
      is_private: z.boolean().default(false),
      is_member: z.boolean().default(false),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().max(500).default('') }).optional(),
});

/** One page, by name; those that are archived are left out. A page may be empty and have a next one. */
export async function listConversations(
  access: SlackAccess,
  cursor: string,
  tools: SlackTools,
): Promise<Conversations> {
  const form = {
    types: 'public_channel,private_channel',
    exclude_archived: 'true',
    limit: pageSize,
    ...(cursor !== '' && { cursor }),
  };
  const { data } = await callSlack(access, 'conversations.list', form, Listed, tools);
  const channels = data.channels.map(({ id, name, is_private, is_member }) => ({
    id,
    name,
    isPrivate: is_private,
    isMember: is_member,
  }));
  return {
    channels: channels.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    nextCursor: data.response_metadata?.next_cursor ?? '',
  };
}
