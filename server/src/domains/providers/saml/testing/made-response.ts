/**
 * Responses of an identity provider, made and signed without any library that the server reads them with: elements are
 * written as exclusive canonicalisation would write them, so that what is signed is the text itself.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { escapeXml } from '../escape.ts';
import { selfSigned } from '../self-signed.ts';

export interface SigningKey {
  readonly key: KeyObject;
  readonly certificate: string;
}

export function makeSigningKey(name = 'idp.example', days = 30): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = selfSigned({ name, privateKey, publicKey, notBefore: new Date(Date.now() - 86_400_000), days });
  return { key: privateKey, certificate };
}

export const bodyOf = (certificate: string): string => new X509Certificate(certificate).raw.toString('base64');

export const names = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const;

const hashes = {
  sha1: ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
  sha256: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256'],
  sha512: ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'http://www.w3.org/2001/04/xmlenc#sha512'],
} as const;
export type Hash = keyof typeof hashes;

/** What a response says; what is left out is as it should be. */
export interface Said {
  readonly issuer: string;
  readonly acs: string;
  readonly audience: string;
  readonly inResponseTo?: string | undefined;
  readonly nameId: string;
  readonly nameIdFormat?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly destination?: string | undefined;
  readonly recipient?: string | undefined;
  /** In the assertion, where it says something else than the response. */
  readonly subjectInResponseTo?: string | undefined;
  readonly assertionId?: string;
  readonly responseId?: string;
  /** ms */
  readonly now?: number;
  readonly notBefore?: number | undefined;
  readonly notOnOrAfter?: number | undefined;
  /** Of the confirmation of the subject; as the conditions say unless given. */
  readonly confirmedUntil?: number | undefined;
  readonly status?: string;
}

export interface Made {
  /** Without a signature, as it is digested. */
  readonly assertion: string;
  readonly assertionId: string;
  readonly responseId: string;
  /** Around an assertion: its signed or unsigned text. */
  response(assertion: string): string;
}

export const freshId = (): string => `_${randomBytes(16).toString('hex')}`;
const at = (ms: number): string => new Date(ms).toISOString();
const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeXml(value)}"`;

export function makeResponse(said: Said): Made {
  const now = said.now ?? Date.now();
  const notBefore = 'notBefore' in said ? said.notBefore : now - 5_000;
  const notOnOrAfter = 'notOnOrAfter' in said ? said.notOnOrAfter : now + 300_000;
  const confirmedUntil = 'confirmedUntil' in said ? said.confirmedUntil : notOnOrAfter;
  const { assertionId = freshId(), responseId = freshId(), inResponseTo } = said;
  const recipient = 'recipient' in said ? said.recipient : said.acs;
  const destination = 'destination' in said ? said.destination : said.acs;
  const subjectInResponseTo = 'subjectInResponseTo' in said ? said.subjectInResponseTo : inResponseTo;
  const time = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : at(ms));
  const attributes = Object.entries(said.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${escapeXml(name)}">${values
        .map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
        .join('')}</saml:Attribute>`,
  );
  const assertion =
    `<saml:Assertion xmlns:saml="${names.assertion}" ID="${assertionId}" IssueInstant="${at(now)}" Version="2.0">` +
    `<saml:Issuer>${escapeXml(said.issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${said.nameIdFormat ?? names.email}">${said.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData` +
    attribute('InResponseTo', subjectInResponseTo) +
    attribute('NotOnOrAfter', time(confirmedUntil)) +
    attribute('Recipient', recipient) +
    `></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions${attribute('NotBefore', time(notBefore))}${attribute('NotOnOrAfter', time(notOnOrAfter))}>` +
    `<saml:AudienceRestriction><saml:Audience>${escapeXml(said.audience)}</saml:Audience></saml:AudienceRestriction>` +
    `</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(now)}" SessionIndex="${freshId()}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>` +
    (attributes.length ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : '') +
    `</saml:Assertion>`;
  return {
    assertion,
    assertionId,
    responseId,
    response: (inner) =>
      `<samlp:Response xmlns:samlp="${names.protocol}"${attribute('Destination', destination)} ID="${responseId}"` +
      `${attribute('InResponseTo', inResponseTo)} IssueInstant="${at(now)}" Version="2.0">` +
      `<saml:Issuer xmlns:saml="${names.assertion}">${escapeXml(said.issuer)}</saml:Issuer>` +
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${said.status ?? 'Success'}">` +
      `</samlp:StatusCode></samlp:Status>${inner}</samlp:Response>`,
  };
}

export interface SignatureOptions {
  readonly hash?: Hash;
  /** Of the digest; the same unless given. */
  readonly digest?: Hash;
  /** In KeyInfo; none unless given. */
  readonly shownCertificate?: string;
  /** Instead of the digest of the text. */
  readonly reference?: string;
}

/** The Signature of a canonical text whose ID is `id`. */
export function signatureOf(text: string, id: string, { key }: SigningKey, options: SignatureOptions = {}): string {
  const { hash = 'sha256', shownCertificate } = options;
  const digestHash = options.digest ?? hash;
  const [method] = hashes[hash];
  const [, digestMethod] = hashes[digestHash];
  const digest = createHash(digestHash).update(text).digest('base64');
  const reference =
    options.reference ??
    `<ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="${names.signature}enveloped-signature">` +
      `</ds:Transform><ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:Transform></ds:Transforms>` +
      `<ds:DigestMethod Algorithm="${digestMethod}"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue>` +
      `</ds:Reference>`;
  const signedInfo = (ns: string): string =>
    `<ds:SignedInfo${ns}><ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">` +
    `</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="${method}"></ds:SignatureMethod>${reference}` +
    `</ds:SignedInfo>`;
  const value = sign(hash, Buffer.from(signedInfo(` xmlns:ds="${names.signature}"`)), key).toString('base64');
  const keyInfo = shownCertificate
    ? `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bodyOf(shownCertificate)}</ds:X509Certificate></ds:X509Data>` +
      `</ds:KeyInfo>`
    : '';
  return (
    `<ds:Signature xmlns:ds="${names.signature}">${signedInfo('')}` +
    `<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfo}</ds:Signature>`
  );
}

/** Behind the issuer, which is the first element of both kinds of message. */
export const withSignature = (text: string, signature: string): string =>
  text.replace('</saml:Issuer>', `</saml:Issuer>${signature}`);

export type Signed = 'assertion' | 'response' | 'both' | 'none';

/** The whole text of a response. */
export function signedResponse(
  made: Made,
  key: SigningKey,
  signed: Signed = 'assertion',
  options: SignatureOptions = {},
): string {
  const { assertion, assertionId, responseId } = made;
  const isOfAssertion = signed === 'assertion' || signed === 'both';
  const inner = isOfAssertion ? withSignature(assertion, signatureOf(assertion, assertionId, key, options)) : assertion;
  const outer = made.response(inner);
  return signed === 'response' || signed === 'both'
    ? withSignature(outer, signatureOf(outer, responseId, key, options))
    : outer;
}

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64');
