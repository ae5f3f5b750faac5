/**
 * Codes of authenticator apps (RFC 6238), as all of them have it: SHA-1, six digits, thirty seconds. Checked here and not
 * only by better-auth, because a code that was taken must not be taken again, and it does not tell which one it took.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
/** Clocks differ, and people take a moment. */
const stepsAround = [0, -1, 1];

export const isTimeCode = (code: string): boolean => /^\d{6}$/.test(code);

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** Which step a code belongs to; undefined for a wrong one. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  if (!isTimeCode(code)) return undefined;
  const now = Math.floor(nowMs / stepMs);
  return stepsAround
    .map((around) => now + around)
    .find((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code)));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** As people type it. */
export function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the picture says that an app reads. */
export function appAddress({ secret, email, issuer }: Record<'secret' | 'email' | 'issuer', string>): string {
  const query = new URLSearchParams({ secret: base32(secret), issuer, digits: String(digits), period: '30' });
  // Some apps show a plus sign where there was a space.
  const parameters = query.toString().replaceAll('+', '%20');
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${parameters}`;
}
