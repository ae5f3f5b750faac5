/** When API tokens end. */
import { CodedError } from '../../base/errors.ts';
import { tokens as texts } from '../../base/texts/accounts.ts';
import { utcDay } from '../../base/texts/intl.ts';

const dayMs = 86_400_000;
/** Of a new token, unless its maker chooses otherwise. */
const usualLifeMs = 365 * dayMs;
const maxDays = 36_500;

/** A moment (ms since the epoch), or null for never. */
export type Expiry = number | null;

/**
 * The end of a new token. `asked` is undefined where its maker did not choose. One that a token makes ends with that
 * one at the latest. Throws `INPUT_INVALID`.
 */
export function expiryOf(asked: Expiry | undefined, parent: Expiry, now: number): Expiry {
  if (asked === undefined) return Math.min(now + usualLifeMs, parent ?? Infinity);
  if (asked !== null && !(asked > now)) throw new CodedError('INPUT_INVALID', [texts.past]);
  if (parent !== null && (asked === null || asked > parent)) {
    const end = new Date(parent).toISOString();
    throw new CodedError('INPUT_INVALID', [texts.beyondParent(end)]);
  }
  return asked;
}

/** Reads `90d`, `2027-01-01` (that day included, UTC) or `never`; undefined for anything else. */
export function readExpiry(text: string, now: number): Expiry | undefined {
  if (text === 'never') return null;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined) return Number(days) <= maxDays ? now + Number(days) * dayMs : undefined;
  const end = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59.999Z`) : NaN;
  // Date.parse moves the 31st of a shorter month into the next one.
  return Number.isFinite(end) && new Date(end).toISOString().startsWith(text) ? end : undefined;
}

export const expiryInWords = (expiresAt: Expiry, now: number): string =>
  expiresAt === null ? texts.noExpiry : texts.expiry(expiresAt <= now, utcDay(expiresAt));
