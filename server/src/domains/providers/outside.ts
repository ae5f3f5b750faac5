/**
 * Calls to providers. An owner may name one on an address of the own network, where identity providers often are; those
 * by which a cloud tells a machine its secrets are never called, and what goes over the internet is encrypted.
 */
import { BlockList, isIP } from 'node:net';
import {
  type AllowList,
  callOutside,
  embeddedV4,
  isPublicAddress,
  lookupSystem,
  OutboundError,
  readTarget,
  resolveTarget,
} from '../../base/outbound/index.ts';
import { providerFailures } from '../../base/texts/providers.ts';

/** Links of one machine, among them where clouds answer; nobody in particular; everybody at once. */
const closed = new BlockList();
closed.addSubnet('0.0.0.0', 8, 'ipv4');
closed.addSubnet('169.254.0.0', 16, 'ipv4');
closed.addAddress('100.100.100.200', 'ipv4');
closed.addAddress('168.63.129.16', 'ipv4');
closed.addSubnet('192.0.0.0', 24, 'ipv4');
closed.addSubnet('224.0.0.0', 3, 'ipv4');
closed.addAddress('::', 'ipv6');
closed.addSubnet('fe80::', 10, 'ipv6');
closed.addSubnet('ff00::', 8, 'ipv6');
closed.addSubnet('fd00:ec2::', 32, 'ipv6');

export const isCallable = (address: string): boolean => {
  const plain = embeddedV4(address) ?? address.replace(/%.*$/s, '');
  const family = isIP(plain);
  return family !== 0 && !closed.check(plain, family === 4 ? 'ipv4' : 'ipv6');
};

const allow: AllowList = { allows: (_host, address) => isCallable(address) };

/** Documents with many keys come to a few ten kB; groups of a person to more. */
const maxBytes = 512 * 1024;
const totalMs = 10_000;

export interface OutsideCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As `fetch`: resolves with any status. Throws `OutboundError`. */
export async function fetchOutside(address: string, { method = 'GET', headers = {}, body = '' }: OutsideCall = {}) {
  if (method !== 'GET' && method !== 'POST') throw new OutboundError('refused', providerFailures.method(method));
  const { url } = readTarget(address);
  if (url.protocol === 'http:') {
    const { addresses, host } = await resolveTarget(address, { allow, lookup: lookupSystem });
    if (addresses.some(isPublicAddress)) throw new OutboundError('refused', providerFailures.insecure(host));
  }
  const answer = await callOutside(
    { method, url: address, headers, body, confined: true },
    { allow, totalMs, maxAnswerBytes: maxBytes },
  );
  if (answer.body.length >= maxBytes) throw new OutboundError('sent', providerFailures.tooLarge(maxBytes / 1024));
  const type = answer.contentType;
  const isEmpty = answer.status < 200 || [204, 205, 304].includes(answer.status);
  return new Response(isEmpty ? null : answer.body, {
    status: isEmpty ? 204 : answer.status,
    headers: type === undefined ? {} : { 'content-type': type },
  });
}
