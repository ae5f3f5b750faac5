/** Repositories, and where the files of stack frames lie in them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, repeatable, webAddress } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const readers = ['project:read', 'project:releases', 'org:read'] as const;

const Provider = z.object({
  id: z.string().describe('integrations:github, integrations:gitlab, integrations:bitbucket, or git for others.'),
  name: z.string(),
});

export const CommitRepository = z
  .object({ id: z.string(), name: z.string(), url: z.string().nullable(), provider: Provider })
  .meta({ id: 'CommitRepository' });

export const Repository = CommitRepository.extend({
  externalSlug: z.string(),
  status: z.literal('active'),
  dateCreated: dateTime(),
  defaultBranch: z.string().nullable(),
  linkTemplate: z
    .string()
    .nullable()
    .describe("Address of a source line, with {path}, {line} and {commit}; null: the provider's default."),
  configured: z.boolean().describe('False if only commits name it.'),
}).meta({ id: 'Repository' });

export const listRepositories = endpoint({
  method: 'GET',
  url: '/organizations/:org/repos/',
  id: 'listRepositories',
  tag: 'Repositories',
  summary: 'List repositories of an organisation',
  description: 'Configured repositories; `all=1` adds those that only commits name.',
  access: readers,
  params: orgParams,
  query: z.object({
    all: z.enum(['0', '1']).optional(),
    query: z.string().max(200).optional(),
    per_page: z.coerce.number().int().min(1).max(100).optional(),
    ...pageQuery,
  }),
  response: z.array(Repository),
});

const template = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => /^https?:\/\/[^/\s{]/i.test(text) && text.includes('{path}'), invalid.template);

const repositoryFields = {
  name: z.string().trim().min(1, invalid.empty).max(200).describe('Name as in git remotes: acme/shop.'),
  provider: z.enum(['github', 'gitlab', 'bitbucket', 'other']),
  url: webAddress,
  linkTemplate: template.nullish(),
  defaultBranch: z.string().trim().max(200).nullish(),
};

export const createRepository = endpoint({
  method: 'POST',
  url: '/organizations/:org/repos/',
  id: 'createRepository',
  tag: 'Repositories',
  summary: 'Add a repository',
  description: 'Default name and provider: from the address.',
  access: 'project:write',
  params: orgParams,
  body: z
    .object({
      ...repositoryFields,
      name: repositoryFields.name.optional(),
      provider: repositoryFields.provider.optional(),
    })
    .meta({ id: 'RepositoryRequest' }),
  status: 201,
  response: Repository,
});

const idParams = orgParams.extend({ id: z.string().max(20) });

export const updateRepository = endpoint({
  method: 'PUT',
  url: '/organizations/:org/repos/:id/',
  id: 'updateRepository',
  tag: 'Repositories',
  summary: 'Update a repository; omitted fields stay',
  access: 'project:write',
  params: idParams,
  body: z.object(repositoryFields).partial().meta({ id: 'RepositoryUpdate' }),
  response: Repository,
});

export const deleteRepository = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/repos/:id/',
  id: 'deleteRepository',
  tag: 'Repositories',
  summary: 'Delete a repository with its code mappings and commits',
  access: 'project:write',
  params: idParams,
  status: 204,
});

export const CodeMapping = z
  .object({
    id: z.string(),
    projectId: z.string(),
    projectSlug: z.string(),
    repoId: z.string(),
    repoName: z.string(),
    provider: Provider,
    stackRoot: z.string().describe('Prefix of frame paths.'),
    sourceRoot: z.string().describe('Replacement in the repository.'),
    defaultBranch: z.string().nullable().describe("null: the repository's default."),
  })
  .meta({ id: 'CodeMapping' });

export const listCodeMappings = endpoint({
  method: 'GET',
  url: '/organizations/:org/code-mappings/',
  id: 'listCodeMappings',
  tag: 'Repositories',
  summary: 'List code mappings from frame files to repositories',
  access: readers,
  params: orgParams,
  query: z.object({ project: repeatable('IDs or slugs of projects.'), ...pageQuery }),
  response: z.array(CodeMapping),
});

const root = z.string().max(1_000);
const mappingFields = {
  repoId: z.string().max(20),
  stackRoot: root,
  sourceRoot: root,
  defaultBranch: z.string().trim().max(200).nullish(),
};

export const createCodeMapping = endpoint({
  method: 'POST',
  url: '/organizations/:org/code-mappings/',
  id: 'createCodeMapping',
  tag: 'Repositories',
  summary: 'Create a code mapping',
  access: 'project:write',
  params: orgParams,
  body: z
    .object({ project: z.string().max(200).describe('ID or slug.'), ...mappingFields })
    .meta({ id: 'CodeMappingRequest' }),
  status: 201,
  response: CodeMapping,
});

export const updateCodeMapping = endpoint({
  method: 'PUT',
  url: '/organizations/:org/code-mappings/:id/',
  id: 'updateCodeMapping',
  tag: 'Repositories',
  summary: 'Update a code mapping; omitted fields stay',
  access: 'project:write',
  params: idParams,
  body: z.object(mappingFields).partial().meta({ id: 'CodeMappingUpdate' }),
  response: CodeMapping,
});

export const deleteCodeMapping = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/code-mappings/:id/',
  id: 'deleteCodeMapping',
  tag: 'Repositories',
  summary: 'Delete a code mapping',
  access: 'project:write',
  params: idParams,
  status: 204,
});

const mostMappings = 300;

/** Sentry's MCP server and its CLI spell the same fields differently. */
const NewMapping = z.union([
  z.object({ stackRoot: root, sourceRoot: root }),
  z
    .object({ stack_root: root, source_root: root })
    .transform((one) => ({ stackRoot: one.stack_root, sourceRoot: one.source_root })),
]);

export const setCodeMappings = endpoint({
  method: 'POST',
  url: '/organizations/:org/code-mappings/bulk/',
  id: 'setCodeMappings',
  tag: 'Repositories',
  summary: 'Create or update several code mappings of a project',
  description:
    "Each stack root of the project has one mapping afterwards. The repository must exist. For Sentry's clients.",
  // sentry-cli's successor uploads them with a token for builds.
  access: ['project:write', 'org:ci'],
  params: orgParams,
  body: z
    .object({
      project: z.string().max(200).describe('ID or slug.'),
      repository: z.string().max(200).describe('Name of the repository: acme/shop.'),
      provider: z.string().max(100).nullish().describe('github, gitlab or bitbucket, if several have the name.'),
      defaultBranch: z.string().trim().max(200).nullish(),
      default_branch: z.string().trim().max(200).nullish().describe('The same.'),
      mappings: z.array(NewMapping).min(1, invalid.empty).max(mostMappings),
    })
    .meta({ id: 'CodeMappingsRequest' }),
  response: z.object({
    created: z.int(),
    updated: z.int(),
    errors: z.int(),
    mappings: z.array(
      z.object({ stackRoot: z.string(), sourceRoot: z.string(), status: z.enum(['created', 'updated']) }),
    ),
  }),
});

const text = z.string().max(2_000).optional();

export const getStacktraceLink = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/stacktrace-link/',
  id: 'getStacktraceLink',
  tag: 'Repositories',
  summary: 'Find the line of a stack frame in the repository',
  description: 'By the code mappings of the project. `error` says why there is no `sourceUrl`.',
  access: [...readers, 'event:read'],
  params: orgParams.extend({ project: z.string().max(200) }),
  query: z.object({
    file: z.string().max(2_000).describe('File of the frame.'),
    absPath: text,
    module: text.describe('Class of a Java frame.'),
    lineNo: z.coerce.number().int().min(1).optional(),
    commitId: z.string().max(100).optional().describe('Commit or branch of the link; else the default branch.'),
    platform: text,
    package: text,
    groupId: text,
    sdkName: text,
  }),
  response: z
    .object({
      config: CodeMapping.nullable(),
      sourcePath: z.string().nullable(),
      sourceUrl: z.string().nullable(),
      error: z.enum(['no_code_mappings', 'stack_root_mismatch', 'no_repository_address']).nullable(),
      integrations: z.array(z.unknown()).describe('Always empty.'),
    })
    .meta({ id: 'StacktraceLink' }),
});

const MappingSuggestion = z
  .object({
    repoId: z.string(),
    repoName: z.string(),
    stackRoot: z.string(),
    sourceRoot: z.string(),
    frame: z.string().describe('A frame path that it matches.'),
    file: z.string().describe('The matching file in the repository.'),
    frames: z.int().describe('Number of paths in recent events that it matches.'),
  })
  .meta({ id: 'CodeMappingSuggestion' });

export const suggestCodeMappings = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/code-mapping-suggestions/',
  id: 'suggestCodeMappings',
  tag: 'Repositories',
  summary: 'Suggest code mappings for recent events and files of known commits',
  access: readers,
  params: orgParams.extend({ project: z.string().max(200) }),
  response: z.array(MappingSuggestion).describe('Most matches first, at most five.'),
});
