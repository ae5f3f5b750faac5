/** Rules that say whose an issue is. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams } from '../issues/contract.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const readers = ['project:read', 'event:read'] as const;

export const Owner = z
  .object({
    type: z.enum(['user', 'team']),
    id: z.string(),
    name: z.string(),
    email: z.string().optional().describe('Of a user.'),
    slug: z.string().optional().describe('Of a team.'),
  })
  .meta({ id: 'Owner' });

const RuleProblem = z
  .object({
    line: z.int().describe('From 1.'),
    column: z.int().describe('From 1, in UTF-16 units.'),
    endColumn: z.int().describe('Exclusive end.'),
    message: z.string(),
  })
  .meta({ id: 'OwnershipProblem' });

const autoAssignment = z
  .enum(['Auto Assign to Issue Owner', 'Auto Assign to Suspect Commits', 'Turn off Auto-Assignment'])
  .describe('Default assignee of new issues.');

const raw = z.string().max(65_536, invalid.atMost(65_536)).describe('One rule per line.');
const codeownersRaw = z.string().max(1_048_576, invalid.size('1 MB'));

const Codeowners = z
  .object({
    id: z.string(),
    raw: z.string(),
    repositoryId: z.string().nullable().describe('Repository of the paths; null for any.'),
    repositoryName: z.string().nullable(),
    names: z.record(z.string(), z.string()).describe('Mapping of names in the file to `user:ID` or `team:ID`.'),
    rules: z.int(),
    unknown: z.array(z.string()).describe('Names in the file without a member or team.'),
    problems: z.array(RuleProblem),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
  })
  .meta({ id: 'Codeowners' });

const Ownership = z
  .object({
    raw,
    autoAssignment,
    fallthrough: z.boolean().describe("Always false; Sentry's clients expect it."),
    isActive: z.boolean(),
    problems: z.array(RuleProblem).describe('Problems such as deleted owners.'),
    codeowners: z.array(Codeowners),
    lastUpdated: dateTime().nullable(),
  })
  .meta({ id: 'Ownership' });

export const getOwnership = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/ownership/',
  id: 'getOwnership',
  tag: 'Ownership',
  summary: 'Get ownership rules of a project',
  access: readers,
  params: projectParams,
  response: Ownership,
});

export const updateOwnership = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/ownership/',
  id: 'updateOwnership',
  tag: 'Ownership',
  summary: 'Update ownership rules; omitted fields stay',
  description:
    'A line is a matcher with owners: `path:src/payments/* #payments`, `url:https://example.com/checkout* jane@example.com`, `tags.area:billing`, `module:`, `codeowners:/docs/`. The last matching line decides. Invalid lines are rejected: RULES_INVALID.',
  access: 'project:write',
  params: projectParams,
  body: z.object({ raw, autoAssignment }).partial().meta({ id: 'OwnershipUpdate' }),
  response: Ownership,
});

const MatchedRule = z.object({
  source: z.enum(['rule', 'codeowners']),
  line: z.int(),
  text: z.string(),
  owners: z.array(Owner),
  unknown: z.array(z.string()).describe('Owners without a member or team.'),
  why: z.string().describe('Matched part of the event, such as the path of a frame.'),
  decides: z.boolean().describe('Whether this rule decides.'),
});

export const testOwnership = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/ownership/test/',
  id: 'testOwnership',
  tag: 'Ownership',
  summary: 'Explain which rules match an issue',
  access: readers,
  params: projectParams,
  body: z
    .object({
      issue: z.string().trim().min(1).max(100).describe('ID or short ID.'),
      raw: raw.optional().describe('Rules to test; default: the saved ones.'),
    })
    .meta({ id: 'OwnershipTest' }),
  response: z
    .object({
      issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }),
      rules: z.array(MatchedRule).describe('Matching rules, the deciding one first.'),
      assignee: Owner.nullable().describe('The resulting assignee.'),
      paths: z.array(z.string()).describe('Paths of frames that were matched.'),
      url: z.string().nullable(),
    })
    .meta({ id: 'OwnershipTested' }),
});

export const previewOwnership = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/ownership/preview/',
  id: 'previewOwnership',
  tag: 'Ownership',
  summary: 'Preview owners of the latest issues',
  access: readers,
  params: projectParams,
  body: z
    .object({
      raw: raw.optional().describe('Rules to test; default: the saved ones.'),
      limit: z.int().min(0).max(40).default(40).describe('Number of issues to test; 0 for problems only.'),
    })
    .meta({ id: 'OwnershipPreviewRequest' }),
  response: z
    .object({
      problems: z.array(RuleProblem),
      issues: z.array(
        z.object({
          id: z.string(),
          shortId: z.string(),
          title: z.string(),
          culprit: z.string(),
          owner: Owner.nullable(),
          source: z.enum(['rule', 'codeowners']).nullable(),
          line: z.int().nullable(),
          text: z.string().nullable(),
          why: z.string().nullable(),
        }),
      ),
      unowned: z.int().describe('Issues without an owner.'),
    })
    .describe('Most recently seen issues.')
    .meta({ id: 'OwnershipPreview' }),
});

export const listCodeowners = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/codeowners/',
  id: 'listCodeowners',
  tag: 'Ownership',
  summary: 'List CODEOWNERS files of a project',
  access: readers,
  params: projectParams,
  response: z.array(Codeowners),
});

const codeownersFields = {
  raw: codeownersRaw,
  repositoryId: z.string().max(20).nullable(),
  names: z
    .record(z.string().max(300), z.string().max(80))
    .refine((names) => Object.keys(names).length <= 500, invalid.fewer(500, 'names')),
};

const codeownersLimit = 1_200_000;

export const createCodeowners = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/codeowners/',
  id: 'createCodeowners',
  tag: 'Ownership',
  summary: 'Add a CODEOWNERS file',
  description: 'Read like GitHub and GitLab, with sections. Project rules take precedence.',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      raw: codeownersFields.raw,
      repositoryId: codeownersFields.repositoryId.optional(),
      names: codeownersFields.names.optional(),
    })
    .meta({ id: 'CodeownersRequest' }),
  bodyLimit: codeownersLimit,
  status: 201,
  response: Codeowners,
});

const codeownersParams = projectParams.extend({ id: z.string().max(20) });

export const updateCodeowners = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/codeowners/:id/',
  id: 'updateCodeowners',
  tag: 'Ownership',
  summary: 'Update a CODEOWNERS file or map its names; omitted fields stay',
  access: 'project:write',
  params: codeownersParams,
  body: z.object(codeownersFields).partial().meta({ id: 'CodeownersUpdate' }),
  bodyLimit: codeownersLimit,
  response: Codeowners,
});

export const deleteCodeowners = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/codeowners/:id/',
  id: 'deleteCodeowners',
  tag: 'Ownership',
  summary: 'Delete a CODEOWNERS file',
  access: 'project:write',
  params: codeownersParams,
  status: 204,
});

const Reason = z.object({
  kind: z.enum(['rule', 'codeowners', 'commit']),
  text: z.string().describe('The rule as written, or the first line of the commit message.'),
  line: z.int().nullable().describe('Line of the rule.'),
  why: z.string().describe('Matched part: a path, an address, a tag, or the file of the commit.'),
  commit: z.string().nullable().describe('ID of the commit.'),
});

export const listOwners = endpoint({
  method: 'GET',
  url: '/issues/:issue/owners/',
  id: 'listOwners',
  tag: 'Ownership',
  summary: 'List possible assignees of an issue with reasons',
  access: 'event:read',
  params: issueParams,
  response: z
    .object({
      owners: z
        .array(Owner.extend({ reasons: z.array(Reason) }))
        .describe('From rules first, the deciding one before others; then from suspect commits.'),
    })
    .meta({ id: 'SuggestedOwners' }),
});
