/** The page Now: is something wrong, and what changed. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { ProjectSummary } from '../projects/contract.ts';
import { intakeWeight } from '../intake/contract.ts';
import { CountInterval, dateTime, orgParams, scopeQuery } from '../shared/schemas.ts';

const Link = z
  .object({
    kind: z.enum(['issues', 'transaction', 'release', 'releases', 'health', 'alerts']),
    query: z.string().optional().describe('Issues only: the search.'),
    transaction: z.string().optional(),
    project: z.string().optional().describe('Transactions only: slug of the project.'),
    version: z.string().optional().describe('Releases only.'),
  })
  .meta({ id: 'NowLink' });

const Day = (what: string) =>
  z
    .object({ now: z.array(z.number().nullable()), before: z.array(z.number().nullable()) })
    .describe(`${what}, one number per bucket; \`before\` has the same hours of the previous day.`);

const total = (what: string) =>
  z.object({ now: z.number().nullable(), before: z.number().nullable() }).describe(`${what} per day.`);

const NowIssue = z
  .object({
    id: z.string(),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    type: z.string(),
    issueCategory: z.enum(['error', 'performance']),
    metadata: z.record(z.string(), z.string()),
    level: z.string(),
    substatus: z.enum(['new', 'regressed', 'escalating']),
    sinceChange: z.boolean().describe('Issues first seen after the last change.'),
    project: ProjectSummary,
    count: z.int(),
    estimated: CountInterval,
    userCount: z.int(),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    series: z.array(z.tuple([z.number(), z.number()])).describe('Pairs of seconds since the epoch and events.'),
  })
  .meta({ id: 'NowIssue' });

const NowAnswer = z
  .object({
    asOf: dateTime(),
    level: z
      .enum(['trouble', 'attention', 'calm', 'empty'])
      .describe('trouble: act now. attention: check soon. calm: all clear. empty: no events received.'),
    sentence: z.string().describe('Current state in one sentence.'),
    parts: z
      .array(
        z.object({
          text: z.string(),
          link: Link.optional(),
          at: dateTime('The text is a relative time.').optional(),
        }),
      )
      .describe('The same sentence in parts with their links.'),
    change: z
      .object({
        kind: z.enum(['deploy', 'release']),
        version: z.string(),
        shortVersion: z.string(),
        name: z.string().describe('Short version, with the package if another recent change has the same version.'),
        environment: z.string().nullable(),
        at: dateTime(),
      })
      .nullable()
      .describe('The last deploy in 14 days; without deploys, the newest release.'),
    counts: z.object({
      fresh: z.int().describe('First seen within a day.'),
      regressed: z.int(),
      escalating: z.int(),
      sinceChange: z.int(),
      more: z.boolean().describe('True if not all were counted.'),
    }),
    issuesPeriod: z
      .string()
      .describe('Period of issues and counts, such as 24h: a day, or since the last change if longer.'),
    issues: z.array(NowIssue).describe('New, regressed and escalating issues of that period, newest first.'),
    start: dateTime('Start of the series.'),
    bucketSeconds: z.int(),
    errors: Day('Errors'),
    users: Day('Users with errors'),
    p95Ms: Day('95th percentile of transactions, ms'),
    totals: z.object({
      errors: total('Errors').extend({
        estimated: CountInterval.describe('Of `now`: its 95 % interval if it may be off by more than 1 %, else null.'),
      }),
      users: total('Users with errors'),
      p95Ms: total('p95, ms'),
    }),
    marks: z.array(
      z.object({ at: z.int(), version: z.string(), shortVersion: z.string(), environment: z.string().nullable() }),
    ),
    hotspots: z
      .array(
        z.object({
          project: z.string().describe('Slug.'),
          transaction: z.string(),
          count: z.int().describe('Errors of the last hour.'),
          estimated: CountInterval,
          usual: z.number().describe('Mean per hour of the previous week.'),
        }),
      )
      .describe('Sources of errors in the last hour, most frequent first.'),
    sessions: z
      .object({
        count: z.int(),
        countBefore: z.int(),
        crashFree: z.number().nullable(),
        crashFreeBefore: z.number().nullable(),
      })
      .describe('Last 24 hours and the 24 before; rates from 0 to 1, null without sessions.'),
    intake: z
      .array(
        z.object({
          kind: z.enum(['refused', 'lag', 'silent']),
          weight: intakeWeight,
          sentence: z.string(),
        }),
      )
      .describe('Problems of the intake; empty if there are none.'),
  })
  .meta({ id: 'Now' });

export const getNow = endpoint({
  method: 'GET',
  url: '/organizations/:org/now/',
  id: 'getNow',
  tag: 'Now',
  summary: 'Get the current state in one sentence, and recent changes',
  description: 'Compares the last 24 hours with the 24 before.',
  access: 'event:read',
  params: orgParams,
  query: z.object(scopeQuery),
  response: NowAnswer,
});
