/**
 * What whoever sets up an installation must know, so that this is who started it and not the first visitor. It follows
 * from the secret that signs sessions: the same for every process and after a restart, and of no use once there is a user.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export function setUpSecret(secret: string): string {
  return createHmac('sha256', secret).update('culprit set-up').digest('base64url');
}

export function isSetUpSecret(secret: string, candidate: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(candidate), digest(setUpSecret(secret)));
}
