/**
 * Any receiver of the user's own. It gets the notification as JSON, signed as Standard Webhooks describe it:
 * `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Notification } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { webAddress } from './fields.ts';

const Config = z.object({
  url: webAddress,
  secret: z
    .string()
    .trim()
    .regex(/^whsec_[A-Za-z0-9+/]{22,120}={0,2}$/, 'must be whsec_ and at least 16 bytes in base64'),
});

export const webhook = channelKind({
  config: Config,
  secrets: ['secret'],
  addresses: ['url'],
  recognisesRepeats: true,
  several: 'each',
  call({ url, secret }, notification, { deliveryKey, nowMs }) {
    const body = JSON.stringify(webhookBody(notification));
    const timestamp = Math.floor(nowMs / 1000);
    return {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': deliveryKey,
        'webhook-id': deliveryKey,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature(secret, deliveryKey, timestamp, body),
      },
      body,
      confined: true,
    };
  },
});

export function signature(secret: string, id: string, timestampSeconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`;
}

function webhookBody(notification: Notification): object {
  const { kind, groupKey, ...rest } = notification;
  return { type: kind, group: groupKey, ...rest };
}
