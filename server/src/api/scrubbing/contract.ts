/** Scrubbing rules of organisations and projects, and what they would change. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';

const tag = 'Scrubbing';

const rules = z.string().max(65_536).describe("Rules in Relay's language, as JSON text; empty: none.");
const removeIpAddresses = z.boolean().describe('Whether no project stores IP addresses.');
const pseudonymizeUsers = z.boolean().describe('Whether all projects store users as pseudonyms.');

const OrganizationScrubbing = z
  .object({ rules, removeIpAddresses, pseudonymizeUsers })
  .meta({ id: 'OrganizationScrubbing' });

export const getOrganizationScrubbing = endpoint({
  method: 'GET',
  url: '/organizations/:org/scrubbing/',
  id: 'getOrganizationScrubbing',
  tag,
  summary: 'Get the scrubbing rules of an organisation',
  access: 'project:write',
  params: orgParams,
  response: OrganizationScrubbing,
});

export const updateOrganizationScrubbing = endpoint({
  method: 'PUT',
  url: '/organizations/:org/scrubbing/',
  id: 'updateOrganizationScrubbing',
  tag,
  summary: 'Set the scrubbing rules of an organisation; omitted fields stay',
  description: 'They apply to new data of all its projects, before the rules of the project.',
  access: 'org:write',
  params: orgParams,
  body: z
    .object({
      rules: rules.optional().describe('Rejected with the position of errors.'),
      removeIpAddresses: removeIpAddresses.optional(),
      pseudonymizeUsers: pseudonymizeUsers.optional(),
    })
    .meta({ id: 'OrganizationScrubbingUpdate' }),
  response: OrganizationScrubbing,
});

const ProjectScrubbing = z
  .object({ rules, organization: OrganizationScrubbing.describe('What applies to the project, too.') })
  .meta({ id: 'ProjectScrubbing' });

export const getProjectScrubbing = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/scrubbing/',
  id: 'getProjectScrubbing',
  tag,
  summary: 'Get the scrubbing rules of a project',
  access: 'project:write',
  params: projectParams,
  response: ProjectScrubbing,
});

export const updateProjectScrubbing = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/scrubbing/',
  id: 'updateProjectScrubbing',
  tag,
  summary: 'Set the scrubbing rules of a project',
  description: 'They apply to new data.',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({ rules: rules.describe('Rejected with the position of errors.') })
    .meta({ id: 'ProjectScrubbingUpdate' }),
  response: ProjectScrubbing,
});

const ScrubbingProblem = z.object({
  line: z.int().describe('From 1.'),
  column: z.int().describe('From 1, in UTF-16 units.'),
  endColumn: z.int().describe('Exclusive end.'),
  message: z.string(),
});

const changes = {
  title: z.string(),
  dateCreated: dateTime(),
  changes: z.array(
    z.object({
      path: z.string(),
      rules: z.array(z.string()),
      before: z.string().describe('As stored, without what earlier rules removed.'),
      after: z.string().nullable().describe('null: removed.'),
    }),
  ),
  more: z.int().describe('Further changes.'),
};

const ScrubbingPreview = z
  .object({
    problems: z.array(ScrubbingProblem).describe('If there are any, nothing was examined.'),
    examined: z.int().describe('Newest stored events of the last 30 days that were examined.'),
    durationMs: z.int().describe('Time that the rules took for them.'),
    events: z.array(z.object({ eventID: z.string(), ...changes })),
    examinedSpans: z.int().describe('Newest stored spans of the last 30 days that were examined.'),
    spans: z.array(z.object({ traceId: z.string(), spanId: z.string(), ...changes })),
    examinedLogs: z.int().describe('Newest stored log records of the last 30 days that were examined.'),
    logs: z.array(z.object(changes)),
    loosened: z
      .array(z.string())
      .describe('Applied rules that the new text omits or changes. Stored events do not get back what these removed.'),
  })
  .meta({ id: 'ScrubbingPreview' });

export const previewScrubbing = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/scrubbing/preview/',
  id: 'previewScrubbing',
  tag,
  summary: 'Try scrubbing rules on the newest stored events, spans and logs; nothing changes',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      rules,
      pseudonymizeUsers: z.boolean().default(false).describe('Whether to try pseudonyms for users, too.'),
      limit: z.int().min(1).max(100).default(25).describe('Events, and as many spans and log records.'),
    })
    .meta({ id: 'ScrubbingPreviewRequest' }),
  response: ScrubbingPreview,
});
