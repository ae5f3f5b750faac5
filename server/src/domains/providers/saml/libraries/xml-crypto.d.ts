/** What is used of it. Its own types bring those of a browser into the server. */
import type { Element } from '@xmldom/xmldom';

export interface SignedXmlOptions {
  readonly publicCert: string;
  readonly getCertFromKeyInfo: (keyInfo?: Element | null) => string | null;
}

export declare class SignedXml {
  constructor(options: SignedXmlOptions);
  SignatureAlgorithms: Record<string, unknown>;
  HashAlgorithms: Record<string, unknown>;
  loadSignature(signature: Element): void;
  /** Throws where the signature is not the certificate's; false where what was signed is not what is there. */
  checkSignature(text: string): boolean;
  getSignedReferences(): readonly string[];
}
