/** Addresses and networks as people write them: IPv4 and IPv6, alone or with the bits of a network. */
import { BlockList, isIP } from 'node:net';

/** Of one entry: an IPv6 address that ends in an IPv4 one, with its bits. */
export const longestAddress = 49;

export interface Network {
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
export function readNetwork(text: string): Network | undefined {
  const [, typed = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonical(typed);
  if (address === undefined) return undefined;
  const isMapped = isIP(typed) === 6 && isIP(address) === 4;
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const most = family === 'ipv4' ? 32 : 128;
  const given = bits === undefined ? most : Number(bits) - (isMapped ? 96 : 0);
  return given >= 0 && given <= most ? { address, family, bits: given } : undefined;
}

export const networkText = ({ address, family, bits }: Network): string =>
  bits === (family === 'ipv4' ? 32 : 128) ? address : `${address}/${bits}`;

/** Whether an address lies in one of the networks; what cannot be read, on either side, lies nowhere. */
export function networkList(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of texts) {
    const network = readNetwork(text);
    if (network) list.addSubnet(network.address, network.bits, network.family);
  }
  return (address) => {
    const plain = canonical(address.replace(/%.*$/s, ''));
    return plain !== undefined && list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  };
}
