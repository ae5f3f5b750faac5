/** How many requests an address may make of what anybody may call: a burst, then a few a second. */
import { isIPv6 } from 'node:net';
import { embeddedV4, groupsOf } from '../base/outbound/index.ts';

export interface Visitors {
  /** 0 when the request may pass, which is then counted; else the seconds after which another one may. */
  take(address: string): number;
}

export interface Allowed {
  readonly burst?: number;
  readonly perSecond?: number;
}

/** `name`: of what anybody may call, a different one for each. */
export type OpenVisitors = (name: string, allowed?: Allowed) => Visitors;

export interface CountedVisitors extends Visitors {
  /** So many passed elsewhere. `name`: as `onPass` says it. */
  passed(name: string, requests: number): void;
}

interface Options extends Allowed {
  /** Told apart; those that come when so many are under way share one allowance. */
  readonly maxAddresses?: number;
  /** Told of each request that passes, by the name of what it is counted under: an address, or the network that it is in. */
  readonly onPass?: (name: string) => void;
  /** ms, of a clock that only goes forward. */
  readonly now?: () => number;
}

interface Allowance {
  left: number;
  at: number;
}

const shared = 'others';
/** Of a name. */
export const longestName = 64;

/** Counted by this process alone. */
export const openOwnVisitors: OpenVisitors = (_name, allowed) => createVisitors(allowed);

export function createVisitors(options: Options = {}): CountedVisitors {
  const { burst = 60, perSecond = 3, maxAddresses = 10_000, onPass, now = () => performance.now() } = options;
  const allowances = new Map<string, Allowance>();

  /** Whoever has its whole burst again is as good as unknown. The longest quiet stand first. */
  function forgetQuiet(nowMs: number): void {
    for (const [name, { left, at }] of allowances) {
      if (left + ((nowMs - at) / 1000) * perSecond < burst) return;
      allowances.delete(name);
    }
  }

  /** With what has come to it since; from then on it is the one that came last. */
  function allowanceOf(network: string): [name: string, allowance: Allowance] {
    const nowMs = now();
    let name = network;
    let allowance = allowances.get(network);
    if (!allowance) {
      if (allowances.size >= maxAddresses) forgetQuiet(nowMs);
      if (allowances.size >= maxAddresses) name = shared;
      allowance = allowances.get(name) ?? { left: burst, at: nowMs };
    }
    allowance.left = Math.min(burst, allowance.left + ((nowMs - allowance.at) / 1000) * perSecond);
    allowance.at = nowMs;
    allowances.delete(name);
    allowances.set(name, allowance);
    return [name, allowance];
  }

  return {
    take(address) {
      const [name, allowance] = allowanceOf(networkOf(address));
      if (allowance.left < 1) return Math.ceil((1 - allowance.left) / perSecond);
      allowance.left -= 1;
      onPass?.(name);
      return 0;
    },
    passed(name, requests) {
      const [, allowance] = allowanceOf(name);
      // Whatever is said, it is made up for in the time of two bursts.
      allowance.left = Math.max(-burst, allowance.left - requests);
    },
  };
}

/** Of IPv6 its /64, all of which one machine has. */
function networkOf(clientAddress: string): string {
  const address = embeddedV4(clientAddress) ?? clientAddress;
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address.slice(0, longestName);
}
