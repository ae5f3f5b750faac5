/** Whose address an event carries: what the SDK said, the sender's where the SDK asks for it, or none at all. */
import { isIP, isIPv4 } from 'node:net';
import type { Event } from './event.ts';

const auto = '{{auto}}';
/** Their old SDKs expect the server to know the address. */
const inferring = new Set(['javascript', 'cocoa', 'objc']);

/**
 * Fills in or removes `user.ip_address`. `{{auto}}` and `infer_ip: auto` stand for `remoteAddress`; `infer_ip: never`
 * forbids both; without `storeIpAddresses` no address stays.
 */
export function settleClientAddress(event: Event, remoteAddress: string | undefined, storeIpAddresses: boolean): void {
  const env = event.request?.env;
  if (!storeIpAddresses) {
    if (event.user) delete event.user.ip_address;
    if (env) delete env.REMOTE_ADDR;
    if (event.sdk) delete event.sdk.client_ip;
    return;
  }
  const infer = event.sdk?.settings?.infer_ip;
  const address = infer === 'never' ? undefined : cleanAddress(remoteAddress);
  if (env?.REMOTE_ADDR === auto) {
    if (address === undefined) delete env.REMOTE_ADDR;
    else env.REMOTE_ADDR = address;
  }
  const claimed = event.user?.ip_address;
  if (claimed === auto) {
    const found = address ?? (infer === 'never' ? undefined : cleanAddress(env?.REMOTE_ADDR));
    if (event.user && found === undefined) delete event.user.ip_address;
    else if (event.user) event.user.ip_address = found;
  } else if (claimed !== undefined) {
    if (event.user && cleanAddress(claimed) === undefined) delete event.user.ip_address;
  } else if (address !== undefined && (infer === 'auto' || (infer === undefined && inferring.has(event.platform)))) {
    event.user = { ...event.user, ip_address: address };
  }
}

/** Of spans and logs, whose address is added when their users have become pseudonyms already. */
export const keepsAddresses = (settings: {
  readonly storeIpAddresses: boolean;
  readonly pseudonymizeUsers?: boolean;
}): boolean => settings.storeIpAddresses && settings.pseudonymizeUsers !== true;

/**
 * The same for a span, which has no event around it: the address that was given, else the sender's where it asks for
 * it; undefined for none, and without `storeIpAddresses`.
 */
export function settleAddress(
  { claimed, infer }: { readonly claimed: string | undefined; readonly infer: boolean },
  remoteAddress: string | undefined,
  storeIpAddresses: boolean,
): string | undefined {
  if (!storeIpAddresses) return undefined;
  if (claimed !== undefined && claimed !== auto) return cleanAddress(claimed);
  return infer || claimed === auto ? cleanAddress(remoteAddress) : undefined;
}

/** The address without port, brackets or zone; v4 in v6 as v4; undefined for what is no address. */
function cleanAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // As nearly all are; any other may have parts that go.
  if (isIPv4(value)) return value;
  const text =
    value
      .replace(/^\[([^\]]*)\].*$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
      .split('%', 1)[0] ?? '';
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text;
  return isIP(plain) ? plain : undefined;
}
