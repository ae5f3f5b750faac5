/** Organisations and what belongs to the whole of one: environments, API tokens. */
import { z } from 'zod';
import { scopes } from '../../domains/accounts/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery } from '../shared/schemas.ts';

export const Organization = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    dateCreated: dateTime(),
    status: z.object({ id: z.string(), name: z.string() }),
    isEarlyAdopter: z.boolean(),
    require2FA: z.boolean(),
    requireEmailVerification: z.boolean(),
    features: z.array(z.string()),
    links: z.object({ organizationUrl: z.string(), regionUrl: z.string() }),
    role: z.string().nullable().describe('Of the caller: owner, admin or member.'),
    access: z.array(z.string()).describe('Scopes that the caller has here.'),
  })
  .meta({ id: 'Organization' });

export const listOrganizations = endpoint({
  method: 'GET',
  url: '/organizations/',
  id: 'listOrganizations',
  tag: 'Organisations',
  summary: 'Organisations of the caller',
  access: 'org:read',
  query: z.object(pageQuery),
  response: z.array(Organization),
});

export const getOrganization = endpoint({
  method: 'GET',
  url: '/organizations/:org/',
  id: 'getOrganization',
  tag: 'Organisations',
  summary: 'One organisation',
  // Bundler plugins ask for it first, with a token for releases alone.
  access: ['org:read', 'project:read', 'project:releases'],
  params: orgParams,
  response: Organization,
});

const Environment = z
  .object({ id: z.string(), name: z.string(), isHidden: z.boolean(), lastSeen: dateTime() })
  .meta({ id: 'Environment' });

export const listEnvironments = endpoint({
  method: 'GET',
  url: '/organizations/:org/environments/',
  id: 'listEnvironments',
  tag: 'Organisations',
  summary: 'Environments that events came from, the busiest first',
  access: 'project:read',
  params: orgParams,
  response: z.array(Environment),
});

const TokenKind = z
  .enum(['user', 'organization'])
  .describe("A user's own; or one of the organisation for its builds, which may upload and nothing else.");

const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: TokenKind,
    scopes: z.array(z.string()),
    tokenLastCharacters: z.string(),
    dateCreated: dateTime(),
    dateLastUsed: dateTime().nullable(),
    expiresAt: dateTime('Null: it does not expire.').nullable(),
    createdBy: z.object({
      name: z.string(),
      email: z.string(),
      isMember: z.boolean().describe('Whether they still belong to the organisation.'),
    }),
  })
  .meta({ id: 'ApiToken' });

export const listTokens = endpoint({
  method: 'GET',
  url: '/organizations/:org/api-tokens/',
  id: 'listTokens',
  tag: 'API tokens',
  summary: "The caller's API tokens in this organisation, and the organisation's own for who may make these",
  description: 'A token without `org:admin` sees itself alone.',
  access: 'org:read',
  params: orgParams,
  response: z.array(ApiToken),
});

export const createToken = endpoint({
  method: 'POST',
  url: '/organizations/:org/api-tokens/',
  id: 'createToken',
  tag: 'API tokens',
  summary: 'Make an API token',
  description:
    'The answer is the only place where the token itself is ever shown. A token cannot be given more than its maker has. One of the organisation has the address of the server in it, so that clients need no other setting; its only scope is org:ci. A token that makes another needs org:admin, gives no more than it has itself, and takes the other one with it when it ends.',
  access: 'org:read',
  tokenAccess: 'org:admin',
  params: orgParams,
  body: z
    .object({
      name: z.string().trim().min(1, 'must not be empty').max(100),
      kind: TokenKind.optional(),
      scopes: z
        .array(z.enum(scopes))
        .max(scopes.length)
        .optional()
        .describe("Of a user's token, at least one; those of an organisation's are given."),
      expiresAt: z.iso
        .datetime({ offset: true, error: 'must be a time such as 2027-01-01T00:00:00Z, or null' })
        .nullable()
        .optional()
        .describe('A year from now when left out; null: never.'),
    })
    .refine(({ kind, scopes: names }) => kind === 'organization' || names?.length, {
      path: ['scopes'],
      message: 'must name at least one scope',
    })
    .meta({ id: 'ApiTokenRequest' }),
  status: 201,
  response: ApiToken.extend({ token: z.string() }).meta({ id: 'ApiTokenCreated' }),
});

export const deleteToken = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/api-tokens/:id/',
  id: 'deleteToken',
  tag: 'API tokens',
  summary: 'Delete an API token; it stops working at once, and so do those that it made',
  access: 'org:read',
  tokenAccess: 'org:admin',
  params: orgParams.extend({ id: z.string().max(20) }),
  status: 204,
});
