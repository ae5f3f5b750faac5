/** Certificates of identity providers: only their keys count, so that one that has run out is told and not refused. */
import { X509Certificate } from 'node:crypto';
import { samlTexts } from '../../../base/texts/saml.ts';

const { invalid } = samlTexts;

export interface CertificateFacts {
  readonly subject: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** SHA-256, hex with colons. */
  readonly fingerprint: string;
  readonly pem: string;
}

export const maxCertificates = 5;
const smallestKeyBits = 2048;

/** From PEM, or the bare base64 that metadata have; several one after the other. Throws what is wrong, in words. */
export function readCertificates(text: string): CertificateFacts[] {
  const blocks = text.includes('-----BEGIN')
    ? [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)].map(([, body = '']) => body)
    : text.split(/\n\s*\n/);
  const bodies = [...new Set(blocks.map((block) => block.replace(/\s+/g, '')).filter(Boolean))];
  if (!bodies.length) throw new Error(invalid.noCertificate);
  if (bodies.length > maxCertificates) throw new Error(invalid.certificates(maxCertificates));
  return bodies.map(factsOf);
}

function factsOf(base64: string): CertificateFacts {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw new Error(invalid.notCertificate);
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  if (asymmetricKeyType !== 'rsa') throw new Error(invalid.notRsa);
  if ((asymmetricKeyDetails?.modulusLength ?? 0) < smallestKeyBits) {
    throw new Error(invalid.weak(smallestKeyBits));
  }
  return {
    subject: certificate.subject.split('\n').at(-1)?.replace(/^CN=/, '') ?? '',
    expiresAt: certificate.validToDate.toISOString(),
    fingerprint: certificate.fingerprint256,
    pem: certificate.toString(),
  };
}

/** As metadata have it. */
export const bareCertificate = (pem: string): string => new X509Certificate(pem).raw.toString('base64');
