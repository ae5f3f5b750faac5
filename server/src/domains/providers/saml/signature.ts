/** What a signature is true of: the bytes that were digested, never the document around them. */
import { samlTexts } from '../../../base/texts/saml.ts';
import { SignedXml } from 'xml-crypto';
import { refuse } from './refusal.ts';
import { digestMethods, signatureMethods } from './structure.ts';
import { childrenNamed, type Element, ns, type Read, readXml } from './xml.ts';

const { found } = samlTexts;

export const signatureIn = (element: Element): Element | undefined =>
  childrenNamed(element, ns.signature, 'Signature')[0];

const only = <T>(all: Record<string, T>, allowed: ReadonlySet<string>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => allowed.has(name)));

/** The one element that `signature` is true of, read anew. Throws `SamlRefusal` unless one of the certificates made it. */
export function signedPart(text: string, signature: Element, certificates: readonly string[]): Read {
  for (const certificate of certificates) {
    const content = check(text, signature, certificate);
    if (content !== undefined) return readXml(Buffer.from(content));
  }
  return refuse('signature', found.otherCertificate);
}

function check(text: string, signature: Element, publicCert: string): string | undefined {
  // A certificate that comes along says who signed, and not that they may.
  const signed = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
  signed.SignatureAlgorithms = only(signed.SignatureAlgorithms, signatureMethods);
  signed.HashAlgorithms = only(signed.HashAlgorithms, digestMethods);
  try {
    signed.loadSignature(signature);
    if (!signed.checkSignature(text)) return undefined;
  } catch {
    return undefined;
  }
  const [content, ...more] = signed.getSignedReferences();
  return more.length ? undefined : content;
}
