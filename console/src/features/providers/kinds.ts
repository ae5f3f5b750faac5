/** The kinds of providers: what their forms ask for. */
import * as m from '../../messages/sign-in-providers.ts';
import { verbatim } from '../../ui/verbatim.ts';
import type { Provider, ProviderKind } from './queries.ts';
import { samlFields } from './saml.ts';

export interface SettingField {
  readonly key: keyof typeof m.fields;
  readonly secret?: true;
  readonly optional?: true;
  readonly placeholder?: string;
  readonly hint?: string;
  /** Of several lines. */
  readonly long?: true;
  /** One of these; the first unless another is set. */
  readonly options?: Readonly<Record<string, string>>;
  /** Unfolded where somebody wants it. */
  readonly rare?: true;
}

const clientId: SettingField = { key: 'clientId' };
const clientSecret: SettingField = { key: 'clientSecret', secret: true };

export const fieldsOf: Readonly<Record<ProviderKind, readonly SettingField[]>> = {
  oidc: [
    { key: 'issuer', hint: m.hints.issuer, placeholder: verbatim`https://` },
    clientId,
    { ...clientSecret, optional: true },
    { key: 'scopes', optional: true, placeholder: verbatim`openid email profile` },
    { key: 'groupsClaim', optional: true, placeholder: verbatim`groups`, hint: m.hints.groupsClaim },
  ],
  saml: samlFields,
  google: [clientId, clientSecret, { key: 'hostedDomain', optional: true, hint: m.hints.hostedDomain }],
  github: [
    clientId,
    clientSecret,
    { key: 'organization', optional: true, hint: m.hints.organization },
    { key: 'url', optional: true, placeholder: verbatim`https://github.com` },
  ],
  gitlab: [
    clientId,
    clientSecret,
    { key: 'group', optional: true, hint: m.hints.group },
    { key: 'url', optional: true, placeholder: verbatim`https://gitlab.com` },
  ],
};

export const kinds = Object.keys(fieldsOf) as ProviderKind[];

/** Whether the provider has a secret that an empty field leaves as it is. */
export const isKept = ({ key, secret }: SettingField, provider: Provider | undefined): boolean =>
  secret === true && provider?.secrets.includes(key) === true;

/** The first that is missing. */
export const missingSetting = (
  kind: ProviderKind,
  settings: Readonly<Record<string, string>>,
  provider: Provider | undefined,
): SettingField | undefined =>
  fieldsOf[kind].find((field) => !field.optional && !settings[field.key]?.trim() && !isKept(field, provider));

/** What the form says, as the server wants it: an empty one is taken away. */
export const settingsOf = (kind: ProviderKind, values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(fieldsOf[kind].map(({ key }) => [key, values[key]?.trim() ?? '']));

export const domainsOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((part) => part.replace(/^@/, '').toLowerCase())
    .filter((part) => part !== '');

/** As the server makes them: for the redirect URL of a provider that is not there yet. */
export function newProviderId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz012345';
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % letters.length]).join('');
}

export const callbackUrl = (id: string): string => `${location.origin}/api/auth/provider/${id}/callback`;

/** Where settings start that are one of several. */
export const firstOptions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(fieldsOf)
    .flat()
    .flatMap(({ key, options }) => (options ? [[key, Object.keys(options)[0] ?? '']] : [])),
);
