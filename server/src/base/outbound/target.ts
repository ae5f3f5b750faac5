/** From an address that somebody typed to the numbers that may be connected to. */
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { outbound as texts } from '../texts/outbound.ts';
import { isPublicAddress } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import { OutboundError } from './errors.ts';

/** All addresses of a name; rejects when there are none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface Target {
  readonly url: URL;
  /** As the name is resolved and checked: without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** Every one was checked; never empty. */
  readonly addresses: readonly string[];
}

/** The system's resolver works in the same few threads as files and compression, so only this many at once. */
const maxLookups = 2;
let lookups = 0;
const waiting: (() => void)[] = [];

export const lookupSystem: Lookup = async (host) => {
  if (lookups >= maxLookups) await new Promise<void>((resolve) => waiting.push(resolve));
  lookups += 1;
  try {
    return (await systemLookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  } finally {
    lookups -= 1;
    waiting.shift()?.();
  }
};

/** Throws `OutboundError` for an address that is not http(s), carries a password, or leads to where calls may not go. */
export function readTarget(text: string): Omit<Target, 'addresses'> {
  if (text.length > 4096 || !URL.canParse(text)) throw new OutboundError('refused', texts.invalid);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('refused', texts.protocol(url.protocol));
  }
  if (url.username || url.password) {
    throw new OutboundError('refused', texts.credentials);
  }
  // Decimal, octal and hexadecimal spellings of IPv4 are plain ones by now; a final dot names the same host.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return { url, host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/**
 * Resolves the name once and checks every address that it has. What is connected to is one of these addresses and not
 * the name, so a name that means something else a moment later changes nothing.
 */
export async function resolveTarget(
  text: string,
  { allow, lookup }: { allow: AllowList; lookup: Lookup },
): Promise<Target> {
  const read = readTarget(text);
  if (allow.none) throw new OutboundError('refused', texts.none);
  const { host, port } = read;
  let addresses: readonly string[];
  try {
    addresses = isIP(host) ? [host] : await lookup(host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new OutboundError('connect', code === 'ENOTFOUND' ? texts.unknownHost(host) : texts.unresolved(host, code), {
      cause: error,
    });
  }
  if (addresses.length === 0) throw new OutboundError('connect', texts.unknownHost(host));
  for (const address of addresses) {
    if (isPublicAddress(address) || allow.allows(host, address, port)) continue;
    throw new OutboundError('refused', texts.private(host, address));
  }
  return { ...read, addresses };
}
