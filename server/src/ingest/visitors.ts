/** How many requests an address may make of what anybody may call: a burst, then a few a second. */
import { isIPv6 } from 'node:net';
import { embeddedV4, groupsOf } from '../base/outbound/index.ts';

export interface Visitors {
  /** 0 when the request may pass, which is then counted; else the seconds after which another one may. */
  take(address: string): number;
}

interface Options {
  readonly burst?: number;
  readonly perSecond?: number;
  /** Told apart; those that come when so many are under way share one allowance. */
  readonly maxAddresses?: number;
  /** ms, of a clock that only goes forward. */
  readonly now?: () => number;
}

interface Allowance {
  left: number;
  at: number;
}

const shared = 'others';

export function createVisitors(options: Options = {}): Visitors {
  const { burst = 60, perSecond = 3, maxAddresses = 10_000, now = () => performance.now() } = options;
  const allowances = new Map<string, Allowance>();

  /** Whoever has its whole burst again is as good as unknown. The longest quiet stand first. */
  function forgetQuiet(nowMs: number): void {
    for (const [name, { left, at }] of allowances) {
      if (left + ((nowMs - at) / 1000) * perSecond < burst) return;
      allowances.delete(name);
    }
  }

  function allowanceOf(network: string, nowMs: number): [name: string, allowance: Allowance] {
    const known = allowances.get(network);
    if (known) return [network, known];
    if (allowances.size >= maxAddresses) forgetQuiet(nowMs);
    const name = allowances.size < maxAddresses ? network : shared;
    return [name, allowances.get(name) ?? { left: burst, at: nowMs }];
  }

  return {
    take(address) {
      const nowMs = now();
      const [name, allowance] = allowanceOf(networkOf(address), nowMs);
      allowance.left = Math.min(burst, allowance.left + ((nowMs - allowance.at) / 1000) * perSecond);
      allowance.at = nowMs;
      allowances.delete(name);
      allowances.set(name, allowance);
      if (allowance.left < 1) return Math.ceil((1 - allowance.left) / perSecond);
      allowance.left -= 1;
      return 0;
    },
  };
}

/** Of IPv6 its /64, all of which one machine has. */
function networkOf(clientAddress: string): string {
  const address = embeddedV4(clientAddress) ?? clientAddress;
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address;
}
