/** Names a message of a rule in the outbox: by the firing that it begins with. */
export const messageKey = (firingId: number, channelId: number): string => `alert:${firingId}:${channelId}`;
