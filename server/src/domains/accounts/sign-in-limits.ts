/**
 * How many wrong passwords are taken: from an address, from its networks, and for an account. Strangers share the
 * allowance of an account, whatever their addresses; a browser that signed in to it before has one of its own, so nobody
 * keeps its owner out by being wrong on purpose. Whether the account exists makes no difference.
 */
import { CodedError } from '../../base/errors.ts';
import { embeddedV4, groupsOf } from '../../base/outbound/index.ts';
import type { AttemptRules, Counted } from './attempts.ts';
import type { Tries } from './tries.ts';

const minuteMs = 60_000;

const ofAddress: AttemptRules = {
  free: 10,
  firstPauseMs: minuteMs,
  longestPauseMs: minuteMs,
  forgottenAfterMs: minuteMs,
};
/** Of IPv6, what one customer of a provider has at most. */
const ofSite: AttemptRules = { ...ofAddress, free: 20 };
const ofAccount: AttemptRules = {
  free: 10,
  firstPauseMs: minuteMs,
  longestPauseMs: 15 * minuteMs,
  forgottenAfterMs: 60 * minuteMs,
};

export interface SignInAttempt {
  /** Lower case. */
  readonly email: string;
  /** Undefined where it is not known. */
  readonly address: string | undefined;
  /** Of a browser that signed in to this account before. */
  readonly device: string | undefined;
}

export interface SignInLimits {
  /**
   * Counts the try. Throws `SIGN_IN_LIMITED` where there were too many; else resolves to what takes it back if the
   * password was not wrong.
   */
  begin(attempt: SignInAttempt): Promise<() => void>;
}

export interface SignInLimitsOptions {
  readonly tries: Tries;
  /** When the password of the account was set, ms; a new one begins anew. */
  readonly passwordSetAt: (email: string) => Promise<number | undefined>;
  readonly now?: () => number;
}

export function createSignInLimits({ tries, passwordSetAt, now = Date.now }: SignInLimitsOptions): SignInLimits {
  return {
    async begin({ email, address, device }) {
      const { network, site } = placesOf(address);
      const counted: readonly Counted[] = [
        { kind: 'address', rules: ofAddress, key: network },
        ...(site === undefined ? [] : [{ kind: 'site', rules: ofSite, key: site }]),
        { kind: 'account', rules: ofAccount, key: device === undefined ? email : `${email} ${device}` },
      ];
      const forgivenAt = (await passwordSetAt(email)) ?? 0;
      const waitMs = await tries.count(counted, { now: now(), forgivenAt });
      if (waitMs > 0) throw limited(waitMs);
      return () => tries.takeBack(counted);
    },
  };
}

export interface AddressLimitOptions {
  readonly tries: Tries;
  /** Of what: different for each. */
  readonly kind: string;
  readonly rules?: AttemptRules;
  readonly now?: () => number;
}

/** For what only one address can be counted by: guesses of the secret of the set-up. Throws `SIGN_IN_LIMITED`. */
export function createAddressLimit({ tries, kind, rules = ofAddress, now = Date.now }: AddressLimitOptions) {
  return async (address: string | undefined): Promise<void> => {
    const waitMs = await tries.count([{ kind, rules, key: placesOf(address).network }], { now: now() });
    if (waitMs > 0) throw limited(waitMs);
  };
}

export function limited(waitMs: number): CodedError {
  const seconds = Math.ceil(waitMs / 1000);
  return new CodedError('SIGN_IN_LIMITED', [seconds], { retryAfter: seconds });
}

/** What an address is counted by: itself; of IPv6 its /64, which one machine has, and the /48 around it. */
export function placesOf(clientAddress: string | undefined): {
  readonly network: string;
  readonly site: string | undefined;
} {
  const address = clientAddress === undefined ? '' : (embeddedV4(clientAddress) ?? clientAddress);
  if (!address.includes(':')) return { network: address, site: undefined };
  const groups = groupsOf(address);
  return { network: `${groups.slice(0, 4).join(':')}/64`, site: `${groups.slice(0, 3).join(':')}/48` };
}
