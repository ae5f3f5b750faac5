/** Organisations and what belongs to the whole of one: environments, API tokens. */
import { z } from 'zod';
import { roles, scopes } from '../../domains/accounts/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, projectParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';
import { tokens as tokenTexts } from '../../base/texts/accounts.ts';

const MemberAccess = z
  .enum(['all', 'teams'])
  .describe('Which projects members see: all, or those of their teams. Owners and admins see all.');

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
    links: z.object({
      organizationUrl: z.string(),
      regionUrl: z
        .string()
        .optional()
        .describe("Where Sentry's clients send the organisation's calls; not set if the address is not https."),
    }),
    role: z.string().nullable().describe('Role of the caller: owner, admin, manager, member or viewer.'),
    access: z.array(z.string()).describe('Scopes of the caller.'),
    memberAccess: MemberAccess,
    shareLinks: z.boolean().describe('Whether issues can be shared by link.'),
    seesAllProjects: z.boolean().describe('Whether the caller sees all projects, not only those of their teams.'),
  })
  .meta({ id: 'Organization' });

export const ClosedOrganization = z
  .object({
    slug: z.string(),
    name: z.string(),
    reason: z
      .enum(['second_factor', 'provider', 'address'])
      .describe('What is missing; address: the network is not allowed.'),
    providerId: z.string().nullable().describe('Where a provider is required: which.'),
  })
  .meta({ id: 'ClosedOrganization' });

export const listOrganizations = endpoint({
  method: 'GET',
  url: '/organizations/',
  id: 'listOrganizations',
  tag: 'Organisations',
  summary: 'List organisations of the caller',
  access: 'org:read',
  query: z.object(pageQuery),
  response: z.array(Organization),
});

export const listRegions = endpoint({
  method: 'GET',
  url: '/users/me/regions/',
  id: 'listRegions',
  tag: 'Organisations',
  summary: "List regions of the caller's organisations: always one",
  description: "Sentry's clients check a token with it.",
  access: 'user',
  response: z.object({ regions: z.array(z.object({ name: z.string(), url: z.string() })) }),
});

export const createOrganization = endpoint({
  method: 'POST',
  url: '/organizations/',
  id: 'createOrganization',
  tag: 'Organisations',
  summary: 'Create an organisation',
  description: 'Only the person who set up the installation can create one, and becomes its owner.',
  access: 'user',
  tokenAccess: 'org:admin',
  body: z
    .object({ name: z.string().trim().min(1, invalid.empty).max(64, invalid.atMost(64)) })
    .meta({ id: 'OrganizationRequest' }),
  status: 201,
  response: Organization,
});

export const getOrganization = endpoint({
  method: 'GET',
  url: '/organizations/:org/',
  id: 'getOrganization',
  tag: 'Organisations',
  summary: 'Get an organisation',
  // Bundler plugins ask for it first, with a token for releases alone.
  access: ['org:read', 'project:read', 'project:releases'],
  params: orgParams,
  response: Organization,
});

export const updateOrganization = endpoint({
  method: 'PUT',
  url: '/organizations/:org/',
  id: 'updateOrganization',
  tag: 'Organisations',
  summary: 'Rename an organisation or change what its members see; omitted fields stay',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({
      name: z.string().trim().min(1, invalid.empty).max(64, invalid.atMost(64)).optional(),
      memberAccess: MemberAccess.optional(),
    })
    .meta({ id: 'OrganizationUpdate' }),
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
  summary: 'List environments of events, busiest first',
  access: 'project:read',
  params: orgParams,
  response: z.array(Environment),
});

export const listProjectEnvironments = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/environments/',
  id: 'listProjectEnvironments',
  tag: 'Projects',
  summary: 'List environments of events of a project, busiest first',
  access: 'project:read',
  params: projectParams,
  query: z.object({ visibility: z.enum(['all', 'visible', 'hidden']).default('visible').describe('None is hidden.') }),
  response: z.array(Environment),
});

export const getProjectEnvironment = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/environments/:environment/',
  id: 'getProjectEnvironment',
  tag: 'Projects',
  summary: 'Get an environment of a project',
  access: 'project:read',
  params: projectParams.extend({ environment: z.string().max(200) }),
  response: Environment,
});

const TokenKind = z
  .enum(['user', 'organization', 'service'])
  .describe("A user's token, an organisation token for builds, or a service account with its own role.");

const ApiToken = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: TokenKind,
    role: z.enum(roles).nullable().describe('Of a service account.'),
    scopes: z.array(z.string()),
    tokenLastCharacters: z.string(),
    dateCreated: dateTime(),
    dateLastUsed: dateTime().nullable(),
    expiresAt: dateTime('null: no expiry.').nullable(),
    isGranted: z.boolean().describe('Whether a person granted it to an app over OAuth, which renews it.'),
    createdBy: z.object({
      name: z.string(),
      email: z.string(),
      isMember: z.boolean().describe('Whether they are still a member.'),
    }),
  })
  .meta({ id: 'ApiToken' });

export const listTokens = endpoint({
  method: 'GET',
  url: '/organizations/:org/api-tokens/',
  id: 'listTokens',
  tag: 'API tokens',
  summary: "List your API tokens, and the organisation's if you may create them",
  description: 'A token without `org:admin` sees itself only.',
  access: 'org:read',
  params: orgParams,
  response: z.array(ApiToken),
});

export const createToken = endpoint({
  method: 'POST',
  url: '/organizations/:org/api-tokens/',
  id: 'createToken',
  tag: 'API tokens',
  summary: 'Create an API token',
  description:
    "Only this response contains the token. A token cannot exceed its creator's scopes. An organisation token contains the server's address, and its only scope is org:ci. Creating a token with a token requires org:admin. The new token cannot exceed its scopes and is deleted with it. A service account needs org:write; its role cannot exceed the creator's. It belongs to the organisation and stays when its creator leaves.",
  access: 'org:read',
  tokenAccess: 'org:admin',
  params: orgParams,
  body: z
    .object({
      name: z.string().trim().min(1, invalid.empty).max(100),
      kind: TokenKind.optional(),
      scopes: z
        .array(z.enum(scopes))
        .max(scopes.length)
        .optional()
        .describe("At least one for a user's token; fixed for an organisation's."),
      role: z.enum(roles).optional().describe('Of a service account.'),
      expiresAt: z.iso
        .datetime({ offset: true, error: invalid.expiry })
        .nullable()
        .optional()
        .describe('Default: a year from now; null: never.'),
    })
    .refine(({ kind = 'user', scopes: names }) => kind !== 'user' || names?.length, {
      path: ['scopes'],
      message: tokenTexts.noScope,
    })
    .refine(({ kind, role }) => (kind === 'service') === (role !== undefined), {
      path: ['role'],
      message: tokenTexts.role,
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
  summary: 'Delete an API token and all tokens that it created',
  access: 'org:read',
  tokenAccess: 'org:admin',
  params: orgParams.extend({ id: z.string().max(20) }),
  status: 204,
});

const buildToken = {
  tag: 'API tokens',
  access: 'org:read',
  tokenAccess: 'org:admin',
} as const;

const BuildToken = ApiToken.pick({
  id: true,
  name: true,
  scopes: true,
  tokenLastCharacters: true,
  dateCreated: true,
  dateLastUsed: true,
})
  .extend({ token: z.string().optional().describe('Of a new one alone.') })
  .meta({ id: 'OrganizationToken' });

export const listOrganizationTokens = endpoint({
  ...buildToken,
  method: 'GET',
  url: '/organizations/:org/org-auth-tokens/',
  id: 'listOrganizationTokens',
  summary: "List organisation tokens, which builds use, in Sentry's shape",
  params: orgParams,
  response: z.array(BuildToken),
});

export const createOrganizationToken = endpoint({
  ...buildToken,
  method: 'POST',
  url: '/organizations/:org/org-auth-tokens/',
  id: 'createOrganizationToken',
  summary: "Create an organisation token in Sentry's shape",
  description: 'Only this response contains the token. It expires in a year.',
  params: orgParams,
  body: z.object({ name: z.string().trim().min(1, invalid.empty).max(100) }).meta({ id: 'OrganizationTokenRequest' }),
  status: 201,
  response: BuildToken,
});

export const deleteOrganizationToken = endpoint({
  ...buildToken,
  method: 'DELETE',
  url: '/organizations/:org/org-auth-tokens/:id/',
  id: 'deleteOrganizationToken',
  summary: 'Delete an organisation token',
  params: orgParams.extend({ id: z.string().max(20) }),
  status: 204,
});
