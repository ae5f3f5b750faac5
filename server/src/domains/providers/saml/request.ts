/** A request to sign somebody in: AuthnRequest by the redirect binding, signed where the provider wants that. */
import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { escapeXml } from './escape.ts';
import type { OwnSide } from './side.ts';
import { ns } from './xml.ts';

export interface AuthnRequest extends OwnSide {
  readonly id: string;
  /** Of the provider. */
  readonly ssoUrl: string;
  /** URN. */
  readonly nameIdFormat: string;
  /** PEM; signs it. */
  readonly privateKey?: string | undefined;
  readonly now: number;
}

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** What the ID of a request says of its flow; an ID must not begin with a digit. */
export const requestIdOf = (state: string): string => `_${state}`;
/** Undefined for what is no ID of ours. */
export const stateOf = (requestId: string): string | undefined => /^_([\w-]{43})$/.exec(requestId)?.[1];

export async function requestUrl(request: AuthnRequest): Promise<URL> {
  const { id, ssoUrl, acs, entityId, nameIdFormat, privateKey, now } = request;
  const xml =
    `<samlp:AuthnRequest xmlns:samlp="${ns.protocol}" AssertionConsumerServiceURL="${escapeXml(acs)}" ` +
    `Destination="${escapeXml(ssoUrl)}" ID="${id}" IssueInstant="${new Date(now).toISOString()}" ` +
    `ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Version="2.0">` +
    `<saml:Issuer xmlns:saml="${ns.assertion}">${escapeXml(entityId)}</saml:Issuer>` +
    `<samlp:NameIDPolicy AllowCreate="true" Format="${nameIdFormat}"/></samlp:AuthnRequest>`;
  const packed = await promisify(deflateRaw)(Buffer.from(xml));
  const parameter = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;
  let query = parameter('SAMLRequest', packed.toString('base64'));
  if (privateKey !== undefined) {
    query += `&${parameter('SigAlg', rsaSha256)}`;
    // Over the query as it is sent (SAML 2.0 Bindings 3.4.4.1).
    query += `&${parameter('Signature', sign('sha256', Buffer.from(query), privateKey).toString('base64'))}`;
  }
  return new URL(`${ssoUrl}${ssoUrl.includes('?') ? '&' : '?'}${query}`);
}
