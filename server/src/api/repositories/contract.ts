/** Repositories, and where the files of stack frames lie in them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, repeatable, webAddress } from '../shared/schemas.ts';

const readers = ['project:read', 'project:releases', 'org:read'] as const;

const Provider = z.object({
  id: z.string().describe('integrations:github, integrations:gitlab, integrations:bitbucket, or git for another.'),
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
    .describe("Of a source line, with {path}, {line} and {commit}; null: the provider's own."),
  configured: z.boolean().describe('False for one that is only named by commits.'),
}).meta({ id: 'Repository' });

export const listRepositories = endpoint({
  method: 'GET',
  url: '/organizations/:org/repos/',
  id: 'listRepositories',
  tag: 'Repositories',
  summary: 'Repositories of an organisation',
  description: 'Those that were set up; `all=1` for those that commits only named, too.',
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
  .refine(
    (text) => /^https?:\/\/[^/\s{]/i.test(text) && text.includes('{path}'),
    'must be an address with {path} in it, and may have {line} and {commit}',
  );

const repositoryFields = {
  name: z.string().trim().min(1, 'must not be empty').max(200).describe('As git remotes name it: acme/shop.'),
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
  summary: 'Set up a repository',
  description: 'Name and provider are read from the address when left out.',
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
  summary: 'Change a repository; what is left out stays',
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
    stackRoot: z.string().describe('How paths of frames begin.'),
    sourceRoot: z.string().describe('What stands in the repository instead.'),
    defaultBranch: z.string().nullable().describe("Null: the repository's."),
  })
  .meta({ id: 'CodeMapping' });

export const listCodeMappings = endpoint({
  method: 'GET',
  url: '/organizations/:org/code-mappings/',
  id: 'listCodeMappings',
  tag: 'Repositories',
  summary: 'Code mappings: where the files of frames lie in repositories',
  access: readers,
  params: orgParams,
  query: z.object({ project: repeatable('Ids or slugs of projects.'), ...pageQuery }),
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
  summary: 'Make a code mapping',
  access: 'project:write',
  params: orgParams,
  body: z
    .object({ project: z.string().max(200).describe('Id or slug.'), ...mappingFields })
    .meta({ id: 'CodeMappingRequest' }),
  status: 201,
  response: CodeMapping,
});

export const updateCodeMapping = endpoint({
  method: 'PUT',
  url: '/organizations/:org/code-mappings/:id/',
  id: 'updateCodeMapping',
  tag: 'Repositories',
  summary: 'Change a code mapping; what is left out stays',
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

const MappingSuggestion = z
  .object({
    repoId: z.string(),
    repoName: z.string(),
    stackRoot: z.string(),
    sourceRoot: z.string(),
    frame: z.string().describe('A path of a frame that it is for.'),
    file: z.string().describe('The file of the repository that it leads to.'),
    frames: z.int().describe('Paths of the latest events that it covers.'),
  })
  .meta({ id: 'CodeMappingSuggestion' });

export const suggestCodeMappings = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/code-mapping-suggestions/',
  id: 'suggestCodeMappings',
  tag: 'Repositories',
  summary: 'Code mappings that fit the latest events and the files of known commits',
  access: readers,
  params: orgParams.extend({ project: z.string().max(200) }),
  response: z.array(MappingSuggestion).describe('The one that covers most first, at most five.'),
});
