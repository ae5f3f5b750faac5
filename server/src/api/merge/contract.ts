/** Issues put together and taken apart by hand, and the rule that would keep them together. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { CountInterval, dateTime, repeatable } from '../shared/schemas.ts';
import { changes } from '../../base/texts/issues.ts';

export const IssueRef = z
  .object({ id: z.string(), shortId: z.string().describe('Such as WEB-1.'), title: z.string(), permalink: z.string() })
  .meta({ id: 'IssueRef' });

const IssueMerge = z
  .object({
    issue: IssueRef.describe('The merged issue; its address redirects to this one.'),
    mergedAt: dateTime(),
    by: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    hashes: z.int().describe('Hashes that it brought and that are still in this issue.'),
    events: z.int().describe('Events of those hashes.'),
    estimated: CountInterval,
  })
  .meta({ id: 'IssueMerge' });

const mergesRoute = {
  method: 'GET',
  tag: 'Grouping',
  summary: 'List issues merged into an issue',
  description: 'Last merged first, at most 1,000.',
  access: 'event:read',
  response: z.array(IssueMerge),
} as const;

export const listIssueMerges = endpoint({
  ...mergesRoute,
  url: '/issues/:issue/merges/',
  id: 'listIssueMerges',
  params: issueParams,
});
export const listOrganizationIssueMerges = endpoint({
  ...mergesRoute,
  url: '/organizations/:org/issues/:issue/merges/',
  id: 'listOrganizationIssueMerges',
  params: orgIssueParams,
});

const TakenBack = z
  .object({ issues: z.array(IssueRef).describe('Issues that are separate again.') })
  .meta({ id: 'IssueMergesTakenBack' });

const child = { child: z.string().max(100).describe('ID or short ID of the merged issue.') };
const takeBackRoute = {
  method: 'DELETE',
  tag: 'Grouping',
  summary: 'Unmerge an issue',
  description: 'The issue gets its hashes, status and numbers back, including events since the merge.',
  access: 'event:write',
  response: TakenBack,
} as const;

export const takeBackMerge = endpoint({
  ...takeBackRoute,
  url: '/issues/:issue/merges/:child/',
  id: 'takeBackMerge',
  params: issueParams.extend(child),
});
export const takeBackOrganizationMerge = endpoint({
  ...takeBackRoute,
  url: '/organizations/:org/issues/:issue/merges/:child/',
  id: 'takeBackOrganizationMerge',
  params: orgIssueParams.extend(child),
});

const severalQuery = z.object({
  id: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(100)).min(1, changes.idNeeded).max(1000),
    )
    .describe('IDs or short IDs of merged issues.'),
});

export const takeBackMerges = endpoint({
  ...takeBackRoute,
  summary: 'Unmerge several issues',
  url: '/issues/:issue/merges/',
  id: 'takeBackMerges',
  params: issueParams,
  query: severalQuery,
});
export const takeBackOrganizationMerges = endpoint({
  ...takeBackRoute,
  summary: 'Unmerge several issues',
  url: '/organizations/:org/issues/:issue/merges/',
  id: 'takeBackOrganizationMerges',
  params: orgIssueParams,
  query: severalQuery,
});

const moveRoute = {
  method: 'DELETE',
  tag: 'Grouping',
  summary: 'Move hashes of an issue into a new issue',
  description: 'Their events move too. At least one hash with events must stay.',
  access: 'event:write',
  query: z.object({ id: repeatable('Hashes, 32 hex digits each.') }),
  response: z.object({ issue: IssueRef.describe('The new issue.') }).meta({ id: 'HashesMovedOut' }),
} as const;

export const moveOutHashes = endpoint({
  ...moveRoute,
  url: '/issues/:issue/hashes/',
  id: 'moveOutHashes',
  params: issueParams,
});
export const moveOutOrganizationHashes = endpoint({
  ...moveRoute,
  url: '/organizations/:org/issues/:issue/hashes/',
  id: 'moveOutOrganizationHashes',
  params: orgIssueParams,
});

const suggestedRoute = {
  method: 'GET',
  tag: 'Grouping',
  summary: 'Suggest a fingerprint rule that keeps the events of an issue together',
  description:
    "Derived from common parts of the issue's hashes. Offered only if it matches all stored samples and few other issues.",
  access: 'event:read',
  response: z
    .object({
      rule: z.string().nullable().describe("One line of the project's fingerprint rules."),
      why: z.string().describe('Basis of the rule, or why there is none, as text.'),
    })
    .meta({ id: 'SuggestedRule' }),
} as const;

export const getSuggestedRule = endpoint({
  ...suggestedRoute,
  url: '/issues/:issue/suggested-rule/',
  id: 'getSuggestedRule',
  params: issueParams,
});
export const getOrganizationSuggestedRule = endpoint({
  ...suggestedRoute,
  url: '/organizations/:org/issues/:issue/suggested-rule/',
  id: 'getOrganizationSuggestedRule',
  params: orgIssueParams,
});
