/** The kinds of providers: what each is told, which of it is secret, and what has to come again when it changes. */
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { invalid } from '../../base/texts/validation.ts';
import { providerInputs } from '../../base/texts/providers.ts';
import { samlTexts } from '../../base/texts/saml.ts';
import { makeOwnKey } from './saml/own-key.ts';
import { samlSettings } from './saml/settings.ts';

export const kinds = ['oidc', 'saml', 'github', 'gitlab', 'google'] as const;
export type Kind = (typeof kinds)[number];

export type Settings = Readonly<Record<string, string>>;

interface KindFacts {
  readonly settings: z.ZodType<Readonly<Record<string, string | undefined>>>;
  /** Names of settings that nobody may read. */
  readonly secrets: readonly string[];
  /** Names of settings that say where secrets are sent, and who it is that vouches for people. */
  readonly addresses: readonly string[];
  /** Settings that nobody enters. */
  readonly made?: { readonly names: readonly string[]; make(now: number): Promise<Settings> };
}

const text = (most: number) => z.string().trim().min(1, invalid.empty).max(most, invalid.atMost(most));

/** Where a provider is. Its host is looked at again whenever it is called. */
export const webAddress = text(1000).refine(isWebAddress, providerInputs.address);

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !password && !search && !hash;
}

export const usualScopes = 'openid email profile';

const client = { clientId: text(500), clientSecret: text(1000) };
const baseAddress = webAddress.transform((value) => value.replace(/\/+$/, ''));
const domain = text(253).transform((value) => value.toLowerCase());

export const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  oidc: {
    settings: z.strictObject({
      // As it is: the provider must say the same to the last letter.
      issuer: webAddress,
      ...client,
      // One without is a public client, whose codes are bound by PKCE alone.
      clientSecret: client.clientSecret.optional(),
      scopes: text(500)
        .refine((value) => value.split(' ').includes('openid'), providerInputs.openid)
        .default(usualScopes),
      groupsClaim: text(200).default('groups'),
    }),
    secrets: ['clientSecret'],
    addresses: ['issuer'],
  },
  saml: {
    settings: samlSettings,
    secrets: ['privateKey'],
    // A name means what its format says.
    addresses: ['entityId', 'nameIdFormat'],
    made: { names: ['privateKey', 'certificate'], make: makeOwnKey },
  },
  github: {
    settings: z.strictObject({
      url: baseAddress.default('https://github.com'),
      ...client,
      organization: text(100).optional(),
    }),
    secrets: ['clientSecret'],
    addresses: ['url'],
  },
  gitlab: {
    settings: z.strictObject({
      url: baseAddress.default('https://gitlab.com'),
      ...client,
      group: text(500).optional(),
    }),
    secrets: ['clientSecret'],
    addresses: ['url'],
  },
  google: {
    settings: z.strictObject({ ...client, hostedDomain: domain.optional() }),
    secrets: ['clientSecret'],
    addresses: [],
  },
};

/**
 * The settings as the kind reads them. With `before`, what is left out stays, and what is empty is taken away; a secret
 * that is empty stays, but must come again when the address changes that it is sent to. Throws `INPUT_INVALID`.
 */
export function checkSettings(kind: Kind, sent: Settings, before?: Settings): Settings {
  const { settings, secrets, addresses, made } = kindFacts[kind];
  // As it was read, it may come back.
  const strange = made?.names.find((name) => name in sent && sent[name] !== before?.[name]);
  if (strange) throw new CodedError('INPUT_INVALID', [samlTexts.invalid.made(strange)]);
  const given = Object.entries(sent).filter(([key, value]) => value !== '' || !secrets.includes(key));
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== ''),
  );
  const parsed = settings.safeParse(merged);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join('.') || 'settings';
    const why = issue?.code === 'invalid_type' ? invalid.required : (issue?.message ?? invalid.unreadable);
    throw new CodedError('INPUT_INVALID', [providerInputs.ofSetting(path, why)]);
  }
  const data = Object.fromEntries(Object.entries(parsed.data).filter(hasValue));
  const moved = before && addresses.find((key) => data[key] !== before[key]);
  const entered = secrets.filter((key) => !made?.names.includes(key));
  const missing = moved && entered.find((key) => before[key] !== undefined && !sent[key]);
  if (missing) throw new CodedError('INPUT_INVALID', [providerInputs.enterAgain(missing, moved ?? '')]);
  return data;
}

const hasValue = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;
