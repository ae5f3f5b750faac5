/** Near misses of an issue: what could be the same bug. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { IssueRef } from './contract.ts';
import { CountInterval, dateTime } from '../shared/schemas.ts';

const SimilarIssue = z
  .object({
    issue: IssueRef.extend({
      level: z.string(),
      status: z.enum(['unresolved', 'resolved', 'ignored']),
      culprit: z.string(),
      count: z.int().describe('All-time number of events.'),
      estimated: CountInterval,
      lastSeen: dateTime(),
    }),
    score: z.number().describe('Similarity, 0 to 1.'),
    why: z.enum(['frames', 'message']).describe('The largest common part.'),
    differing: z
      .array(
        z.object({
          kind: z.enum(['frame', 'type', 'message']),
          here: z.string().nullable().describe('null if only the other issue has it.'),
          there: z.string().nullable(),
        }),
      )
      .describe('Differences, the throwing frame first; at most 20.'),
  })
  .meta({ id: 'SimilarIssue' });

const similarRoute = {
  method: 'GET',
  tag: 'Grouping',
  summary: 'List similar issues of the same project',
  description: 'Most similar first, at most 10, without those marked as different.',
  access: 'event:read',
  response: z.array(SimilarIssue),
} as const;

export const listSimilarIssues = endpoint({
  ...similarRoute,
  url: '/issues/:issue/similar/',
  id: 'listSimilarIssues',
  params: issueParams,
});
export const listOrganizationSimilarIssues = endpoint({
  ...similarRoute,
  url: '/organizations/:org/issues/:issue/similar/',
  id: 'listOrganizationSimilarIssues',
  params: orgIssueParams,
});

const other = { other: z.string().max(100).describe('ID or short ID of the other issue.') };
const dismissRoute = {
  method: 'POST',
  tag: 'Grouping',
  summary: 'Mark two issues as different',
  description: 'Neither is suggested for the other again.',
  access: 'event:write',
  status: 204,
} as const;
const undismissRoute = {
  ...dismissRoute,
  method: 'DELETE',
  summary: 'Undo marking two issues as different',
  description: 'They can be suggested again.',
} as const;

export const dismissSimilarIssue = endpoint({
  ...dismissRoute,
  url: '/issues/:issue/similar/:other/dismissal/',
  id: 'dismissSimilarIssue',
  params: issueParams.extend(other),
});
export const dismissOrganizationSimilarIssue = endpoint({
  ...dismissRoute,
  url: '/organizations/:org/issues/:issue/similar/:other/dismissal/',
  id: 'dismissOrganizationSimilarIssue',
  params: orgIssueParams.extend(other),
});
export const restoreSimilarIssue = endpoint({
  ...undismissRoute,
  url: '/issues/:issue/similar/:other/dismissal/',
  id: 'restoreSimilarIssue',
  params: issueParams.extend(other),
});
export const restoreOrganizationSimilarIssue = endpoint({
  ...undismissRoute,
  url: '/organizations/:org/issues/:issue/similar/:other/dismissal/',
  id: 'restoreOrganizationSimilarIssue',
  params: orgIssueParams.extend(other),
});
