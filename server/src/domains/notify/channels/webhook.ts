/**
 * Any receiver of the user's own. It gets the notification as JSON, signed as Standard Webhooks describe it:
 * `webhook-signature: v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`.
 */
import { z } from 'zod';
import { signatureForm, signedHeaders, signingSecret } from '../../../base/outbound/index.ts';
import type { Notification } from '../types.ts';
import { channelKind } from './channel-kind.ts';
import { webAddress } from './fields.ts';

const Config = z.object({
  url: webAddress,
  secret: z.string().trim().regex(signingSecret, signatureForm),
});

export const webhook = channelKind({
  config: Config,
  secrets: ['secret'],
  addresses: ['url'],
  recognisesRepeats: true,
  several: 'each',
  call({ url, secret }, notification, { deliveryKey, nowMs }) {
    const body = JSON.stringify(webhookBody(notification));
    return {
      method: 'POST',
      url,
      headers: signedHeaders(secret, deliveryKey, nowMs, body),
      body,
      confined: true,
    };
  },
});

function webhookBody(notification: Notification): object {
  const { kind, groupKey, ...rest } = notification;
  return { type: kind, group: groupKey, ...rest };
}
