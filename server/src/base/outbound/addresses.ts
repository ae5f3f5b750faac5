/** Which addresses belong to the world, and which to this machine and its neighbours. */
import { BlockList, isIP } from 'node:net';

/** Of IPv4, what is not for the public: RFC 6890 and what came after it. */
const specialV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Within 2000::/3, the part of IPv6 that is for the public, what is not: protocol assignments, examples, 6to4. */
const specialV6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (networks: typeof specialV4, family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
};

const closedV4 = listOf(specialV4, 'ipv4');
const closedV6 = listOf(specialV6, 'ipv6');
const openV6 = listOf([['2000::', 3]], 'ipv6');

/**
 * The IPv4 address that an IPv6 address stands for: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96), as a resolver of a
 * network without IPv4 makes them. Undefined for all others.
 */
export function embeddedV4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const prefix = groups.slice(0, 6).map((group) => group.toString(16));
  const isEmbedded = prefix.join(':') === '0:0:0:0:0:ffff' || prefix.join(':') === '64:ff9b:0:0:0:0';
  if (!isEmbedded) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether anybody on the internet may have it. What is no address at all is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closedV4.check(address, 'ipv4');
  // One with a zone is of a link.
  if (family !== 6 || address.includes('%')) return false;
  const inner = embeddedV4(address);
  if (inner !== undefined) return !closedV4.check(inner, 'ipv4');
  return openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6');
}

/** The eight groups of a valid IPv6 address. */
export function groupsOf(address: string): number[] {
  // The URL parser writes every spelling in one way.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/s, '')}]/`);
  const [left = '', right] = hostname.slice(1, -1).split('::');
  const read = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  if (right === undefined) return read(left);
  const [first, last] = [read(left), read(right)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}
