/** What this directory interface is, as it tells it itself (RFC 7643, 7644). */
import type { JsonObject } from './protocol/json.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
const configSchema = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const typeSchema = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const schemaSchema = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/** Of a page. */
export const mostResults = 200;

export const serviceProviderConfig = (base: string): JsonObject => ({
  schemas: [configSchema],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: mostResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: 'A SCIM token of the organisation.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string): JsonObject[] =>
  (
    [
      ['User', '/Users', userSchema],
      ['Group', '/Groups', groupSchema],
    ] as const
  ).map(([name, endpoint, schema]) => ({
    schemas: [typeSchema],
    id: name,
    name,
    endpoint,
    schema,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

interface Given {
  readonly type?: string;
  readonly required?: boolean;
  readonly exact?: boolean;
  readonly many?: boolean;
  readonly readOnly?: boolean;
  readonly unique?: boolean;
  readonly subAttributes?: readonly JsonObject[];
}

function attribute(name: string, given: Given = {}): JsonObject {
  const { type = 'string', required = false, exact = false, many = false, readOnly = false, unique = false } = given;
  return {
    name,
    type,
    multiValued: many,
    required,
    caseExact: exact,
    mutability: readOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: unique ? 'server' : 'none',
    ...(given.subAttributes && { subAttributes: given.subAttributes }),
  };
}

const names = ['formatted', 'familyName', 'givenName'].map((name) => attribute(name));
const value = attribute('value');
const display = attribute('display', { readOnly: true });

const userAttributes = [
  attribute('userName', { required: true, unique: true }),
  attribute('externalId', { exact: true, unique: true }),
  attribute('name', { type: 'complex', subAttributes: names }),
  attribute('displayName'),
  attribute('emails', {
    type: 'complex',
    many: true,
    subAttributes: [value, attribute('type'), attribute('primary', { type: 'boolean' })],
  }),
  attribute('active', { type: 'boolean' }),
  attribute('groups', { type: 'complex', many: true, readOnly: true, subAttributes: [value, display] }),
];

const groupAttributes = [
  attribute('displayName', { required: true, unique: true }),
  attribute('externalId', { exact: true }),
  attribute('members', { type: 'complex', many: true, subAttributes: [value, display] }),
];

export const schemas = (base: string): JsonObject[] =>
  (
    [
      [userSchema, 'User', userAttributes],
      [groupSchema, 'Group', groupAttributes],
    ] as const
  ).map(([id, name, attributes]) => ({
    schemas: [schemaSchema],
    id,
    name,
    description: name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }));
