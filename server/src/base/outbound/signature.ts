/** Webhooks are signed as Standard Webhooks describe it: `v1,<base64 of HMAC-SHA256 over "id.timestamp.body">`. */
import { createHmac } from 'node:crypto';
import { channels } from '../texts/outbound.ts';

/** Of a secret: `whsec_` and at least 16 bytes in base64. */
export const signingSecret = /^whsec_[A-Za-z0-9+/]{22,120}={0,2}$/;

export const signatureForm = channels.signature;

export function signature(secret: string, id: string, timestampSeconds: number, body: string | Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`;
}

/** What a receiver checks that it comes from here, and came once. */
export function signedHeaders(secret: string, id: string, nowMs: number, body: string): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000);
  return {
    'content-type': 'application/json',
    'idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secret, id, timestamp, body),
  };
}
