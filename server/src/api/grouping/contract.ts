/** How one event is grouped, and what a change of the rules would do to the issues of a project. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { GroupingNodeSchema } from '../issues/parts-contract.ts';
import { IssueRef } from '../merge/contract.ts';
import { projectParams, rangeQuery } from '../shared/schemas.ts';

const GroupingVariant = z
  .object({
    key: z.string().describe('app, system, custom-fingerprint, message, csp, checksum, …'),
    hash: z.string().nullable().describe('32 hex digits; null if there is none.'),
    contributes: z.boolean(),
    primary: z.boolean().describe('True for the first hash to look up.'),
    component: GroupingNodeSchema,
  })
  .meta({ id: 'GroupingVariant' });

const MatchedRule = z
  .object({
    kind: z.enum(['fingerprint', 'stackTrace', 'built-in']),
    text: z.string().describe('The rule as written.'),
    line: z.int().nullable().describe('Line of the rules, from 1; null for built-in rules.'),
  })
  .meta({ id: 'MatchedGroupingRule' });

const GroupingInfo = z
  .object({
    eventId: z.string(),
    version: z.string().describe('Algorithm version of the project.'),
    basis: z.string().describe('Source of the grouping: exception, stacktrace, message, csp, fingerprint, fallback, …'),
    hashes: z.array(z.string()).describe('Hashes with current rules, best first.'),
    fingerprint: z.array(z.string()).nullable().describe('With variables filled in; null for the default.'),
    variants: z.array(GroupingVariant),
    rules: z.array(MatchedRule),
    stored: z
      .object({
        version: z.string(),
        hashes: z.array(z.string()),
        same: z.boolean().describe('Whether current rules give the same hash.'),
      })
      .describe('Grouping on arrival.'),
  })
  .meta({ id: 'GroupingInfo' });

export const getGroupingInfo = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/grouping-info/',
  id: 'getGroupingInfo',
  tag: 'Grouping',
  summary: 'Explain the grouping of an event',
  description: 'Computed from the stored event with the current rules and version of the project.',
  access: 'event:read',
  params: projectParams.extend({ event: z.string().max(64).describe('Event ID.') }),
  response: GroupingInfo,
});

const rules = (what: string) => z.string().max(65_536).optional().describe(`${what} Default: as saved.`);

const previewBody = z
  .object({
    fingerprintingRules: rules('Fingerprint rules, one per line.'),
    groupingEnhancements: rules('Stack-trace rules, one per line.'),
    groupingConfig: z.string().max(100).optional().describe('Version of the algorithm. Default: as saved.'),
    statsPeriod: rangeQuery.statsPeriod.describe('Age of the events to group; default 7d.'),
  })
  .meta({ id: 'GroupingPreviewRequest' });

export const RuleProblem = z
  .object({
    field: z.enum(['fingerprintingRules', 'groupingEnhancements', 'groupingConfig']),
    line: z.int().describe('From 1.'),
    column: z.int().describe('From 1, in UTF-16 units.'),
    endColumn: z.int().describe('Exclusive end.'),
    message: z.string(),
  })
  .meta({ id: 'GroupingRuleProblem' });

const PreviewResult = z
  .object({
    examined: z.object({
      events: z.int().describe('Number of grouped events.'),
      issues: z.int(),
      sampled: z.boolean().describe('True if only some events were read.'),
    }),
    problems: z.array(RuleProblem).describe('The preview ignores invalid rules.'),
    merges: z.array(
      z.object({
        into: IssueRef.nullable().describe('Issue that would own them; null for a new one.'),
        title: z.string(),
        issues: z
          .array(z.object({ issue: IssueRef, events: z.int() }))
          .describe('Issues that would merge, at most 100.'),
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
              fingerprint: z
                .array(z.string())
                .nullable()
                .describe('Fingerprint from a rule or the client; null if none.'),
              exampleEventId: z.string(),
            }),
          )
          .describe('Largest first, at most 50.'),
      }),
    ),
    unchanged: z.int().describe('Issues without changes.'),
  })
  .describe('`merges` and `splits`: largest first, at most 100 each. Counts stored events.')
  .meta({ id: 'GroupingPreviewResult' });

const Preview = z
  .object({
    id: z.string(),
    status: z.enum(['running', 'done', 'failed']),
    progress: z.number().describe('0 to 1.'),
    detail: z.string().describe('What failed; empty if nothing did.'),
    result: PreviewResult.optional().describe('Set when done.'),
  })
  .meta({ id: 'GroupingPreview' });

const previewParams = projectParams.extend({ preview: z.string().max(64).describe('ID of the preview.') });

export const startGroupingPreview = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/grouping/preview/',
  id: 'startGroupingPreview',
  tag: 'Grouping',
  summary: 'Preview the effect of other rules on the issues of a project',
  description:
    'Groups stored events of the last days again in the background, without changes. Previews are kept for ten minutes.',
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
  summary: 'Get the progress or result of a preview',
  access: 'project:read',
  params: previewParams,
  response: Preview,
});

export const cancelGroupingPreview = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/grouping/preview/:preview/',
  id: 'cancelGroupingPreview',
  tag: 'Grouping',
  summary: 'Cancel a preview',
  access: 'project:read',
  params: previewParams,
  status: 204,
});
