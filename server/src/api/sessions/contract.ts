/** Sessions and release health, as Sentry's clients and the console ask for them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Issue } from '../issues/contract.ts';
import {
  CountInterval,
  dateTime,
  orgParams,
  pageQuery,
  rangeQuery,
  repeatable,
  scopeQuery,
  Series,
} from '../shared/schemas.ts';

const readers = ['project:read', 'project:releases', 'org:read'] as const;
/** Clients that cannot write brackets send them percent-encoded, which the router has undone by then. */
const one = z.number().nullable();

export const SessionGroup = z
  .object({
    by: z.record(z.string(), z.union([z.string(), z.int()])),
    totals: z.record(z.string(), one).describe('By field; a rate without sessions is null.'),
    series: z.record(z.string(), z.array(one)).describe('By field, one value per interval.'),
  })
  .meta({ id: 'SessionGroup' });

const sessionsQuery = z.object({
  field: repeatable('Fields to return; default: sum(session).'),
  groupBy: repeatable('project, release, environment, session.status.'),
  interval: z.string().max(20).optional().describe('Length of an interval: 5m, 1h, 1d.'),
  query: z.string().max(1_000).optional().describe('Terms on release, environment and project in the search syntax.'),
  orderBy: z.string().max(100).optional().describe('A field, or release; - for descending.'),
  includeTotals: z.string().max(5).optional().describe('0: omit.'),
  includeSeries: z.string().max(5).optional().describe('0: omit.'),
  ...scopeQuery,
  ...rangeQuery,
  per_page: z.coerce.number().int().min(1).max(1_000).default(100).describe('Groups, most sessions first.'),
  cursor: pageQuery.cursor,
});

const Sessions = z.object({
  start: dateTime(),
  end: dateTime(),
  query: z.string(),
  intervals: z.array(dateTime()).describe('Start of each interval.'),
  groups: z.array(SessionGroup),
});

export const listSessions = endpoint({
  method: 'GET',
  url: '/organizations/:org/sessions/',
  id: 'listSessions',
  tag: 'Releases',
  summary: 'Query sessions and users by status over time',
  description:
    'Fields: sum(session) and count_unique(user). Of (session) or (user): crash_rate, crash_free_rate, errored_rate, abnormal_rate, unhandled_rate and unhealthy_rate. Of (session.duration): avg, p50, p75, p90, p95, p99 and max. Default range: 24 hours.',
  access: readers,
  params: orgParams,
  query: sessionsQuery,
  response: Sessions,
});

export const listSessionMetrics = endpoint({
  method: 'GET',
  url: '/organizations/:org/metrics/data/',
  id: 'listSessionMetrics',
  tag: 'Releases',
  summary: "Query sessions and users as metrics, as Grafana's data source names them",
  description:
    'Fields: session.all, session.healthy, session.errored, session.abnormal, session.unhandled and session.crashed. Each also with _user. Rates: session.crash_rate, session.crash_free_rate and session.errored_rate, of users session.crash_user_rate, … Also count_unique(sentry.sessions.user). Default range: 24 hours.',
  access: readers,
  params: orgParams,
  query: sessionsQuery.extend({ field: repeatable('Fields to return; default: session.all.') }),
  response: Sessions,
});

const counts = {
  total: z.int(),
  healthy: z.int(),
  errored: z.int().describe('With errors, but not unhandled, abnormal or crashed.'),
  unhandled: z.int().describe('With an unhandled error, after which the page continued.'),
  abnormal: z.int(),
  crashed: z.int(),
};
export const SessionParts = z.object(counts).meta({ id: 'SessionParts' });

export const ReleaseHealth = z
  .object({
    sessions: SessionParts,
    users: SessionParts.describe('Different users, each in their worst state.'),
    crashFreeSessions: one.describe('0 to 1; null without sessions.'),
    crashFreeUsers: one.describe('0 to 1; null without identified users.'),
    adoption: one.describe("Share of its projects' sessions in the last 24 hours, 0 to 1; null without sessions."),
    stage: z.enum(['adopted', 'low', 'replaced']).nullable().describe('null without sessions.'),
    series: Series.describe('Sessions over the requested time.'),
  })
  .meta({ id: 'ReleaseHealth' });

export const HealthData = z
  .object({
    hasHealthData: z.boolean(),
    adoption: one.describe('Of users, in percent.'),
    sessionsAdoption: one.describe('In percent.'),
    crashFreeSessions: one.describe('In percent.'),
    crashFreeUsers: one.describe('In percent.'),
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
    estimated: CountInterval.describe(
      'If `events`, and rates of them, may be off by more than 1 %: the 95 % interval of `events`. Null if they are not.',
    ),
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
    before: z.int().describe('Events in the first release.'),
    after: z.int().describe('Events in the second release.'),
    estimated: z
      .object({ before: CountInterval, after: CountInterval })
      .describe('Of each count: its 95 % interval if it may be off by more than 1 %, else null.'),
    factor: one.describe('Ratio of the frequencies; null if either is zero.'),
  })
  .meta({ id: 'ComparedIssue' });

const listed = (description: string) =>
  z.object({ total: z.int(), issues: z.array(ComparedIssue).describe('At most 25.') }).describe(description);

export const compareReleases = endpoint({
  method: 'GET',
  url: '/organizations/:org/releases/compare/',
  id: 'compareReleases',
  tag: 'Releases',
  summary: 'Compare two releases: new, gone, worse and better issues',
  description: 'Stored events only. Rates are per session, else per transaction, else per hour.',
  access: readers,
  params: orgParams,
  query: z.object({
    from: z.string().min(1).max(1_000).describe('The first release.'),
    to: z.string().min(1).max(1_000).describe('The second release.'),
    ...scopeQuery,
  }),
  response: z
    .object({
      from: ComparedRelease,
      to: ComparedRelease,
      basis: z.enum(['sessions', 'requests', 'hours']).describe('Unit that events are compared by.'),
      new: listed('Only in the second release.'),
      gone: listed('Only in the first release.'),
      worse: listed('In both, and clearly more frequent in the second.'),
      better: listed('In both, and clearly less frequent in the second.'),
      partial: z.boolean().describe('True if there were more issues than compared.'),
    })
    .meta({ id: 'ReleaseComparison' }),
});
