/** Providers that members of an organisation sign in through. */
import { z } from 'zod';
import { roles } from '../../domains/accounts/index.ts';
import { defaultRoles, kinds, maxMetadataBytes } from '../../domains/providers/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';
import { samlTexts } from '../../base/texts/saml.ts';
import { invalid } from '../../base/texts/validation.ts';
import { providerInputs } from '../../base/texts/providers.ts';

const Kind = z.enum(kinds).describe('oidc: any OpenID Connect provider; saml: any SAML 2.0 provider.');
const name = z.string().trim().min(1, invalid.empty).max(60, invalid.atMost(60));

const Mapping = z
  .object({
    value: z
      .string()
      .trim()
      .min(1, invalid.empty)
      .max(300, invalid.atMost(300))
      .describe('Group, exactly as the provider writes it.'),
    role: z.enum(roles).nullable(),
    team: z.string().max(64).nullable().describe('Slug of a team.'),
  })
  .meta({ id: 'SignInMapping' });

const settings = z
  .record(z.string().max(40), z.string().max(30_000))
  .describe(
    'oidc: issuer, clientId, clientSecret, scopes, groupsClaim; github: url, clientId, clientSecret, organization; gitlab: url, clientId, clientSecret, group; google: clientId, clientSecret, hostedDomain; saml: entityId, ssoUrl, certificates, signed, nameIdFormat, signRequests, idpInitiated, skewSeconds, emailAttribute, nameAttribute, groupsAttribute. Omitted fields stay; empty ones are removed, but an empty secret stays.',
  );

const SamlCertificate = z
  .object({
    subject: z.string(),
    expiresAt: dateTime(),
    fingerprint: z.string().describe('SHA-256.'),
    pem: z.string(),
  })
  .meta({ id: 'SamlCertificate' });

const SamlSide = z
  .object({
    entityId: z.string().describe('Entity ID of Culprit for this provider, and address of its metadata.'),
    acsUrl: z.string().describe('Address that the provider posts responses to.'),
    certificates: z.array(SamlCertificate).describe('Certificates of the provider.'),
  })
  .meta({ id: 'SamlSide' });

export const SignInProvider = z
  .object({
    id: z.string(),
    kind: Kind,
    name: z.string(),
    domains: z
      .array(
        z.object({
          domain: z.string(),
          verified: z.boolean().describe('Only verified domains let people sign in.'),
          record: z.object({ name: z.string(), value: z.string() }).nullable().describe('TXT record that verifies it.'),
        }),
      )
      .describe('Domains of email addresses.'),
    settings: z.record(z.string(), z.string()).describe('Without secrets.'),
    secrets: z.array(z.string()).describe('Secrets that are set.'),
    enabled: z.boolean(),
    joins: z.boolean().describe('Whether new people of the domains become members when they first sign in.'),
    defaultRole: z.enum(defaultRoles),
    mapping: z.array(Mapping),
    required: z.boolean().describe('Whether members must sign in through it.'),
    saml: SamlSide.nullable().describe('Of kind saml.'),
    callbackUrl: z.string().describe('Redirect URL to enter at the provider.'),
    people: z.int().describe('People who have signed in through it.'),
    problem: z.string().describe('Last failure; empty after a sign-in that worked.'),
    problemAt: dateTime().nullable(),
    lastUsed: dateTime().nullable(),
    dateCreated: dateTime(),
  })
  .meta({ id: 'SignInProvider' });

const fields = {
  name,
  domains: z.array(z.string().max(253)).max(50),
  settings,
  enabled: z.boolean(),
  joins: z.boolean(),
  defaultRole: z.enum(defaultRoles),
  mapping: z.array(Mapping).max(200),
};

const list = '/organizations/:org/sign-in-providers/' as const;
const idParams = orgParams.extend({ id: z.string().max(32) });

export const listSignInProviders = endpoint({
  method: 'GET',
  url: list,
  id: 'listSignInProviders',
  tag: 'Single sign-on',
  summary: 'List sign-in providers of an organisation',
  access: 'org:admin',
  params: orgParams,
  response: z.array(SignInProvider).describe('By name.'),
});

export const createSignInProvider = endpoint({
  method: 'POST',
  url: list,
  id: 'createSignInProvider',
  tag: 'Single sign-on',
  summary: 'Add a sign-in provider',
  access: 'org:admin',
  params: orgParams,
  body: z
    .object({
      ...fields,
      id: z
        .string()
        .regex(/^[a-z0-9]{16}$/, providerInputs.id)
        .optional()
        .describe('For who needs the redirect URL before the provider is added.'),
      kind: Kind,
      domains: fields.domains.default([]),
      enabled: fields.enabled.default(true),
      joins: fields.joins.default(false),
      defaultRole: fields.defaultRole.default('member'),
      mapping: fields.mapping.default([]),
    })
    .meta({ id: 'SignInProviderRequest' }),
  status: 201,
  response: SignInProvider,
});

export const getSignInProvider = endpoint({
  method: 'GET',
  url: `${list}:id/`,
  id: 'getSignInProvider',
  tag: 'Single sign-on',
  summary: 'Get a sign-in provider',
  access: 'org:admin',
  params: idParams,
  response: SignInProvider,
});

export const updateSignInProvider = endpoint({
  method: 'PUT',
  url: `${list}:id/`,
  id: 'updateSignInProvider',
  tag: 'Single sign-on',
  summary: 'Update a sign-in provider; omitted fields stay',
  description:
    'If the address changes, send its secrets again; everyone is then recognised again. Disabling it ends all sessions that came in through it.',
  access: 'org:admin',
  params: idParams,
  body: z.object(fields).partial().meta({ id: 'SignInProviderUpdate' }),
  response: SignInProvider,
});

export const deleteSignInProvider = endpoint({
  method: 'DELETE',
  url: `${list}:id/`,
  id: 'deleteSignInProvider',
  tag: 'Single sign-on',
  summary: 'Delete a sign-in provider and end its sessions',
  description: 'Members stay members.',
  access: 'org:admin',
  params: idParams,
  status: 204,
});

export const testSignInProvider = endpoint({
  method: 'POST',
  url: `${list}test/`,
  id: 'testSignInProvider',
  tag: 'Single sign-on',
  summary: 'Ask a saved or unsaved provider whether it would work',
  access: 'org:admin',
  params: orgParams,
  body: z
    .object({
      kind: Kind,
      settings,
      id: z.string().max(32).optional().describe('Provider whose settings apply where the request has none.'),
    })
    .meta({ id: 'SignInProviderTestRequest' }),
  response: z
    .object({ ok: z.boolean(), detail: z.string().describe('What was found, as text.') })
    .meta({ id: 'SignInProviderTest' }),
});

export const readSamlMetadata = endpoint({
  method: 'POST',
  url: `${list}saml-metadata/`,
  id: 'readSamlMetadata',
  tag: 'Single sign-on',
  summary: 'Read the metadata of a SAML provider',
  description: 'Saves nothing. Returns what to enter in the settings of a provider.',
  access: 'org:admin',
  params: orgParams,
  body: z
    .object({
      xml: z.string().max(maxMetadataBytes).optional(),
      url: z.string().max(2000).optional().describe('Address that the server reads them from.'),
    })
    .refine(({ xml, url }) => (xml === undefined) !== (url === undefined), samlTexts.invalid.oneSource)
    .meta({ id: 'SamlMetadataRequest' }),
  bodyLimit: 2 * maxMetadataBytes,
  response: z
    .object({
      entityId: z.string(),
      ssoUrl: z.string(),
      wantsSignedRequests: z.boolean(),
      certificates: z.array(SamlCertificate),
    })
    .meta({ id: 'SamlMetadata' }),
});

export const verifySignInDomains = endpoint({
  method: 'POST',
  url: `${list}:id/domains/`,
  id: 'verifySignInDomains',
  tag: 'Single sign-on',
  summary: 'Look up the TXT records of domains that are not verified',
  access: 'org:admin',
  params: idParams,
  response: SignInProvider,
});

const RequiredProvider = z
  .object({ provider: z.string().max(32).nullable().describe('ID of a provider; null: any way to sign in.') })
  .meta({ id: 'RequiredProvider' });

export const updateRequiredProvider = endpoint({
  method: 'PUT',
  url: '/organizations/:org/required-provider/',
  id: 'updateRequiredProvider',
  tag: 'Single sign-on',
  summary: 'Require members to sign in through a provider',
  description:
    'Refused until the caller has signed in through it. Sessions that came in another way can no longer enter the organisation; API tokens are not affected.',
  access: 'org:admin',
  params: orgParams,
  body: RequiredProvider,
  response: RequiredProvider,
});

export const ShownProvider = z
  .object({ id: z.string(), kind: Kind, name: z.string() })
  .meta({ id: 'ShownSignInProvider' });

export const listWaysIn = endpoint({
  method: 'GET',
  url: '/sign-in/',
  id: 'listWaysIn',
  tag: 'Single sign-on',
  summary: 'List providers that the sign-in page offers',
  access: 'public',
  response: z.object({ providers: z.array(ShownProvider).describe('At most 20, by name.') }),
});

export const findWayIn = endpoint({
  method: 'POST',
  url: '/sign-in/',
  id: 'findWayIn',
  tag: 'Single sign-on',
  summary: 'Find the provider for the domain of an email address',
  description: 'Says nothing about whether the address has an account.',
  access: 'public',
  body: z.object({ email: z.string().max(254) }).meta({ id: 'WayInRequest' }),
  response: z.object({ provider: ShownProvider.nullable() }),
});
