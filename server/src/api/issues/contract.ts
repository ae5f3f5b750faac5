/** Issues: lists, one issue, its tags and hashes, changes of status. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { changes } from '../../base/texts/issues.ts';
import {
  Assignee,
  changeFields,
  EventLimit,
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
  CountInterval,
  Series,
} from '../shared/schemas.ts';

const counters = {
  count: z.string().describe('Number of events as text.'),
  userCount: z.int(),
  firstSeen: dateTime(),
  lastSeen: dateTime(),
};

const Lifetime = z
  .object(counters)
  .describe('Over the whole life of the issue, regardless of the filter.')
  .meta({ id: 'IssueLifetime' });

const issueFields = {
  id: z.string(),
  shortId: z.string().describe('Such as WEB-1.'),
  title: z.string(),
  culprit: z.string(),
  permalink: z.string(),
  level: z.string(),
  status: z.enum(['unresolved', 'resolved', 'ignored']).describe('`ignored` means archived.'),
  substatus: z
    .string()
    .nullable()
    .describe(
      'new, ongoing, escalating, regressed; archived_until_escalating, archived_until_condition_met, archived_forever; null if resolved.',
    ),
  statusDetails: z
    .record(z.string(), z.unknown())
    .describe(
      'Resolved: inNextRelease, inRelease, inCommit. Archived: ignoreUntil, ignoreDuration, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow. actor: author.',
    ),
  platform: z.string(),
  type: z.string().describe('error, default (a message), csp, …; transaction for performance problems.'),
  issueType: z.string().describe('error, or the kind of performance problem: performance_n_plus_one_db_queries, …'),
  issueCategory: z.enum(['error', 'performance', 'feedback']),
  metadata: z
    .record(z.string(), z.string())
    .describe('type, value, filename and function of the exception in the title.'),
  project: ProjectSummary,
  isUnhandled: z.boolean(),
  priority: priority.describe('As set, else derived from the level.'),
  isPublic: z.boolean().describe('Whether anyone with the link can read it.'),
  isBookmarked: z.boolean(),
  isSubscribed: z.boolean(),
  hasSeen: z.boolean().describe('Whether you have seen it since it was new or regressed.'),
  numComments: z.int(),
  assignedTo: Assignee.nullable(),
  logger: z.string().nullable(),
  annotations: z.array(z.unknown()),
  shareId: z.string().nullable().describe('ID of the public link: /shared/{shareId}.'),
  subscriptionDetails: SubscriptionDetails.nullable(),
  lifetime: Lifetime,
};

export const Issue = z
  .object({
    ...issueFields,
    ...counters,
    estimated: CountInterval,
    stats: z
      .record(z.string(), Series)
      .describe(
        'A series of events for the sparkline, named by its period: `24h`, `14d`, …, or `range` for start and end.',
      ),
  })
  .describe(
    'Counts, users, last seen and series follow the filter, environments and time range. First seen covers the whole life of the issue.',
  )
  .meta({ id: 'Issue' });

export const Activity = z
  .object({
    id: z.string(),
    type: z
      .string()
      .describe(
        'first_seen, set_resolved, set_resolved_in_release, set_resolved_in_commit, set_unresolved, set_ignored, set_regression, set_escalating, auto_set_ongoing, mark_reviewed, archived_condition_met, assigned, unassigned, set_priority, set_limit, note, shared, unshared, deleted, views_attached, joined, merged, unmerged, split, split_from',
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
    dateCreated: dateTime('null if the release is deleted.').nullable(),
    dateReleased: dateTime().nullable(),
  })
  .meta({ id: 'ReleaseRef' });

export const IssueDetail = z
  .object({
    ...issueFields,
    ...counters,
    storedCount: z
      .int()
      .describe('Of the events, those that are stored. What a storm or `eventLimit` kept out is counted, not stored.'),
    estimated: z
      .object({
        low: z.int(),
        high: z.int(),
        reasons: z
          .array(
            z.object({
              reason: z.enum(['storm', 'issue-limit']).describe('As in outcomes.'),
              count: z
                .int()
                .nullable()
                .describe(
                  'Events that are counted, not stored. null: both reasons apply, and an environment is chosen.',
                ),
            }),
          )
          .describe('Why events of `count` are not stored, and how many. A limit adds nothing to the interval.'),
      })
      .nullable()
      .describe('If `count` may be off by more than 1 %: its 95 % interval. Null if it is not.'),
    eventLimit: EventLimit.nullable().describe(
      'How many of its events are stored at most, and one more for each 1,000 users of the others. null: all.',
    ),
    waitingEvents: z
      .object({ count: z.int(), since: dateTime() })
      .nullable()
      .describe('Events beyond `eventLimit` that are not in `count` yet: the next event that is stored brings them.'),
    stats: z.object({ '24h': Series, '30d': Series }),
    tags: z
      .array(z.object({ key: z.string(), name: z.string(), totalValues: z.int() }))
      .describe('Tags of the newest 100 events.'),
    firstRelease: ReleaseRef.nullable(),
    lastRelease: ReleaseRef.nullable(),
    activity: z.array(Activity).describe('Newest first, at most 100.'),
    hashCount: z.int(),
    mergedFrom: z
      .object({ id: z.string(), shortId: z.string(), title: z.string() })
      .nullable()
      .describe('The requested issue, if it was merged into this one.'),
    userReportCount: z.int(),
    seenBy: z.array(SeenBy).describe('Latest first, at most 50.'),
    participants: z.array(Participant).describe('At most 50.'),
    pluginActions: z.array(z.unknown()),
    pluginIssues: z.array(z.unknown()),
    pluginContexts: z.array(z.unknown()),
  })
  .describe('Counts cover the whole life of the issue, or the selected environments. First seen covers its whole life.')
  .meta({ id: 'IssueDetail' });

const filterQuery = {
  query: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'A search, such as `is:unresolved (release:4f2c1 OR stack.function:pay) TypeError`. One event must match all event terms. Default: is:unresolved; empty for all.',
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
      'Last seen, first seen, events, users. `trends`: growth of the second half of the range, (second - first) / √(first + second + 1). `inbox` is `new`, `recommended` is `trends`.',
    ),
  groupStatsPeriod: z
    .enum(['', '24h', '14d', '30d', 'auto'])
    .optional()
    .describe(
      'Period of the series; `auto` for the requested range. Default: the range, or 24h. From a week, buckets are a day or more.',
    ),
  shortIdLookup: z
    .string()
    .max(5)
    .optional()
    .describe('1: a short ID as query finds that issue regardless of its status.'),
  ...pageQuery,
  // Grafana's data source asks for 10,000, and Sentry gives it 100.
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .transform((rows) => Math.min(rows, 100))
    .default(25)
    .describe('Rows per page, at most 100.'),
});

export const listOrganizationIssues = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/',
  id: 'listOrganizationIssues',
  tag: 'Issues',
  summary: 'List issues of an organisation',
  description:
    "Default range: 14d. Cursor pagination in the Link header. `issue.category:feedback` lists user feedback, as Sentry's clients ask for it: by words, status and project.",
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
  summary: 'List issues of a project',
  access: 'event:read',
  params: projectParams,
  query: listQuery,
  response: z.array(Issue),
});

/** Of several issues: a change, or that they are one. */
const IssuesUpdate = z
  .object({
    ...changeFields,
    merge: z.literal(true).optional().describe('Merge the issues. All must belong to one project.'),
    mergeInto: z
      .string()
      .max(100)
      .optional()
      .describe('With `merge`: the issue to keep, by ID or short ID. Default: the one with most events.'),
  })
  .refine(
    ({ merge, mergeInto: _into, ...change }) =>
      merge !== true || Object.values(change).every((one) => one === undefined),
    changes.mergeAlone,
  )
  .meta({ id: 'IssuesUpdate' });

const IssuesChanged = z
  .object({
    status: z.string().optional().describe('The requested status, and the fields below.'),
    substatus: z.string().nullish(),
    statusDetails: z.record(z.string(), z.unknown()).optional(),
    assignedTo: Assignee.nullish(),
    priority: priority.optional(),
    isBookmarked: z.boolean().optional(),
    isSubscribed: z.boolean().optional(),
    hasSeen: z.boolean().optional(),
    isPublic: z.boolean().optional(),
    shareId: z.string().nullish(),
    issueIds: z.array(z.string()).describe('Changed issues; others already had the value.'),
    undo: Undo,
    merge: z
      .object({ parent: z.string().describe('ID of the remaining issue.'), children: z.array(z.string()) })
      .optional()
      .describe("Set after a merge; the status is then the parent's."),
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
    .describe('IDs or short IDs. Default: the newest issues of `query`, at most 1,000.'),
});

export const updateOrganizationIssues = endpoint({
  method: 'PUT',
  url: '/organizations/:org/issues/',
  id: 'updateOrganizationIssues',
  tag: 'Issues',
  summary: 'Update or merge several issues',
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
  summary: 'Update or merge several issues of a project',
  access: 'event:write',
  params: projectParams,
  query: bulkQuery,
  body: IssuesUpdate,
  response: IssuesChanged,
});

export const issueParams = z.object({ issue: z.string().max(100).describe('ID of the issue.') });
export const orgIssueParams = orgParams.extend({
  issue: z.string().max(100).describe('ID or short ID (WEB-1) of the issue.'),
});

const detailQuery = z.object({
  environment: scopeQuery.environment,
  collapse: repeatable('Parts to omit: `tags` returns an empty list and saves the queries.'),
});

export const getIssue = endpoint({
  method: 'GET',
  url: '/issues/:issue/',
  id: 'getIssue',
  alsoFeedback: true,
  tag: 'Issues',
  summary: 'Get an issue',
  description: "A short ID works if only one of the caller's organisations has it.",
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
  alsoFeedback: true,
  tag: 'Issues',
  summary: 'Update an issue: status, assignee, priority, or your own marks',
  access: 'event:write',
  params: issueParams,
  body: IssueChange,
  response: IssueUpdated,
});

export const getOrganizationIssue = endpoint({
  method: 'GET',
  url: '/organizations/:org/issues/:issue/',
  id: 'getOrganizationIssue',
  alsoFeedback: true,
  tag: 'Issues',
  summary: 'Get an issue by ID or short ID',
  access: 'event:read',
  params: orgIssueParams,
  query: detailQuery,
  response: IssueDetail,
});

export const updateOrganizationIssue = endpoint({
  method: 'PUT',
  url: '/organizations/:org/issues/:issue/',
  id: 'updateOrganizationIssue',
  alsoFeedback: true,
  tag: 'Issues',
  summary: 'Update an issue: status, assignee, priority, or your own marks',
  access: 'event:write',
  params: orgIssueParams,
  body: IssueChange,
  response: IssueUpdated,
});
