/** The addresses and networks from which an organisation may be used. Ingestion asks for none of it. */
import { BlockList, isIP } from 'node:net';
import { CodedError } from '../../base/errors.ts';
import { allowedAddresses as words } from '../../base/texts/accounts.ts';
import type { Identity, Membership } from './identity.ts';
import { expandScopes } from './scopes.ts';

export const maxAllowedAddresses = 200;
/** Of one entry: an IPv6 address that ends in an IPv4 one, with its bits. */
export const longestAddress = 49;

interface Network {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly bits: number;
}

const mappedV4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** One way to write each address; an IPv4 address within IPv6 is that IPv4 address. Undefined for what is none. */
function canonical(text: string): string | undefined {
  const family = isIP(text);
  if (family !== 6) return family === 4 ? text : undefined;
  // A zone is of one machine alone.
  if (text.includes('%')) return undefined;
  const short = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = mappedV4.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const parts = [parseInt(high, 16), parseInt(low, 16)].flatMap((part) => [part >> 8, part & 255]);
  return parts.join('.');
}

/** Undefined for what is neither an address nor a network. */
function readNetwork(text: string): Network | undefined {
  const [, typed = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonical(typed);
  if (address === undefined) return undefined;
  const isMapped = isIP(typed) === 6 && isIP(address) === 4;
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const most = family === 'ipv4' ? 32 : 128;
  const given = bits === undefined ? most : Number(bits) - (isMapped ? 96 : 0);
  return given >= 0 && given <= most ? { address, family, bits: given } : undefined;
}

const networkText = ({ address, family, bits }: Network): string =>
  bits === (family === 'ipv4' ? 32 : 128) ? address : `${address}/${bits}`;

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
const known = new Map<string, BlockList>();

function listOf(allowed: readonly string[]): BlockList {
  const key = allowed.join();
  const found = known.get(key);
  if (found) return found;
  const list = new BlockList();
  for (const text of allowed) {
    const network = readNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  if (known.size >= maxKnown) known.clear();
  known.set(key, list);
  return list;
}

/** Whether somebody at this address may use an organisation that allows these; none named: from everywhere. */
export function allowsAddress(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const plain = canonical(address.replace(/%.*$/s, ''));
  return plain !== undefined && listOf(allowed).check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
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
