/** What the form of a SAML provider asks for. */
import * as words from '../../messages/saml.ts';
import * as m from '../../messages/sign-in-providers.ts';
import { verbatim } from '../../ui/verbatim.ts';
import type { SettingField } from './kinds.ts';
import type { SamlCertificate, SamlMetadata } from './queries.ts';

export const samlFields: readonly SettingField[] = [
  { key: 'entityId', placeholder: verbatim`https://` },
  { key: 'ssoUrl', placeholder: verbatim`https://`, hint: m.hints.ssoUrl },
  { key: 'certificates', long: true, placeholder: verbatim`-----BEGIN CERTIFICATE-----`, hint: m.hints.certificates },
  { key: 'nameIdFormat', options: words.nameIdFormats, hint: m.hints.nameIdFormat },
  { key: 'signed', options: words.signed, rare: true },
  { key: 'signRequests', options: words.signRequests, rare: true },
  { key: 'idpInitiated', options: words.idpInitiated, rare: true, hint: m.hints.idpInitiated },
  { key: 'skewSeconds', optional: true, rare: true, placeholder: '60', hint: m.hints.skewSeconds },
  { key: 'emailAttribute', optional: true, rare: true, hint: m.hints.emailAttribute },
  { key: 'nameAttribute', optional: true, rare: true, hint: m.hints.emailAttribute },
  { key: 'groupsAttribute', optional: true, rare: true, hint: m.hints.emailAttribute },
];

/** What metadata fill in. */
export const samlSettingsOf = (metadata: SamlMetadata): Readonly<Record<string, string>> => ({
  entityId: metadata.entityId,
  ssoUrl: metadata.ssoUrl,
  certificates: metadata.certificates.map(({ pem }) => pem).join(''),
  ...(metadata.wantsSignedRequests && { signRequests: 'yes' }),
});

/** As the server has them: for the form of a provider that is not there yet. */
export const samlAddresses = (id: string): { readonly entityId: string; readonly acsUrl: string } => {
  const base = `${location.origin}/api/auth/provider/${id}/saml`;
  return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` };
};

const soonMs = 30 * 86_400_000;

/** The one that lasts longest, where it does not last much longer. */
export function endingCertificate(
  certificates: readonly SamlCertificate[],
  now: number,
): { readonly expiresAt: string; readonly isOver: boolean } | undefined {
  const last = certificates.toSorted((a, b) => Date.parse(b.expiresAt) - Date.parse(a.expiresAt))[0];
  if (!last || Date.parse(last.expiresAt) > now + soonMs) return undefined;
  return { expiresAt: last.expiresAt, isOver: Date.parse(last.expiresAt) <= now };
}
