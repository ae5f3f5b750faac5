/** Rules that say whose an issue is. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams } from '../issues/contract.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';

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
    line: z.int().describe('Counted from 1.'),
    column: z.int().describe('Counted from 1, in UTF-16 units.'),
    endColumn: z.int().describe('Behind the last one.'),
    message: z.string(),
  })
  .meta({ id: 'OwnershipProblem' });

const autoAssignment = z
  .enum(['Auto Assign to Issue Owner', 'Auto Assign to Suspect Commits', 'Turn off Auto-Assignment'])
  .describe('Who a new issue goes to by itself.');

const raw = z.string().max(65_536, 'must have at most 65536 characters').describe('One rule a line.');
const codeownersRaw = z.string().max(1_048_576, 'must have at most 1 MB');

const Codeowners = z
  .object({
    id: z.string(),
    raw: z.string(),
    repositoryId: z.string().nullable().describe('Whose paths it has; null for any repository.'),
    repositoryName: z.string().nullable(),
    names: z
      .record(z.string(), z.string())
      .describe('Who a name of the file is here, `user:ID` or `team:ID`, where the name alone does not say.'),
    rules: z.int(),
    unknown: z.array(z.string()).describe('Names of the file that nobody here has.'),
    problems: z.array(RuleProblem),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
  })
  .meta({ id: 'Codeowners' });

const Ownership = z
  .object({
    raw,
    autoAssignment,
    fallthrough: z.boolean().describe("False always; Sentry's clients read it."),
    isActive: z.boolean(),
    problems: z.array(RuleProblem).describe('Owners that are gone, for one.'),
    codeowners: z.array(Codeowners),
    lastUpdated: dateTime().nullable(),
  })
  .meta({ id: 'Ownership' });

export const getOwnership = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/ownership/',
  id: 'getOwnership',
  tag: 'Ownership',
  summary: 'Rules of ownership of a project',
  access: readers,
  params: projectParams,
  response: Ownership,
});

export const updateOwnership = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/ownership/',
  id: 'updateOwnership',
  tag: 'Ownership',
  summary: 'Change the rules; what is left out stays',
  description:
    'A line is a matcher and owners: `path:src/payments/* #payments`, `url:https://example.com/checkout* jane@example.com`, `tags.area:billing`, `module:`, `codeowners:/docs/`. The last line that matches decides. What cannot be read is refused with its lines: RULES_INVALID.',
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
  unknown: z.array(z.string()).describe('Owners that nobody here is.'),
  why: z.string().describe('What of the event it matched, such as the path of a frame.'),
  decides: z.boolean().describe('Whether it is the one that decides.'),
});

export const testOwnership = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/ownership/test/',
  id: 'testOwnership',
  tag: 'Ownership',
  summary: 'Which rules match an issue, and why',
  access: readers,
  params: projectParams,
  body: z
    .object({
      issue: z.string().trim().min(1).max(100).describe('Id or short id.'),
      raw: raw.optional().describe('Rules to try; those that are saved when left out.'),
    })
    .meta({ id: 'OwnershipTest' }),
  response: z
    .object({
      issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }),
      rules: z.array(MatchedRule).describe('Those that match, the one that decides first.'),
      assignee: Owner.nullable().describe('Who it would be assigned to.'),
      paths: z.array(z.string()).describe('Paths of frames that rules were held against.'),
      url: z.string().nullable(),
    })
    .meta({ id: 'OwnershipTested' }),
});

export const previewOwnership = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/ownership/preview/',
  id: 'previewOwnership',
  tag: 'Ownership',
  summary: 'Who the latest issues would go to',
  access: readers,
  params: projectParams,
  body: z
    .object({
      raw: raw.optional().describe('Rules to try; those that are saved when left out.'),
      limit: z.int().min(0).max(40).default(40).describe('Issues to look at; 0 for the problems alone.'),
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
      unowned: z.int().describe('Of them, issues that no rule gives to anybody.'),
    })
    .describe('The issues seen last.')
    .meta({ id: 'OwnershipPreview' }),
});

export const listCodeowners = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/codeowners/',
  id: 'listCodeowners',
  tag: 'Ownership',
  summary: 'CODEOWNERS files of a project',
  access: readers,
  params: projectParams,
  response: z.array(Codeowners),
});

const codeownersFields = {
  raw: codeownersRaw,
  repositoryId: z.string().max(20).nullable(),
  names: z
    .record(z.string().max(300), z.string().max(80))
    .refine((names) => Object.keys(names).length <= 500, 'must have at most 500 names'),
};

const codeownersLimit = 1_200_000;

export const createCodeowners = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/codeowners/',
  id: 'createCodeowners',
  tag: 'Ownership',
  summary: 'Add a CODEOWNERS file',
  description: 'As GitHub and GitLab read it, with sections. Where a rule of the project matches, it wins.',
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
  summary: 'Change a CODEOWNERS file, or say who its names are; what is left out stays',
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
  text: z.string().describe('The rule as written, or the first line of the commit.'),
  line: z.int().nullable().describe('Of the rule.'),
  why: z.string().describe('What it matched: a path, an address, a tag; the file that the commit touched.'),
  commit: z.string().nullable().describe('Its id.'),
});

export const listOwners = endpoint({
  method: 'GET',
  url: '/issues/:issue/owners/',
  id: 'listOwners',
  tag: 'Ownership',
  summary: 'Whom an issue could be assigned to, and why',
  access: 'event:read',
  params: issueParams,
  response: z
    .object({
      owners: z
        .array(Owner.extend({ reasons: z.array(Reason) }))
        .describe('By rules first, the one that decides before others; then by suspect commits.'),
    })
    .meta({ id: 'SuggestedOwners' }),
});
