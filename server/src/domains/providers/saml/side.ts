/** The addresses by which a provider knows us, and what is shown of both sides. */
import type { Provider } from '../provider.ts';
import { type CertificateFacts, readCertificates } from './certificates.ts';

/** Our side of a provider. */
export interface OwnSide {
  /** Where our metadata are, too. */
  readonly entityId: string;
  readonly acs: string;
}

/** From the address of the callback that all providers have. */
export function ownSide(callback: string): OwnSide {
  const base = callback.replace(/\/callback$/, '/saml');
  return { entityId: `${base}/metadata`, acs: `${base}/acs` };
}

export interface SamlSide {
  readonly entityId: string;
  readonly acsUrl: string;
  readonly certificates: CertificateFacts[];
}

export function samlSide({ settings }: Pick<Provider, 'settings'>, callback: string) {
  const { entityId, acs } = ownSide(callback);
  return { entityId, acsUrl: acs, certificates: readCertificates(settings['certificates'] ?? '') };
}
