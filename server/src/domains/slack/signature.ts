/**
 * Slack signs each request: `v0=` and the hex of HMAC-SHA256 over `v0:timestamp:body`, with the signing secret of the app.
 * See https://docs.slack.dev/authentication/verifying-requests-from-slack. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older ones, and ones from as far ahead, are not taken. */
export const goodForMs = 5 * 60_000;

export interface SignedRequest {
  /** Seconds since the epoch, as the header has it. */
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  /** As it came. */
  readonly body: Buffer;
}

export type Verdict = 'good' | 'unsigned' | 'stale' | 'wrong';

export const slackSignature = (secret: string, timestamp: string, body: Buffer): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;

export function judgeSignature(secret: string, { timestamp, signature, body }: SignedRequest, nowMs: number): Verdict {
  if (timestamp === undefined || signature === undefined || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  const expected = Buffer.from(slackSignature(secret, timestamp, body));
  const given = Buffer.from(signature);
  // First: who does not know the secret learns nothing about this clock.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'wrong';
  return Math.abs(nowMs - Number(timestamp) * 1000) > goodForMs ? 'stale' : 'good';
}
