/** Changes of any number of issues, deleting, share links, and what is discarded. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { changeFields, Undo } from './change-schemas.ts';
import { bulkQuery, issueParams, orgIssueParams } from './contract.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';

const BulkChange = z
  .object({ ...changeFields, delete: z.literal(true).optional().describe('Not combined with other changes.') })
  .meta({ id: 'BulkChange' });

export const bulkState = z
  .enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'])
  .describe('Deleting waits half a minute and can be undone until then.');

export const Bulk = z
  .object({
    id: z.string(),
    state: bulkState,
    total: z.int().describe('Issues that the search matched at the start.'),
    done: z.int().describe('Processed issues; counts down during an undo.'),
    changed: z.int().describe('Changed issues.'),
    failed: z.int(),
    detail: z.string().describe('What failed, as text.'),
    undoableUntil: dateTime('null if it cannot be undone.').nullable(),
    change: BulkChange,
    dateCreated: dateTime(),
  })
  .meta({ id: 'Bulk' });

const BulkRequest = z
  .object({
    query: z.string().max(4096).optional().describe('The search; default `is:unresolved`; empty for all.'),
    project: z.array(z.string().max(200)).max(100).default([]).describe('IDs or slugs; default: all.'),
    environment: z.array(z.string().max(200)).max(100).default([]),
    statsPeriod: z.string().max(20).optional(),
    start: z.string().max(40).optional(),
    end: z.string().max(40).optional(),
    ids: z
      .array(z.string().max(100))
      .min(1)
      .max(1000)
      .optional()
      .describe('Issues by ID or short ID, instead of a search.'),
    change: BulkChange,
  })
  .meta({ id: 'BulkRequest' });

export const startBulk = endpoint({
  method: 'POST',
  url: '/organizations/:org/issues/bulk/',
  id: 'startBulk',
  tag: 'Issues',
  summary: 'Change all issues of a search',
  description:
    'Changes the issues that match now, at most 100,000, in the background. The live stream reports the progress.',
  access: 'event:write',
  params: orgParams,
  body: BulkRequest,
  status: 202,
  response: Bulk,
});

export const listBulk = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/bulk/',
  id: 'listBulk',
  tag: 'Issues',
  summary: 'List your changes of the last day, newest first',
  access: 'event:write',
  params: orgParams,
  response: z.array(Bulk),
});

const bulkParams = orgParams.extend({ bulk: z.string().regex(/^\d{1,9}$/) });

export const getBulk = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/bulk/:bulk/',
  id: 'getBulk',
  tag: 'Issues',
  summary: 'Get the progress of a change',
  access: 'event:write',
  params: bulkParams,
  response: Bulk,
});

export const undoBulk = endpoint({
  method: 'POST',
  url: '/organizations/:org/issues/bulk/:bulk/undo/',
  id: 'undoBulk',
  tag: 'Issues',
  summary: 'Undo a change within a day',
  description: 'Issues that someone changed since stay unchanged. A change of a few issues is undone immediately.',
  access: 'event:write',
  params: bulkParams,
  status: 202,
  response: Bulk,
});

export const cancelBulk = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/issues/bulk/:bulk/',
  id: 'cancelBulk',
  tag: 'Issues',
  summary: 'Stop a running change; completed parts can be undone',
  access: 'event:write',
  params: bulkParams,
  response: Bulk,
});

const Deleted = z.object({ undo: Undo }).meta({ id: 'IssuesDeleted' });

const deleteRoute = {
  method: 'DELETE',
  tag: 'Issues',
  description:
    'Issues disappear from lists immediately. They and their events are deleted half a minute later, unless you undo it.',
  access: 'event:admin',
  status: 202,
  response: Deleted,
} as const;

export const deleteIssue = endpoint({
  ...deleteRoute,
  url: '/issues/:issue/',
  id: 'deleteIssue',
  summary: 'Delete an issue',
  params: issueParams,
});
export const deleteOrganizationIssue = endpoint({
  ...deleteRoute,
  url: '/organizations/:org/issues/:issue/',
  id: 'deleteOrganizationIssue',
  summary: 'Delete an issue',
  params: orgIssueParams,
});
export const deleteOrganizationIssues = endpoint({
  ...deleteRoute,
  url: '/organizations/:org/issues/',
  id: 'deleteOrganizationIssues',
  summary: 'Delete several issues',
  params: orgParams,
  query: bulkQuery,
});
export const deleteProjectIssues = endpoint({
  ...deleteRoute,
  url: '/projects/:org/:project/issues/',
  id: 'deleteProjectIssues',
  summary: 'Delete several issues of a project',
  params: projectParams,
  query: bulkQuery,
});

export const Tombstone = z
  .object({
    id: z.string(),
    shortId: z.string().describe('Short ID of the issue.'),
    level: z.string(),
    title: z.string(),
    culprit: z.string(),
    type: z.string(),
    metadata: z.record(z.string(), z.string()),
    actor: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .describe('Person who discarded it.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'Tombstone' });

export const listTombstones = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/tombstones/',
  id: 'listTombstones',
  tag: 'Issues',
  summary: 'List discarded issues, whose events are dropped',
  access: 'event:read',
  params: projectParams,
  response: z.array(Tombstone),
});

export const deleteTombstone = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/tombstones/:tombstone/',
  id: 'deleteTombstone',
  tag: 'Issues',
  summary: 'Accept events of a discarded issue again; the next one creates a new issue',
  access: 'event:admin',
  params: projectParams.extend({ tombstone: z.string().regex(/^\d{1,9}$/) }),
});
