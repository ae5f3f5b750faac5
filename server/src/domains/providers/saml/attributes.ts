/** Address, name and groups, under the names that providers give them. Pure. */
import type { SamlSettings } from './settings.ts';

type Attributes = ReadonlyMap<string, readonly string[]>;

/** Where nothing is set: what Entra ID, ADFS, Okta, Google, Keycloak, Shibboleth and SimpleSAMLphp say. */
const usual = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  name: [
    'name',
    'displayName',
    'cn',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  groups: [
    'groups',
    'memberOf',
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.xmlsoap.org/claims/Group',
  ],
} as const;

const valuesOf = (attributes: Attributes, set: string | undefined, names: readonly string[]): readonly string[] =>
  attributes.get(set ?? names.find((name) => attributes.has(name)) ?? '') ?? [];

export interface Described {
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly groups: readonly string[];
}

/** An address that is there twice is none: which of them is meant? `subject` is one where its format says so. */
export function described(
  { attributes: set, nameIdFormat }: Pick<SamlSettings, 'attributes' | 'nameIdFormat'>,
  { attributes, subject }: { readonly attributes: Attributes; readonly subject: string },
): Described {
  const emails = new Set(valuesOf(attributes, set.email, usual.email).map((email) => email.toLowerCase()));
  const [email] = emails;
  const isAddress = nameIdFormat.endsWith(':emailAddress') && set.email === undefined;
  return {
    email: emails.size === 1 ? email : emails.size === 0 && isAddress ? subject : undefined,
    name: valuesOf(attributes, set.name, usual.name)[0],
    groups: valuesOf(attributes, set.groups, usual.groups),
  };
}
