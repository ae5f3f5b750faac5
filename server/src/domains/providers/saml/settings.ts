/** What a provider that speaks SAML 2.0 is told. */
import { z } from 'zod';
import { samlTexts } from '../../../base/texts/saml.ts';
import { invalid } from '../../../base/texts/validation.ts';
import { readCertificates } from './certificates.ts';

/** What has to be signed: either of them, one of them for sure, or each. Nothing signed is never enough. */
export const signedParts = ['either', 'assertion', 'response', 'both'] as const;
export type SignedParts = (typeof signedParts)[number];

/** Formats of NameID that last: what somebody is called only once says nothing about who they are. */
export const nameIdFormats = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
} as const;
type NameIdFormat = keyof typeof nameIdFormats;

const text = (most: number) => z.string().trim().min(1, invalid.empty).max(most, invalid.atMost(most));
const yes = z.enum(['yes', 'no']).default('no');

/** With a query, as some providers tell their applications apart. */
const address = text(2_000).refine(isAddress, samlTexts.invalid.address);

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !password && !hash;
}

const certificates = text(30_000).transform((value, context) => {
  try {
    return readCertificates(value)
      .map(({ pem }) => pem)
      .join('');
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : invalid.unreadable });
    return z.NEVER;
  }
});

const skew = z
  .string()
  .regex(/^\d{1,3}$/, samlTexts.invalid.seconds)
  .refine((value) => Number(value) <= 300, samlTexts.invalid.skew)
  .default('60');

export const samlSettings = z.strictObject({
  /** Of the provider. */
  entityId: text(1_000),
  ssoUrl: address,
  certificates,
  signed: z.enum(signedParts).default('either'),
  nameIdFormat: z.enum(Object.keys(nameIdFormats) as [NameIdFormat, ...NameIdFormat[]]).default('persistent'),
  signRequests: yes,
  idpInitiated: yes,
  skewSeconds: skew,
  emailAttribute: text(300).optional(),
  nameAttribute: text(300).optional(),
  groupsAttribute: text(300).optional(),
  // Ours, made when the provider is.
  privateKey: text(10_000).optional(),
  certificate: text(10_000).optional(),
});

export interface SamlSettings {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificates: readonly string[];
  readonly signed: SignedParts;
  /** URN. */
  readonly nameIdFormat: string;
  readonly signRequests: boolean;
  readonly idpInitiated: boolean;
  readonly skewMs: number;
  readonly attributes: {
    readonly email: string | undefined;
    readonly name: string | undefined;
    readonly groups: string | undefined;
  };
  /** PEM; undefined where it was sealed with a key that is gone. */
  readonly privateKey: string | undefined;
  readonly certificate: string | undefined;
}

/** As they were stored. */
export function readSettings(stored: Readonly<Record<string, string>>): SamlSettings {
  const read = samlSettings.parse(stored);
  return {
    entityId: read.entityId,
    ssoUrl: read.ssoUrl,
    certificates: readCertificates(read.certificates).map(({ pem }) => pem),
    signed: read.signed,
    nameIdFormat: nameIdFormats[read.nameIdFormat],
    signRequests: read.signRequests === 'yes',
    idpInitiated: read.idpInitiated === 'yes',
    skewMs: Number(read.skewSeconds) * 1000,
    attributes: { email: read.emailAttribute, name: read.nameAttribute, groups: read.groupsAttribute },
    privateKey: read.privateKey,
    certificate: read.certificate,
  };
}
