/** Metadata: ours for the provider, and what we need of the provider's. Neither is signed: an owner vouches for them. */
import { samlTexts } from '../../../base/texts/saml.ts';
import { bareCertificate, type CertificateFacts, readCertificates } from './certificates.ts';
import { escapeXml } from './escape.ts';
import { maxMetadataBytes } from './limits.ts';
import { refuse, SamlRefusal } from './refusal.ts';
import type { OwnSide } from './side.ts';
import { attributeOf, childrenNamed, type Element, ns, readXml, textOf } from './xml.ts';

const { found } = samlTexts;

export interface ShownSide extends OwnSide {
  /** URN. */
  readonly nameIdFormat: string;
  readonly signsRequests: boolean;
  readonly wantsAssertionSigned: boolean;
  /** PEM; undefined where there is no key of ours. */
  readonly certificate: string | undefined;
}

const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

export function ownMetadata(side: ShownSide): string {
  const { entityId, acs, nameIdFormat, signsRequests, wantsAssertionSigned, certificate } = side;
  const key = (use: string): string =>
    certificate
      ? `    <md:KeyDescriptor use="${use}">\n      <ds:KeyInfo xmlns:ds="${ns.signature}"><ds:X509Data>` +
        `<ds:X509Certificate>${bareCertificate(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\n` +
        (use === 'encryption'
          ? `      <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>\n` +
            `      <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>\n` +
            `      <md:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>\n`
          : '') +
        `    </md:KeyDescriptor>\n`
      : '';
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<md:EntityDescriptor xmlns:md="${ns.metadata}" entityID="${escapeXml(entityId)}">\n` +
    `  <md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="${wantsAssertionSigned}" ` +
    `protocolSupportEnumeration="${ns.protocol}">\n` +
    `${key('signing')}${key('encryption')}` +
    `    <md:NameIDFormat>${nameIdFormat}</md:NameIDFormat>\n` +
    `    <md:AssertionConsumerService Binding="${post}" Location="${escapeXml(acs)}" index="0" isDefault="true"/>\n` +
    `  </md:SPSSODescriptor>\n</md:EntityDescriptor>\n`
  );
}

export interface ProviderMetadata {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificates: CertificateFacts[];
  /** Whether the provider wants our requests signed. */
  readonly wantsSignedRequests: boolean;
}

const maxMetadataElements = 20_000;

/** Throws `SamlRefusal`, which says what is missing. */
export function readMetadata(text: string): ProviderMetadata {
  // People comment what they keep in files; nothing is believed of metadata for a signature that comments could blur.
  const bare = withoutComments(text);
  const { root } = readXml(Buffer.from(bare), { maxBytes: maxMetadataBytes, maxElements: maxMetadataElements });
  const entities = [root, ...childrenNamed(root, ns.metadata, 'EntityDescriptor')];
  const sides = entities.flatMap((entity) =>
    childrenNamed(entity, ns.metadata, 'IDPSSODescriptor').map((side) => ({ entity, side })),
  );
  const [only, ...more] = sides;
  if (!only) return refuse('structure', found.noProvider);
  if (more.length) refuse('structure', found.severalProviders);
  const { entity, side } = only;
  const services = childrenNamed(side, ns.metadata, 'SingleSignOnService');
  const ssoUrl = attributeOf(
    services.find((service) => attributeOf(service, 'Binding') === redirect),
    'Location',
  );
  if (!ssoUrl) refuse('structure', found.noRedirect);
  const bodies = childrenNamed(side, ns.metadata, 'KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(attributeOf(key, 'use')))
    .flatMap((key) => certificatesIn(key));
  try {
    return {
      entityId: attributeOf(entity, 'entityID'),
      ssoUrl,
      certificates: readCertificates(bodies.join('\n\n')),
      wantsSignedRequests: ['true', '1'].includes(attributeOf(side, 'WantAuthnRequestsSigned')),
    };
  } catch (error) {
    throw new SamlRefusal('structure', found.certificates(error instanceof Error ? error.message : ''), {
      cause: error,
    });
  }
}

/** What never ends stays, and is refused. */
function withoutComments(text: string): string {
  let bare = '';
  let at = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4);
    if (end < 0) break;
    bare += text.slice(at, start);
    at = end + 3;
  }
  return bare + text.slice(at);
}

function certificatesIn(key: Element): string[] {
  const below = (parents: Element[], name: string): Element[] =>
    parents.flatMap((parent) => childrenNamed(parent, ns.signature, name));
  const bodies = below(below(below([key], 'KeyInfo'), 'X509Data'), 'X509Certificate');
  return bodies.map((body) => (textOf(body) ?? '').replace(/\s+/g, ''));
}
