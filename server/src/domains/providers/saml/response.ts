/**
 * A response of an identity provider, from its bytes to what may be believed of it: read with limits, nothing out of
 * place, success, its signatures, and last what the signed part says. Each step throws `SamlRefusal` with its reason.
 */
import { samlTexts } from '../../../base/texts/saml.ts';
import { type Asserted, type Expected, readAssertion } from './assertion.ts';
import { decryptedAssertion } from './decryption.ts';
import { refuse } from './refusal.ts';
import type { SignedParts } from './settings.ts';
import { signatureIn, signedPart } from './signature.ts';
import { checkAssertion, partsOf } from './structure.ts';
import { attributeOf, childrenNamed, type Element, ns, type Read, readText, readXml, textOf } from './xml.ts';

const { found } = samlTexts;

export interface Trust {
  /** Of the provider, PEM; several while one takes over from another. */
  readonly certificates: readonly string[];
  readonly signed: SignedParts;
  /** Opens what is encrypted for us, PEM. */
  readonly decryptionKey: string | undefined;
}

const claim = /^<[^<>]*?\sInResponseTo\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/;

/**
 * What a response says it responds to, before anything is believed and before a parser has any work; undefined where it
 * says nothing. Throws `SamlRefusal`.
 */
export function claimedRequest(bytes: Uint8Array): string | undefined {
  const [, quoted, apostrophed] = claim.exec(readText(bytes)) ?? [];
  return quoted || apostrophed || undefined;
}

/** Throws `SamlRefusal`. */
export async function readResponse(bytes: Uint8Array, trust: Trust, expected: Expected): Promise<Asserted> {
  const read = readXml(bytes);
  const parts = partsOf(read.root);
  checkStatus(parts.response);
  const envelope = verified(read, parts.response, trust);
  if (!envelope && (trust.signed === 'response' || trust.signed === 'both')) refuse('unsigned', 'Response');
  const within = envelope ?? read;
  const { assertion, encrypted } = envelope ? partsOf(envelope.root) : parts;
  if (!assertion && !encrypted) refuse('structure', found.missing('Assertion'));
  // What nobody asked for opens nothing before it is believed: our key answers no questions of strangers.
  if (encrypted && !envelope && expected.inResponseTo === undefined) refuse('unsigned', found.aroundEncrypted);
  const inner = encrypted ? await opened(encrypted, trust) : undefined;
  const given = inner?.root ?? assertion ?? refuse('structure', found.missing('Assertion'));
  const signed = verified(inner ?? within, given, trust);
  const isEnough = trust.signed === 'response' || trust.signed === 'either' ? (signed ?? envelope) : signed;
  if (!isEnough) refuse('unsigned', 'Assertion');
  // Only now, for what is found goes to who set the provider up: strangers write nothing there.
  checkEnvelope(envelope?.root ?? parts.response, expected, envelope !== undefined);
  return readAssertion(signed?.root ?? given, expected);
}

async function opened(encrypted: Element, { decryptionKey }: Trust): Promise<Read> {
  const read = await decryptedAssertion(encrypted, decryptionKey);
  checkAssertion(read.root);
  return read;
}

/** What the element's own signature is true of; undefined where it has none. */
function verified({ text }: Read, element: Element, { certificates }: Trust): Read | undefined {
  const signature = signatureIn(element);
  if (!signature) return undefined;
  const part = signedPart(text, signature, certificates);
  const { localName, namespaceURI } = part.root;
  if (localName !== element.localName || namespaceURI !== element.namespaceURI)
    refuse('signature', found.otherReference);
  return part;
}

function checkStatus(response: Element): void {
  const [status] = childrenNamed(response, ns.protocol, 'Status');
  const [code] = status ? childrenNamed(status, ns.protocol, 'StatusCode') : [];
  const value = attributeOf(code, 'Value');
  if (value === 'urn:oasis:names:tc:SAML:2.0:status:Success') return;
  const inner = code && attributeOf(childrenNamed(code, ns.protocol, 'StatusCode')[0], 'Value');
  const word = (urn: string): string => urn.split(':').at(-1) ?? '';
  refuse('status', [value, inner ?? ''].map(word).filter(Boolean).join(', ') || 'none');
}

function checkEnvelope(response: Element, { entityId, acs, inResponseTo }: Expected, isSigned: boolean): void {
  if (attributeOf(response, 'Version') !== '2.0') refuse('structure', found.notSaml2);
  const issuer = textOf(childrenNamed(response, ns.assertion, 'Issuer')[0]);
  if (issuer !== undefined && issuer !== entityId) refuse('issuer', found.instead(issuer, entityId));
  const destination = attributeOf(response, 'Destination');
  // Where the response is signed it must say so (SAML 2.0 Bindings 3.5.5.2).
  if ((destination || isSigned) && destination !== acs) refuse('destination', found.instead(destination, acs));
  if (attributeOf(response, 'InResponseTo') !== (inResponseTo ?? '')) refuse('unknown_request');
}
