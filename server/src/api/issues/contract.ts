/** Issues: lists, one issue, its tags and hashes, changes of status. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import {
  Assignee,
  changeFields,
  IssueChange,
  Participant,
  priority,
  SeenBy,
  SubscriptionDetails,
  Undo,
} from './change-schemas.ts';
import { ProjectSummary } from '../projects/contract.ts';
import {
  dateTime,
  orgParams,
  pageQuery,
  projectParams,
  rangeQuery,
  repeatable,
  scopeQuery,
  Series,
} from '../shared/schemas.ts';

const counters = {
  count: z.string().describe('Events, as a decimal text.'),
  userCount: z.int(),
  firstSeen: dateTime(),
  lastSeen: dateTime(),
};

const Lifetime = z
  .object(counters)
  .describe('Over the whole life of the issue, whatever the filter.')
  .meta({ id: 'IssueLifetime' });

const issueFields = {
  id: z.string(),
  shortId: z.string().describe('Such as WEB-1.'),
  title: z.string(),
  culprit: z.string(),
  permalink: z.string(),
  level: z.string(),
  status: z.enum(['unresolved', 'resolved', 'ignored']).describe('`ignored` is what people call archived.'),
  substatus: z
    .string()
    .nullable()
    .describe(
      'new, ongoing, escalating, regressed; archived_until_escalating, archived_until_condition_met, archived_forever; null when resolved.',
    ),
  statusDetails: z
    .record(z.string(), z.unknown())
    .describe(
      'inNextRelease, inRelease, inCommit of resolved ones; ignoreUntil, ignoreDuration, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow of archived ones; actor: who said so.',
    ),
  platform: z.string(),
  type: z.string().describe('error, default (a message), csp, …; transaction for performance problems.'),
  issueType: z.string().describe('error, or what kind of performance problem: performance_n_plus_one_db_queries, …'),
  issueCategory: z.enum(['error', 'performance']),
  metadata: z
    .record(z.string(), z.string())
    .describe('type, value, filename, function of the exception that gives the title.'),
  project: ProjectSummary,
  isUnhandled: z.boolean(),
  priority: priority.describe('As somebody has set it; else as the level says.'),
  isPublic: z.boolean().describe('Whether anybody who has the link may read it.'),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  hasSeen: z.boolean().describe('Whether one has opened it since it was new, or came back.'),
  numComments: z.int(),
  assignedTo: Assignee.nullable(),
  logger: z.string().nullable(),
  annotations: z.array(z.unknown()),
  shareId: z.string().nullable().describe('Of the public link: /shared/{shareId}.'),
  subscriptionDetails: SubscriptionDetails.nullable(),
  lifetime: Lifetime,
};

export const Issue = z
  .object({
    ...issueFields,
    ...counters,
    stats: z
      .record(z.string(), Series)
      .describe(
        'One series of events for the sparkline, under the name of its period: `24h`, `14d`, …, or `range` for start and end.',
      ),
  })
  .describe(
    'Counts, users, last seen and the series follow the filter, the environments and the time range; first seen is of the whole life of the issue.',
  )
  .meta({ id: 'Issue' });

const Activity = z
  .object({
    id: z.string(),
    type: z
      .string()
      .describe(
        'first_seen, set_resolved, set_resolved_in_release, set_resolved_in_commit, set_unresolved, set_ignored, set_regression, set_escalating, auto_set_ongoing, mark_reviewed, archived_condition_met, assigned, unassigned, set_priority, note, shared, unshared, deleted, views_attached, joined, merged, unmerged, split, split_from',
      ),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    data: z.record(z.string(), z.unknown()),
    dateCreated: dateTime(),
  })
  .meta({ id: 'IssueActivity' });

const ReleaseRef = z
  .object({
    version: z.string(),
    shortVersion: z.string(),
    status: z.string(),
    url: z.string().nullable(),
    dateCreated: dateTime('Null once the release is deleted.').nullable(),
    dateReleased: dateTime().nullable(),
  })
  .meta({ id: 'ReleaseRef' });

export const IssueDetail = z
  .object({
    ...issueFields,
    ...counters,
    stats: z.object({ '24h': Series, '30d': Series }),
    tags: z
      .array(z.object({ key: z.string(), name: z.string(), totalValues: z.int() }))
      .describe('Of the newest 100 events.'),
    firstRelease: ReleaseRef.nullable(),
    lastRelease: ReleaseRef.nullable(),
    activity: z.array(Activity).describe('Newest first, at most 100.'),
    hashCount: z.int(),
    mergedFrom: z
      .object({ id: z.string(), shortId: z.string(), title: z.string() })
      .nullable()
      .describe('The issue that was asked for, where it was merged into this one.'),
    userReportCount: z.int(),
    seenBy: z.array(SeenBy).describe('The last first, at most 50.'),
    participants: z.array(Participant).describe('At most 50.'),
    pluginActions: z.array(z.unknown()),
    pluginIssues: z.array(z.unknown()),
    pluginContexts: z.array(z.unknown()),
  })
  .describe(
    'Counts are over the whole life of the issue, or follow the environments when some are given; first seen never does.',
  )
  .meta({ id: 'IssueDetail' });

const filterQuery = {
  query: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'Search, such as `is:unresolved (release:4f2c1 OR stack.function:pay) TypeError`. What is asked of events, one event must fulfil all together. Default is:unresolved when left out; empty for all.',
    ),
  ...scopeQuery,
  ...rangeQuery,
};

const listQuery = z.object({
  ...filterQuery,
  sort: z
    .enum(['date', 'new', 'freq', 'user', 'trends', 'inbox', 'recommended'])
    .default('date')
    .describe(
      'Last seen, first seen, events, users; `trends`: how far the second half of the range lies above the first, (second - first) / √(first + second + 1). `inbox` is `new`, `recommended` is `trends`.',
    ),
  groupStatsPeriod: z
    .enum(['', '24h', '14d', '30d', 'auto'])
    .optional()
    .describe(
      'The period of the series; `auto` for the range asked for. Default: the range, or 24h when none was given. From a week on, a bucket is a day or more.',
    ),
  shortIdLookup: z
    .string()
    .max(5)
    .optional()
    .describe('1: a query that is a short id finds that issue whatever its status.'),
  ...pageQuery,
});

export const listOrganizationIssues = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/',
  id: 'listOrganizationIssues',
  tag: 'Issues',
  summary: 'Issues of an organisation',
  description: 'Range 14d when none is given. Cursor pagination in the Link header.',
  access: 'event:read',
  params: orgParams,
  query: listQuery,
  response: z.array(Issue),
});

export const listProjectIssues = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/issues/',
  id: 'listProjectIssues',
  tag: 'Issues',
  summary: 'Issues of a project',
  access: 'event:read',
  params: projectParams,
  query: listQuery,
  response: z.array(Issue),
});

/** Of several issues: a change, or that they are one. */
const IssuesUpdate = z
  .object({
    ...changeFields,
    merge: z.literal(true).optional().describe('Put them together. Only issues of one project.'),
    mergeInto: z
      .string()
      .max(100)
      .optional()
      .describe('With `merge`: the one that stays, by id or short id. The one with most events when left out.'),
  })
  .refine(
    ({ merge, mergeInto: _into, ...change }) =>
      merge !== true || Object.values(change).every((one) => one === undefined),
    'merge stands alone',
  )
  .meta({ id: 'IssuesUpdate' });

const IssuesChanged = z
  .object({
    status: z.string().optional().describe('The status that was asked for; so are the fields below.'),
    substatus: z.string().nullish(),
    statusDetails: z.record(z.string(), z.unknown()).optional(),
    assignedTo: Assignee.nullish(),
    priority: priority.optional(),
    isBookmarked: z.boolean().optional(),
    isSubscribed: z.boolean().optional(),
    hasSeen: z.boolean().optional(),
    isPublic: z.boolean().optional(),
    shareId: z.string().nullish(),
    issueIds: z.array(z.string()).describe('Issues that are different now; the others were so already.'),
    undo: Undo,
    merge: z
      .object({ parent: z.string().describe('Id of the issue that stays.'), children: z.array(z.string()) })
      .optional()
      .describe('Set when issues were merged; the status is that of the parent then.'),
  })
  .meta({ id: 'IssuesChanged' });

export const bulkQuery = z.object({
  ...filterQuery,
  id: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(200)).max(1000),
    )
    .optional()
    .default([])
    .describe('Ids or short ids. Without any, `query` chooses, newest first, at most 1000.'),
});

export const updateOrganizationIssues = endpoint({
  method: 'PUT',
  url: '/organizations/:org/issues/',
  id: 'updateOrganizationIssues',
  tag: 'Issues',
  summary: 'Change or merge several issues',
  access: 'event:write',
  params: orgParams,
  query: bulkQuery,
  body: IssuesUpdate,
  response: IssuesChanged,
});

export const updateProjectIssues = endpoint({
  method: 'PUT',
  url: '/projects/:org/:project/issues/',
  id: 'updateProjectIssues',
  tag: 'Issues',
  summary: 'Change or merge several issues of a project',
  access: 'event:write',
  params: projectParams,
  query: bulkQuery,
  body: IssuesUpdate,
  response: IssuesChanged,
});

export const issueParams = z.object({ issue: z.string().max(100).describe('Id of the issue.') });
export const orgIssueParams = orgParams.extend({
  issue: z.string().max(100).describe('Id or short id (WEB-1) of the issue.'),
});

const detailQuery = z.object({
  environment: scopeQuery.environment,
  collapse: repeatable('What is left out: `tags` gives an empty list of them, and saves looking for them.'),
});

export const getIssue = endpoint({
  method: 'GET',
  url: '/issues/:issue/',
  id: 'getIssue',
  tag: 'Issues',
  summary: 'One issue',
  description: 'A short id is taken too, as long as only one organisation of the caller has it.',
  access: 'event:read',
  params: issueParams,
  query: detailQuery,
  response: IssueDetail,
});

const IssueUpdated = IssueDetail.extend({ undo: Undo }).meta({ id: 'IssueUpdated' });

export const updateIssue = endpoint({
  method: 'PUT',
  url: '/issues/:issue/',
  id: 'updateIssue',
  tag: 'Issues',
  summary: 'Change an issue: its status, who has it, its priority, one’s own marks',
  access: 'event:write',
  params: issueParams,
  body: IssueChange,
  response: IssueUpdated,
});

export const getOrganizationIssue = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/:issue/',
  id: 'getOrganizationIssue',
  tag: 'Issues',
  summary: 'One issue, by id or short id',
  access: 'event:read',
  params: orgIssueParams,
  query: detailQuery,
  response: IssueDetail,
});

export const updateOrganizationIssue = endpoint({
  method: 'PUT',
  url: '/organizations/:org/issues/:issue/',
  id: 'updateOrganizationIssue',
  tag: 'Issues',
  summary: 'Change an issue: its status, who has it, its priority, one’s own marks',
  access: 'event:write',
  params: orgIssueParams,
  body: IssueChange,
  response: IssueUpdated,
});
