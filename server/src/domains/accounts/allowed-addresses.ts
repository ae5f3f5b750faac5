/** The addresses and networks from which an organisation may be used. Ingestion asks for none of it. */
import { CodedError } from '../../base/errors.ts';
import { longestAddress, networkList, networkText, readNetwork } from '../../base/networks.ts';
import { allowedAddresses as words } from '../../base/texts/accounts.ts';
import type { Identity, Membership } from './identity.ts';
import { expandScopes } from './scopes.ts';

export { longestAddress };
export const maxAllowedAddresses = 200;

/** As they are stored: each once, in one way of writing. Throws `INPUT_INVALID` for what is none. */
export function readAllowedAddresses(texts: readonly string[]): string[] {
  const networks = texts.map((text) => {
    const network = readNetwork(text.trim());
    if (!network) {
      throw new CodedError('INPUT_INVALID', [words.noNetwork(text.slice(0, 60))]);
    }
    return networkText(network);
  });
  return [...new Set(networks)];
}

// Every request asks, with what stands in its row: the same few lists again and again.
const maxKnown = 1_000;
const known = new Map<string, (address: string) => boolean>();

function listOf(allowed: readonly string[]): (address: string) => boolean {
  const key = allowed.join();
  const found = known.get(key);
  if (found) return found;
  const list = networkList(allowed);
  if (known.size >= maxKnown) known.clear();
  known.set(key, list);
  return list;
}

/** Whether somebody at this address may use an organisation that allows these; none named: from everywhere. */
export function allowsAddress(allowed: readonly string[], address: string): boolean {
  return allowed.length === 0 || listOf(allowed)(address);
}

/** Who sends a request, from where: what may not be used from there is closed to them, as by other demands. */
export function seenFrom(identity: Identity, address: string): Identity {
  const isBarred = (one: Membership): boolean => !allowsAddress(one.switches.allowedAddresses, address);
  if (!identity.memberships.some(isBarred)) return identity;
  const memberships = identity.memberships.map((one) =>
    isBarred(one) ? { ...one, scopes: [], unmet: { kind: 'address', address } as const } : one,
  );
  return { ...identity, memberships, scopes: expandScopes(memberships.flatMap((one) => one.scopes)) };
}
