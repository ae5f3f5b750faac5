/**
 * How many mails with a link somebody may ask for, by where they ask from and for which address: nobody's mailbox is
 * filled from here. Whether the account exists makes no difference.
 */
import { CodedError } from '../../../base/errors.ts';
import { placesOf } from '../sign-in-limits.ts';
import type { Tries } from '../tries.ts';

const minuteMs = 60_000;

const ofAddress = { free: 10, firstPauseMs: minuteMs, longestPauseMs: minuteMs, forgottenAfterMs: minuteMs };
const ofAccount = {
  free: 3,
  firstPauseMs: 10 * minuteMs,
  longestPauseMs: 60 * minuteMs,
  forgottenAfterMs: 60 * minuteMs,
};

/** Throws `LINKS_LIMITED`. `account` is the address as somebody typed it, in lower case, or the id of a user. */
export type LinkLimit = (account: string, clientAddress: string) => Promise<void>;

export function createLinkLimit(tries: Tries, now: () => number = Date.now): LinkLimit {
  return async (account, clientAddress) => {
    const counted = [
      { kind: 'mail address', rules: ofAddress, key: placesOf(clientAddress).network },
      { kind: 'mail account', rules: ofAccount, key: account },
    ];
    const waitMs = await tries.count(counted, { now: now() });
    if (waitMs === 0) return;
    const seconds = Math.ceil(waitMs / 1000);
    throw new CodedError('LINKS_LIMITED', [seconds], { retryAfter: seconds });
  };
}
