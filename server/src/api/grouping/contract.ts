/** How one event is grouped, and what a change of the rules would do to the issues of a project. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { GroupingNodeSchema } from '../issues/parts-contract.ts';
import { IssueRef } from '../merge/contract.ts';
import { projectParams, rangeQuery } from '../shared/schemas.ts';

const GroupingVariant = z
  .object({
    key: z.string().describe('app, system, custom-fingerprint, message, csp, checksum, …'),
    hash: z.string().nullable().describe('32 hex digits; null where it makes none.'),
    contributes: z.boolean(),
    primary: z.boolean().describe('True for the hash that is looked up first.'),
    component: GroupingNodeSchema,
  })
  .meta({ id: 'GroupingVariant' });

const MatchedRule = z
  .object({
    kind: z.enum(['fingerprint', 'stackTrace', 'built-in']),
    text: z.string().describe('The line as it was written.'),
    line: z.int().nullable().describe('In the text of the rules, counted from 1; null for built-in ones.'),
  })
  .meta({ id: 'MatchedGroupingRule' });

const GroupingInfo = z
  .object({
    eventId: z.string(),
    version: z.string().describe('The version of the algorithm that the project uses.'),
    basis: z.string().describe('What decided: exception, stacktrace, message, csp, fingerprint, fallback, …'),
    hashes: z.array(z.string()).describe('As the event would be grouped now, best first.'),
    fingerprint: z.array(z.string()).nullable().describe('With its variables filled in; null for the default.'),
    variants: z.array(GroupingVariant),
    rules: z.array(MatchedRule),
    stored: z
      .object({
        version: z.string(),
        hashes: z.array(z.string()),
        same: z.boolean().describe('Whether it would be grouped by the same hash now.'),
      })
      .describe('How it was grouped when it came.'),
  })
  .meta({ id: 'GroupingInfo' });

export const getGroupingInfo = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/grouping-info/',
  id: 'getGroupingInfo',
  tag: 'Grouping',
  summary: 'How an event is grouped, and why',
  description: 'Worked out from the stored event with the rules and the version of the project as they are now.',
  access: 'event:read',
  params: projectParams.extend({ event: z.string().max(64).describe('Event id.') }),
  response: GroupingInfo,
});

const rules = (what: string) => z.string().max(65_536).optional().describe(`${what} As saved when left out.`);

const previewBody = z
  .object({
    fingerprintingRules: rules('Fingerprint rules, one a line.'),
    groupingEnhancements: rules('Stack-trace rules, one a line.'),
    groupingConfig: z.string().max(100).optional().describe('Version of the algorithm. As saved when left out.'),
    statsPeriod: rangeQuery.statsPeriod.describe('How far back events are looked at; 7d when left out.'),
  })
  .meta({ id: 'GroupingPreviewRequest' });

export const RuleProblem = z
  .object({
    field: z.enum(['fingerprintingRules', 'groupingEnhancements', 'groupingConfig']),
    line: z.int().describe('Counted from 1.'),
    column: z.int().describe('Counted from 1, in UTF-16 units.'),
    endColumn: z.int().describe('Behind the last one.'),
    message: z.string(),
  })
  .meta({ id: 'GroupingRuleProblem' });

const PreviewResult = z
  .object({
    examined: z.object({
      events: z.int().describe('Events that were grouped anew.'),
      issues: z.int(),
      sampled: z.boolean().describe('True when there were more events than were looked at.'),
    }),
    problems: z.array(RuleProblem).describe('Rules with problems are left out of the preview.'),
    merges: z.array(
      z.object({
        into: IssueRef.nullable().describe('The issue that would have them; null for a new one.'),
        title: z.string(),
        issues: z.array(z.object({ issue: IssueRef, events: z.int() })).describe('All that would be one, at most 100.'),
      }),
    ),
    splits: z.array(
      z.object({
        issue: IssueRef,
        parts: z
          .array(
            z.object({
              title: z.string(),
              events: z.int(),
              fingerprint: z.array(z.string()).nullable().describe('What a rule or the client set; null for none.'),
              exampleEventId: z.string(),
            }),
          )
          .describe('The largest first, at most 50.'),
      }),
    ),
    unchanged: z.int().describe('Issues whose events stay as they are.'),
  })
  .describe('`merges` and `splits` have the largest first, at most 100 each. Events are stored ones.')
  .meta({ id: 'GroupingPreviewResult' });

const Preview = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done', 'failed']),
    progress: z.number().describe('0 to 1.'),
    detail: z.string().describe('What went wrong; empty for nothing.'),
    result: PreviewResult.optional().describe('Once it is done.'),
  })
  .meta({ id: 'GroupingPreview' });

const previewParams = projectParams.extend({ preview: z.string().max(64).describe('Id of the preview.') });

export const startGroupingPreview = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/grouping/preview/',
  id: 'startGroupingPreview',
  tag: 'Grouping',
  summary: 'See what other rules would do to the issues of a project',
  description:
    'Groups stored events of the last days anew, in the background; nothing is saved or changed. Previews are kept for ten minutes.',
  access: 'project:read',
  params: projectParams,
  body: previewBody,
  status: 202,
  response: Preview,
});

export const getGroupingPreview = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/grouping/preview/:preview/',
  id: 'getGroupingPreview',
  tag: 'Grouping',
  summary: 'How far a preview is, and what it found',
  access: 'project:read',
  params: previewParams,
  response: Preview,
});

export const cancelGroupingPreview = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/grouping/preview/:preview/',
  id: 'cancelGroupingPreview',
  tag: 'Grouping',
  summary: 'Break a preview off',
  access: 'project:read',
  params: previewParams,
  status: 204,
});
