/** What belongs to one issue: its tags, the hashes that it owns, the way to it from a short id. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Activity, IssueDetail, issueParams, orgIssueParams } from './contract.ts';
import { CountInterval, dateTime, orgParams, pageQuery, rangeQuery, scopeQuery } from '../shared/schemas.ts';

export const TagValue = z
  .object({
    value: z.string(),
    name: z.string(),
    count: z.int(),
    estimated: CountInterval.describe(
      'If `count` and `share` may be off by more than 1 %: the 95 % interval of `count`. Null if they are not.',
    ),
    share: z.number().describe('Share of the events with the tag, 0 to 1.'),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
  })
  .meta({ id: 'TagValue' });

export const Tag = z
  .object({
    key: z.string(),
    name: z.string(),
    totalValues: z.int().describe('Events with the tag among those read.'),
    uniqueValues: z.int(),
    topValues: z.array(TagValue),
    events: z.int().describe('Number of events that the read ones represent.'),
    sampled: z.boolean().describe('True if only the newest stored events were read.'),
  })
  .meta({ id: 'Tag' });

const tagsQuery = z.object({
  ...scopeQuery,
  ...rangeQuery,
  key: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(200)).max(50),
    )
    .optional()
    .default([])
    .describe('These tags only.'),
  limit: z.coerce.number().int().min(1).max(50).default(10).describe('Number of values per tag.'),
});

const tagsRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'List tags of an issue with their most frequent values',
  description: 'Counts cover all events of the range, or the newest 10,000 if there are more (`sampled`).',
  access: 'event:read',
  query: tagsQuery,
  response: z.array(Tag),
} as const;

export const listIssueTags = endpoint({
  ...tagsRoute,
  url: '/issues/:issue/tags/',
  id: 'listIssueTags',
  params: issueParams,
});
export const listOrganizationIssueTags = endpoint({
  ...tagsRoute,
  url: '/organizations/:org/issues/:issue/tags/',
  id: 'listOrganizationIssueTags',
  params: orgIssueParams,
});

const TagDetail = Tag.extend({ topValues: z.array(TagValue.extend({ key: z.string() })) }).meta({ id: 'TagDetail' });

const tagRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'Get a tag of an issue with its most frequent values',
  description: 'Counts as in the list of tags. 404 if none of the events read has the tag.',
  access: 'event:read',
  query: tagsQuery.omit({ key: true }),
  response: TagDetail,
} as const;

const tagKey = z.string().min(1).max(200).describe('Name of the tag: environment, browser.name, …');

export const getIssueTag = endpoint({
  ...tagRoute,
  url: '/issues/:issue/tags/:key/',
  id: 'getIssueTag',
  params: issueParams.extend({ key: tagKey }),
});
export const getOrganizationIssueTag = endpoint({
  ...tagRoute,
  url: '/organizations/:org/issues/:issue/tags/:key/',
  id: 'getOrganizationIssueTag',
  params: orgIssueParams.extend({ key: tagKey }),
});

/** As Sentry's clients write them. */
const tagValueSorts = {
  count: 'count',
  '-count': 'count',
  date: 'lastSeen',
  '-date': 'lastSeen',
  '-last_seen': 'lastSeen',
  age: 'firstSeen',
  '-age': 'firstSeen',
  '-first_seen': 'firstSeen',
} as const;

const ListedTagValue = TagValue.extend({
  key: z.string(),
  id: z.string().optional().describe('Users only, like the next three fields.'),
  email: z.string().optional(),
  username: z.string().optional(),
  ipAddress: z.string().optional(),
}).meta({ id: 'ListedTagValue' });

const tagValuesRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'List all values of a tag of an issue with their events',
  description:
    'With the key `user`: affected users. `X-Hits` is the number of different values. Counts cover all events within the filter, or the newest million if there are more (`X-Sampled-Events`).',
  access: 'event:read',
  query: z.object({
    query: z.string().max(4096).optional().describe('These events only, such as `release:4f2c1`.'),
    environment: scopeQuery.environment,
    ...rangeQuery,
    ...pageQuery,
    sort: z
      .enum(['count', '-count', 'date', '-date', '-last_seen', 'age', '-age', '-first_seen'])
      .default('count')
      .transform((sort) => tagValueSorts[sort])
      .describe('`count`: most events first. `date`: last seen first. `age`: last first seen first.'),
  }),
  response: z.array(ListedTagValue),
} as const;

export const listIssueTagValues = endpoint({
  ...tagValuesRoute,
  url: '/issues/:issue/tags/:key/values/',
  id: 'listIssueTagValues',
  params: issueParams.extend({ key: tagKey }),
});
export const listOrganizationIssueTagValues = endpoint({
  ...tagValuesRoute,
  url: '/organizations/:org/issues/:issue/tags/:key/values/',
  id: 'listOrganizationIssueTagValues',
  params: orgIssueParams.extend({ key: tagKey }),
});

export interface GroupingNode {
  id: string;
  name: string;
  contributes: boolean;
  why?: string | undefined;
  value?: string | undefined;
  children?: GroupingNode[] | undefined;
}

export const GroupingNodeSchema: z.ZodType<GroupingNode> = z
  .object({
    id: z.string().describe('exception, stacktrace, frame, function, …'),
    name: z.string(),
    contributes: z.boolean(),
    why: z.string().optional().describe('Why it counts or not.'),
    value: z.string().optional(),
    get children(): z.ZodOptional<z.ZodArray<z.ZodType<GroupingNode>>> {
      return z.array(GroupingNodeSchema).optional();
    },
  })
  .meta({ id: 'GroupingNode' });

const IssueHash = z
  .object({
    id: z.string().describe('The hash, 32 hex digits.'),
    hash: z.string(),
    basis: z.string().describe('Source of the grouping: exception, stacktrace, message, csp, fingerprint, fallback, …'),
    version: z.string().describe('Version of the grouping algorithm.'),
    explanation: z.array(GroupingNodeSchema),
    firstEventId: z.string(),
    count: z.int(),
    estimated: CountInterval,
    firstSeen: dateTime().nullable(),
    lastSeen: dateTime().nullable(),
    dateCreated: dateTime(),
  })
  .meta({ id: 'IssueHash' });

const hashesRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'List hashes of an issue: why its events are grouped',
  access: 'event:read',
  response: z.array(IssueHash),
} as const;

export const listIssueHashes = endpoint({
  ...hashesRoute,
  url: '/issues/:issue/hashes/',
  id: 'listIssueHashes',
  params: issueParams,
});
export const listOrganizationIssueHashes = endpoint({
  ...hashesRoute,
  url: '/organizations/:org/issues/:issue/hashes/',
  id: 'listOrganizationIssueHashes',
  params: orgIssueParams,
});

const ShortIdLookup = z
  .object({
    organizationSlug: z.string(),
    projectSlug: z.string(),
    groupId: z.string(),
    shortId: z.string(),
    group: IssueDetail,
  })
  .meta({ id: 'ShortIdLookup' });

export const getShortId = endpoint({
  method: 'GET',
  url: '/organizations/:org/shortids/:shortId/',
  id: 'getShortId',
  tag: 'Issues',
  summary: 'Find an issue by short ID',
  access: 'event:read',
  params: orgParams.extend({ shortId: z.string().max(100) }),
  response: ShortIdLookup,
});

const activitiesRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'List activities of an issue',
  description: "The same as `activity` of the issue, for Sentry's clients.",
  access: 'event:read',
  response: z.object({ activity: z.array(Activity).describe('Newest first, at most 100.') }),
} as const;

export const listIssueActivities = endpoint({
  ...activitiesRoute,
  url: '/issues/:issue/activities/',
  id: 'listIssueActivities',
  params: issueParams,
});
export const listOrganizationIssueActivities = endpoint({
  ...activitiesRoute,
  url: '/organizations/:org/issues/:issue/activities/',
  id: 'listOrganizationIssueActivities',
  params: orgIssueParams,
});

const ExternalIssue = z
  .object({
    id: z.string(),
    issueId: z.string(),
    serviceType: z.string(),
    displayName: z.string(),
    webUrl: z.string(),
  })
  .meta({ id: 'ExternalIssue' });

const externalIssuesRoute = {
  method: 'GET',
  tag: 'Issues',
  summary: 'List tickets that an issue is linked to: always empty',
  description: "Culprit links no tickets of other trackers. For Sentry's clients, which ask with each issue.",
  access: 'event:read',
  response: z.array(ExternalIssue),
} as const;

export const listExternalIssues = endpoint({
  ...externalIssuesRoute,
  url: '/issues/:issue/external-issues/',
  id: 'listExternalIssues',
  params: issueParams,
});
export const listOrganizationExternalIssues = endpoint({
  ...externalIssuesRoute,
  url: '/organizations/:org/issues/:issue/external-issues/',
  id: 'listOrganizationExternalIssues',
  params: orgIssueParams,
});
