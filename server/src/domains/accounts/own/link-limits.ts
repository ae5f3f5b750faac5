/**
 * How many mails with a link somebody may ask for, by where they ask from and for which address: nobody's mailbox is
 * filled from here. Counted in memory, by each process for itself; whether the account exists makes no difference.
 */
import { CodedError } from '../../../base/errors.ts';
import { createAttempts } from '../attempts.ts';
import { placesOf } from '../sign-in-limits.ts';

const minuteMs = 60_000;

const ofAddress = { free: 10, firstPauseMs: minuteMs, longestPauseMs: minuteMs, forgottenAfterMs: minuteMs };
const ofAccount = {
  free: 3,
  firstPauseMs: 10 * minuteMs,
  longestPauseMs: 60 * minuteMs,
  forgottenAfterMs: 60 * minuteMs,
};

/** Throws `LINKS_LIMITED`. `account` is the address as somebody typed it, in lower case, or the id of a user. */
export type LinkLimit = (account: string, clientAddress: string) => void;

export function createLinkLimit(now: () => number = Date.now): LinkLimit {
  const addresses = createAttempts(ofAddress);
  const accounts = createAttempts(ofAccount);
  return (account, clientAddress) => {
    const { network } = placesOf(clientAddress);
    const nowMs = now();
    const waitMs = Math.max(addresses.waitMs(network, nowMs), accounts.waitMs(account, nowMs));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new CodedError('LINKS_LIMITED', [seconds], { retryAfter: seconds });
    }
    addresses.count(network, nowMs);
    accounts.count(account, nowMs);
  };
}
