/** Sessions and release health, as Sentry's clients and the console ask for them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Issue } from '../issues/contract.ts';
import { dateTime, orgParams, pageQuery, rangeQuery, repeatable, scopeQuery, Series } from '../shared/schemas.ts';

const readers = ['project:read', 'project:releases', 'org:read'] as const;
/** Clients that cannot write brackets send them percent-encoded, which the router has undone by then. */
const one = z.number().nullable();

export const SessionGroup = z
  .object({
    by: z.record(z.string(), z.union([z.string(), z.int()])),
    totals: z.record(z.string(), one).describe('By field; a rate without sessions is null.'),
    series: z.record(z.string(), z.array(one)).describe('By field, a value for each interval.'),
  })
  .meta({ id: 'SessionGroup' });

export const listSessions = endpoint({
  method: 'GET',
  url: '/organizations/:org/sessions/',
  id: 'listSessions',
  tag: 'Releases',
  summary: 'Sessions and users by how they fared, over time',
  description:
    'Fields: sum(session), count_unique(user), crash_rate, crash_free_rate, errored_rate, abnormal_rate, unhandled_rate and unhealthy_rate of (session) or (user), and avg, p50, p75, p90, p95, p99 and max of (session.duration). The last 24 hours unless a range is given.',
  access: readers,
  params: orgParams,
  query: z.object({
    field: repeatable('What is asked; sum(session) unless given.'),
    groupBy: repeatable('project, release, environment, session.status.'),
    interval: z.string().max(20).optional().describe('Length of an interval: 5m, 1h, 1d.'),
    query: z.string().max(1_000).optional().describe('Terms of release, environment and project in the search syntax.'),
    orderBy: z.string().max(100).optional().describe('A field, or release; - before it for the greatest first.'),
    includeTotals: z.string().max(5).optional().describe('0 for none.'),
    includeSeries: z.string().max(5).optional().describe('0 for none.'),
    ...scopeQuery,
    ...rangeQuery,
    per_page: z.coerce.number().int().min(1).max(1_000).default(100).describe('Groups, the most sessions first.'),
    cursor: pageQuery.cursor,
  }),
  response: z.object({
    start: dateTime(),
    end: dateTime(),
    query: z.string(),
    intervals: z.array(dateTime()).describe('Where each begins.'),
    groups: z.array(SessionGroup),
  }),
});

const counts = {
  total: z.int(),
  healthy: z.int(),
  errored: z.int().describe('With errors, but neither unhandled, abnormal nor crashed.'),
  unhandled: z.int().describe('With an error that nobody handled, after which the page went on.'),
  abnormal: z.int(),
  crashed: z.int(),
};
export const SessionParts = z.object(counts).meta({ id: 'SessionParts' });

export const ReleaseHealth = z
  .object({
    sessions: SessionParts,
    users: SessionParts.describe('Distinct ones; each is as bad as the worst of their sessions.'),
    crashFreeSessions: one.describe('From 0 to 1; null without sessions.'),
    crashFreeUsers: one.describe('From 0 to 1; null where nobody is known.'),
    adoption: one.describe(
      'Share of the sessions of its projects in the last 24 hours, from 0 to 1; null without any.',
    ),
    stage: z.enum(['adopted', 'low', 'replaced']).nullable().describe('Null where it has no sessions.'),
    series: Series.describe('Sessions over the time asked for.'),
  })
  .meta({ id: 'ReleaseHealth' });

export const HealthData = z
  .object({
    hasHealthData: z.boolean(),
    adoption: one.describe('Of users, per cent.'),
    sessionsAdoption: one.describe('Per cent.'),
    crashFreeSessions: one.describe('Per cent.'),
    crashFreeUsers: one.describe('Per cent.'),
    totalSessions: z.int(),
    totalUsers: z.int(),
    totalSessions24h: z.int(),
    totalUsers24h: z.int(),
    totalProjectSessions24h: z.int(),
    totalProjectUsers24h: z.int(),
    sessionsCrashed: z.int(),
    sessionsErrored: z.int(),
    stats: z.record(z.string(), Series),
  })
  .meta({ id: 'ReleaseHealthData' });

const ComparedNumbers = z
  .object({
    sessions: SessionParts,
    users: SessionParts,
    crashFreeSessions: one,
    crashFreeUsers: one,
    events: z.int().describe('Errors.'),
    errorsPerSession: one,
    requests: z.int().describe('Transactions.'),
    errorsPerRequest: one,
    failureRate: one,
    p50Ms: one,
    p95Ms: one,
    vitals: z.array(z.object({ vital: z.string(), p75: z.number(), count: z.int() })),
  })
  .meta({ id: 'ComparedNumbers' });

const ComparedRelease = z
  .object({
    version: z.string(),
    shortVersion: z.string(),
    dateCreated: dateTime(),
    firstEvent: dateTime().nullable(),
    lastEvent: dateTime().nullable(),
    numbers: ComparedNumbers,
  })
  .meta({ id: 'ComparedRelease' });

const ComparedIssue = z
  .object({
    issue: Issue.pick({
      id: true,
      shortId: true,
      title: true,
      culprit: true,
      level: true,
      status: true,
      substatus: true,
      type: true,
      issueCategory: true,
      metadata: true,
      permalink: true,
      project: true,
    }),
    before: z.int().describe('Events in the one release.'),
    after: z.int().describe('Events in the other.'),
    factor: one.describe('How much more often, by what they are counted against; null where either is nothing.'),
  })
  .meta({ id: 'ComparedIssue' });

const listed = (description: string) =>
  z.object({ total: z.int(), issues: z.array(ComparedIssue).describe('At most 25.') }).describe(description);

export const compareReleases = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/compare/',
  id: 'compareReleases',
  tag: 'Releases',
  summary: 'Two releases side by side: what is new, gone and worse',
  description:
    'Of events that are still stored. Rates are per session, else per transaction, else per hour of its life.',
  access: readers,
  params: orgParams,
  query: z.object({
    from: z.string().min(1).max(1_000).describe('The release before.'),
    to: z.string().min(1).max(1_000).describe('The release after.'),
    ...scopeQuery,
  }),
  response: z
    .object({
      from: ComparedRelease,
      to: ComparedRelease,
      basis: z.enum(['sessions', 'requests', 'hours']).describe('What events are counted against.'),
      new: listed('In the one after alone.'),
      gone: listed('In the one before alone.'),
      worse: listed('In both, and clearly more often in the one after.'),
      better: listed('In both, and clearly less often in the one after.'),
      partial: z.boolean().describe('Whether there were more issues than are compared.'),
    })
    .meta({ id: 'ReleaseComparison' }),
});
