/** Projects and their keys. */
import { z } from 'zod';
import { performancePatchSchema, performanceSchema } from '../../domains/detectors/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, projectParams, teamParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const names = z.array(z.string().trim().min(1).max(200)).max(200);

export const ProjectSettings = z
  .object({
    storeIpAddresses: z.boolean(),
    scrubData: z.boolean(),
    scrubDefaults: z.boolean(),
    sensitiveFields: names.describe('Parts of keys, in any case, whose values are removed.'),
    safeFields: names.describe('Exact keys that are never scrubbed.'),
    pseudonymizeUsers: z.boolean().describe('Whether users are stored as pseudonyms.'),
    largeTextAttachments: z
      .boolean()
      .describe('Whether text attachments larger than 1 MiB are stored and scrubbed; default: rejected.'),
    logExceptions: z
      .boolean()
      .describe('Whether an exception in a log record of OpenTelemetry is also an error event; default: no.'),
    allowedDomains: names.describe('Origins that browsers can send from; empty: any.'),
    performance: performanceSchema.describe('Enabled performance detectors and their thresholds.'),
  })
  .meta({ id: 'ProjectSettings' });

const ProjectSettingsUpdate = ProjectSettings.omit({ performance: true })
  .extend({ performance: performancePatchSchema })
  .partial()
  .meta({ id: 'ProjectSettingsUpdate' });

export const ProjectSummary = z
  .object({ id: z.string(), slug: z.string(), name: z.string(), platform: z.string().nullable() })
  .meta({ id: 'ProjectSummary' });

export const Project = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    platform: z.string().nullable(),
    dateCreated: dateTime(),
    firstEvent: dateTime().nullable().describe('null while waiting for the first event.'),
    firstTransactionEvent: z.boolean().describe('Whether a span has arrived, alone or in a transaction.'),
    firstSpan: dateTime().nullable().describe('Time of the first span; null if there is none.'),
    status: z.literal('active'),
    isMember: z.boolean(),
    isBookmarked: z.boolean(),
    hasAccess: z.boolean(),
    features: z.array(z.string()),
    teams: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
    organization: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    shortIdPrefix: z.string().describe('Prefix of IDs such as WEB-1.'),
    dsn: z.string().nullable().describe('DSN of the first active key.'),
    settings: ProjectSettings,
    groupingConfig: z.string().describe('Version of the grouping algorithm.'),
    groupingUpgradedFrom: z.string().nullable().describe('The previous version, whose issues are kept.'),
    groupingUpgradedAt: dateTime().nullable(),
    fingerprintingRules: z.string().describe('Fingerprint rules, one per line, as written.'),
    groupingEnhancements: z.string().describe('Stack-trace rules, one per line, as written.'),
    isInternal: z.boolean().describe('True for the project of the installation itself.'),
  })
  .meta({ id: 'Project' });

export const listProjects = endpoint({
  method: 'GET',
  url: '/organizations/:org/projects/',
  id: 'listProjects',
  tag: 'Projects',
  summary: 'List projects of an organisation',
  access: 'project:read',
  params: orgParams,
  query: z.object(pageQuery),
  response: z.array(Project),
});

const newProject = {
  name: z.string().trim().min(1, invalid.empty).max(64),
  slug: z.string().max(64).optional().describe('Default: derived from the name.'),
  platform: z.string().max(64).nullish(),
};

export const createProject = endpoint({
  method: 'POST',
  url: '/organizations/:org/projects/',
  id: 'createProject',
  tag: 'Projects',
  summary: 'Create a project with a key',
  description: 'If members see only the projects of their teams, the project of a manager goes to all their teams.',
  access: 'project:write',
  params: orgParams,
  body: z.object(newProject).meta({ id: 'ProjectRequest' }),
  status: 201,
  response: Project,
});

export const listTeamProjects = endpoint({
  method: 'GET',
  url: '/teams/:org/:team/projects/',
  id: 'listTeamProjects',
  tag: 'Projects',
  summary: 'List projects of a team',
  access: 'project:read',
  params: teamParams,
  query: z.object(pageQuery),
  response: z.array(Project),
});

export const createTeamProject = endpoint({
  method: 'POST',
  url: '/teams/:org/:team/projects/',
  id: 'createTeamProject',
  tag: 'Projects',
  summary: 'Create a project with a key for a team',
  access: 'project:write',
  params: teamParams,
  body: z
    .object({
      ...newProject,
      default_rules: z.boolean().default(true).describe('Whether to create an alert rule for new issues.'),
    })
    .meta({ id: 'TeamProjectRequest' }),
  status: 201,
  response: Project,
});

export const getProject = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/',
  id: 'getProject',
  tag: 'Projects',
  summary: 'Get a project',
  access: 'project:read',
  params: projectParams,
  response: Project,
});

export const updateProject = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/',
  id: 'updateProject',
  tag: 'Projects',
  summary: 'Update a project; omitted fields stay',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      name: z.string().trim().min(1, invalid.empty).max(64).optional(),
      slug: z.string().max(64).optional(),
      platform: z.string().max(64).nullish(),
      settings: ProjectSettingsUpdate.optional(),
      groupingConfig: z.string().max(100).optional().describe('Another version; issues of the previous one are kept.'),
      fingerprintingRules: z.string().max(65_536).optional().describe('Rejected with the position of errors.'),
      groupingEnhancements: z.string().max(65_536).optional().describe('Rejected with the position of errors.'),
    })
    .meta({ id: 'ProjectUpdate' }),
  response: Project,
});

export const deleteProject = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/',
  id: 'deleteProject',
  tag: 'Projects',
  summary: 'Delete a project with its issues, events and keys',
  access: 'project:admin',
  params: projectParams,
  status: 204,
});

const RateLimit = z.object({
  window: z.int().min(1).max(86_400).describe('Seconds.'),
  count: z.int().min(1).max(1_000_000_000).describe('Items accepted per window.'),
});

const BlobBytesPerDay = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('Bytes of attachments, replays, profiles and other large payloads per UTC day, decompressed.');

export const ProjectKey = z
  .object({
    id: z.string(),
    name: z.string(),
    label: z.string(),
    public: z.string(),
    projectId: z.int(),
    isActive: z.boolean(),
    rateLimit: RateLimit.nullable(),
    blobBytesPerDay: BlobBytesPerDay.nullable(),
    dsn: z.object({
      public: z.string(),
      security: z.string().describe('Address for CSP reports.'),
      aliases: z.array(z.string()).describe('The same with the IDs that the project had in other trackers.'),
    }),
    dateCreated: dateTime(),
  })
  .meta({ id: 'ProjectKey' });

const keyParams = projectParams.extend({ id: z.string().max(64).describe('ID of the key, or its public part.') });

export const listKeys = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/keys/',
  id: 'listKeys',
  tag: 'Project keys',
  summary: 'Keys (DSNs) of a project',
  access: 'project:read',
  params: projectParams,
  response: z.array(ProjectKey),
});

export const getKey = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/keys/:id/',
  id: 'getKey',
  tag: 'Project keys',
  summary: 'Get a key',
  access: 'project:read',
  params: keyParams,
  response: ProjectKey,
});

export const listOrganizationKeys = endpoint({
  method: 'GET',
  url: '/organizations/:org/project-keys/',
  id: 'listOrganizationKeys',
  tag: 'Project keys',
  summary: 'List keys (DSNs) of all projects',
  description: 'By project and key.',
  access: 'project:read',
  params: orgParams,
  query: z.object({
    ...pageQuery,
    team: z.string().max(64).optional().describe('Slug or ID: keys of its projects.'),
    status: z.enum(['active', 'inactive']).optional(),
  }),
  response: z.array(ProjectKey),
});

export const createKey = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/keys/',
  id: 'createKey',
  tag: 'Project keys',
  summary: 'Make a key',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      name: z.string().trim().max(64).optional(),
      rateLimit: RateLimit.nullish(),
      blobBytesPerDay: BlobBytesPerDay.nullable().optional().describe('null: no limit; default: 2 GiB.'),
    })
    .meta({ id: 'ProjectKeyRequest' }),
  status: 201,
  response: ProjectKey,
});

export const updateKey = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/keys/:id/',
  id: 'updateKey',
  tag: 'Project keys',
  summary: 'Rename, limit, enable or disable a key',
  access: 'project:write',
  params: keyParams,
  body: z
    .object({
      name: z.string().trim().min(1, invalid.empty).max(64).optional(),
      isActive: z.boolean().optional(),
      rateLimit: RateLimit.nullish().describe('null removes the limit.'),
      blobBytesPerDay: BlobBytesPerDay.nullable().optional().describe('null removes the limit.'),
    })
    .meta({ id: 'ProjectKeyUpdate' }),
  response: ProjectKey,
});

export const deleteKey = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/keys/:id/',
  id: 'deleteKey',
  tag: 'Project keys',
  summary: 'Delete a key; its data is then rejected',
  access: 'project:admin',
  params: keyParams,
  status: 204,
});

const alias = z
  .string()
  .regex(/^\d{1,19}$/, invalid.projectId)
  .describe('The ID of the project in another tracker.');

export const ProjectAlias = z.object({ alias }).meta({ id: 'ProjectAlias' });

export const listProjectAliases = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/aliases/',
  id: 'listProjectAliases',
  tag: 'Project keys',
  summary: 'IDs that DSNs of the project can have besides its own',
  access: 'project:read',
  params: projectParams,
  response: z.array(ProjectAlias),
});

export const addProjectAlias = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/aliases/',
  id: 'addProjectAlias',
  tag: 'Project keys',
  summary: 'Add the ID that a project had in another tracker',
  description: 'Only the key decides which project an event belongs to, so several projects can have the same ID.',
  access: 'project:write',
  params: projectParams,
  body: z.object({ alias }).meta({ id: 'ProjectAliasRequest' }),
  status: 201,
  response: ProjectAlias,
});

export const deleteProjectAlias = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/aliases/:alias/',
  id: 'deleteProjectAlias',
  tag: 'Project keys',
  summary: 'Remove such an ID; DSNs with it are then rejected',
  access: 'project:admin',
  params: projectParams.extend({ alias }),
  status: 204,
});
