/** Organisations and what belongs to the whole of one: environments, API tokens. */
import { z } from 'zod';
import { scopes } from '../../accounts/index.ts';
import { endpoint } from './endpoint.ts';
import { dateTime, orgParams, pageQuery } from './shared.ts';

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
  access: 'org:read',
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

const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    tokenLastCharacters: z.string(),
    dateCreated: dateTime(),
    dateLastUsed: dateTime().nullable(),
  })
  .meta({ id: 'ApiToken' });

export const listTokens = endpoint({
  method: 'GET',
  url: '/organizations/:org/api-tokens/',
  id: 'listTokens',
  tag: 'API tokens',
  summary: "The caller's API tokens in this organisation",
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
    'The answer is the only place where the token itself is ever shown. A token cannot be given more than its maker has.',
  access: 'org:read',
  params: orgParams,
  body: z
    .object({
      name: z.string().trim().min(1, 'must not be empty').max(100),
      scopes: z.array(z.enum(scopes)).min(1, 'must name at least one scope').max(scopes.length),
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
  summary: 'Delete an API token; it stops working at once',
  access: 'org:read',
  params: orgParams.extend({ id: z.string().max(20) }),
  status: 204,
});
