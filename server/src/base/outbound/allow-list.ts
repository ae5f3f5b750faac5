/** Where the owner lets outgoing calls go: to what is public, and to what `CULPRIT_OUTBOUND_ALLOW` lists; with `none`, nowhere. */
import { BlockList, isIP } from 'node:net';
import { outbound as texts } from '../texts/outbound.ts';
import { embeddedV4 } from './addresses.ts';

export interface AllowList {
  /** Whether `host`, which resolved to `address`, may be called at `port`. */
  allows(host: string, address: string, port: number): boolean;
  /** Not even what is public may be called. */
  readonly none?: boolean;
}

interface Entry {
  readonly port: number | undefined;
  readonly host: string | undefined;
  readonly networks: BlockList | undefined;
}

/** Reads `10.0.0.0/8, chat.internal, 127.0.0.1:8065, [fd00::1]:80`. or `none`. Throws a `RangeError` that names the part which is none of those. */
export function parseAllowList(text: string): AllowList {
  if (text.trim() === 'none') return { allows: () => false, none: true };
  const entries = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseEntry);
  return {
    allows: (host, address, port) =>
      entries.some((entry) => (entry.port === undefined || entry.port === port) && matches(entry, host, address)),
  };
}

const matches = ({ host: name, networks }: Entry, host: string, address: string): boolean => {
  if (name !== undefined) return name === host.toLowerCase().replace(/\.$/, '');
  const plain = embeddedV4(address) ?? address.replace(/%.*$/s, '');
  return networks?.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6') ?? false;
};

function parseEntry(part: string): Entry {
  const refuse = (): never => {
    throw new RangeError(texts.notAllowed(part));
  };
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(part);
  if (bracketed) return isIP(bracketed[1] ?? '') === 6 ? entry(bracketed[1] ?? '', undefined, bracketed[2]) : refuse();
  if (isIP(part) === 6) return entry(part, undefined, undefined);
  const network = /^([^/]+)\/(\d{1,3})$/.exec(part);
  if (network) {
    const [, address = '', bits = ''] = network;
    const family = isIP(address);
    return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
      ? entry(address, Number(bits), undefined)
      : refuse();
  }
  const [name = '', port, ...more] = part.split(':');
  if (more.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return refuse();
  if (isIP(name) === 4) return entry(name, undefined, port);
  return /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i.test(name)
    ? { host: name.toLowerCase(), networks: undefined, port: portOf(port) }
    : refuse();
}

const portOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function entry(address: string, bits: number | undefined, port: string | undefined): Entry {
  const networks = new BlockList();
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) networks.addAddress(address, family);
  else networks.addSubnet(address, bits, family);
  return { host: undefined, networks, port: portOf(port) };
}
